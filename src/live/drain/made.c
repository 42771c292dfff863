#include "live/drain/made.h"
#include "trace/sbt/wire_event.h"

enum { BLOCK_BYTES = 1 << 16, OLD_NS = 500000000 };

uint8_t *
sb_made_begin(struct sb_made *m, unsigned kind, int64_t at_ns)
{
    if (m->events == 0)
        m->base_ns = m->last_ns = at_ns >> SB_WIRE_TICK_SHIFT << SB_WIRE_TICK_SHIFT;
    SB_RESERVE(&m->records, SB_WIRE_RECORD_MAX);
    uint8_t *p = m->records.at + m->records.n;
    *p++ = (uint8_t)(kind | SB_WIRE_SAME); /* who: none */
    uint64_t ticks = ((uint64_t)at_ns >> SB_WIRE_TICK_SHIFT) - ((uint64_t)m->last_ns >> SB_WIRE_TICK_SHIFT);
    m->last_ns = at_ns;
    m->events++;
    return sb_varint_put(p, ticks);
}

void
sb_made_end(struct sb_made *m, const uint8_t *p)
{
    m->records.n = (size_t)(p - m->records.at);
}

bool
sb_made_is_due(const struct sb_made *m, int64_t now_ns)
{
    return m->events > 0 && (m->records.n >= BLOCK_BYTES || now_ns - m->base_ns >= OLD_NS);
}

uint8_t *
sb_made_take(struct sb_made *m, unsigned ring, const struct sb_sbt_held *held, struct sb_sbt_block *b)
{
    struct sb_sbt_prefix prefix = {.base_ns = m->base_ns, .gap_from_ns = SB_AT_UNKNOWN};
    uint8_t *raw = sb_realloc_or_die(NULL, sizeof prefix + m->records.n);
    memcpy(raw, &prefix, sizeof prefix);
    memcpy(raw + sizeof prefix, m->records.at, m->records.n);
    *b = (struct sb_sbt_block){.type = SB_SBT_EVENTS,
                               .lane = SB_LANE_NONE,
                               .ring = (uint16_t)ring,
                               .number = sb_sbt_held_next(held, ring),
                               .raw = (uint32_t)(sizeof prefix + m->records.n),
                               .events = m->events,
                               .first_ns = m->base_ns,
                               .last_ns = m->last_ns};
    m->taken += m->events;
    m->records.n = 0;
    m->events = 0;
    return raw;
}

bool
sb_made_put(struct sb_made *m, unsigned ring, int64_t first_ns, struct sb_sbt_writer *out, struct sb_err *e)
{
    struct sb_sbt_block b;
    if (m->events == 0)
        return true;
    uint8_t *raw = sb_made_take(m, ring, sb_sbt_held_by(out), &b);
    b.first_ns = first_ns;
    bool ok = sb_sbt_put(out, &b, raw, e);
    free(raw);
    return ok;
}

void
sb_made_close(struct sb_made *m)
{
    SB_VEC_FREE(&m->records);
}
