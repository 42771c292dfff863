/*
 * Blocks of a .sbt file to events. Records are read without a bounds check each: behind the block lie more
 * zeros than the longest record has bytes, and a zero ends every number; after each record one look tells
 * whether it still was inside.
 */
#include "trace/sbt_read.h"
#include "base/hash.h"
#include "trace/wire.h"
#include <stdlib.h>
#if __has_include(<zstd.h>) && !defined(SB_NO_ZSTD)
#include <zstd.h>
#define HAVE_ZSTD 1
#else
#define HAVE_ZSTD 0
#endif

_Static_assert(SB_SBT_SLACK >= 2 + SB_MAX_SLOTS * (SB_WIRE_TEXT_MAX + 1) / 2 && SB_SBT_SLACK >= 600,
               "see above");

struct cursor {
    const struct sb_sbt_reader *r;
    const uint8_t *p;
    sb_actor recent[SB_WIRE_RECENT];
};

static bool
unpack_into(uint8_t *out, const uint8_t *body, const struct sb_sbt_block *b)
{
    if (b->codec == SB_SBT_RAW) {
        memcpy(out, body, b->raw);
        return true;
    }
#if HAVE_ZSTD
    return b->codec == SB_SBT_ZSTD && ZSTD_decompress(out, b->raw, body, b->stored) == b->raw;
#else
    return false;
#endif
}

uint8_t *
sb_sbt_unpack(struct sb_sbt_reader *r, uint64_t at, struct sb_sbt_block *b)
{
    uint64_t room;
    const uint8_t *head = sb_sbt_at(r, at, &room);
    if (!head || room < sizeof *b)
        return NULL;
    const uint8_t *body = head + sizeof *b;
    memcpy(b, head, sizeof *b);
    if (!sb_sbt_check_head(b) || b->stored > room - sizeof *b || !sb_sbt_check_body(b, body))
        return NULL;
    uint8_t *out = sb_realloc_or_die(NULL, (size_t)b->raw + SB_SBT_SLACK);
    memset(out + b->raw, 0, SB_SBT_SLACK);
    if (unpack_into(out, body, b))
        return out;
    free(out);
    return NULL;
}

/* ---- the parts of a record */

static inline uint64_t
get_varint(struct cursor *c)
{
    uint64_t v = *c->p++;
    if (v < 0x80)
        return v;
    v &= 0x7f;
    for (unsigned shift = 7; shift < 64; shift += 7) {
        uint64_t byte = *c->p++;
        v |= (byte & 0x7f) << shift;
        if (byte < 0x80)
            break;
    }
    return v;
}

static inline uint32_t
get_id(struct cursor *c, const struct sb_sbt_ids *ids)
{
    uint64_t id = get_varint(c);
    return id < ids->n ? ids->at[id] : 0;
}

static unsigned
get_node(struct cursor *c, uint64_t *wire)
{
    *wire = get_varint(c);
    return *wire < c->r->node.n ? c->r->node.at[*wire] : 0;
}

/* An actor that was not seen lately: as it was written (for its place in the table) and as we call it. */
static sb_actor
get_new_actor(struct cursor *c, unsigned tag)
{
    uint64_t node = 0, number, serial = 0;
    unsigned ours = 0;
    if (tag == SB_WIRE_NAME) {
        ours = get_node(c, &node);
        number = get_varint(c);
        uint32_t id = number < c->r->atom.n ? c->r->atom.at[number] : 0;
        sb_actor wire =
            (uint64_t)SB_NAMED << 62 | (node & (SB_ACTOR_NODES - 1)) << 52 | (number & 0xfffffffffffffu);
        return c->recent[sb_wire_place(wire)] = id ? (uint64_t)SB_NAMED << 62 | (uint64_t)ours << 52 | id : 0;
    }
    if (tag < SB_WIRE_PID || tag > SB_WIRE_FAR_PORT)
        return c->recent[sb_wire_place(0)] = 0;
    bool far = tag >= SB_WIRE_FAR_PID, port = tag == SB_WIRE_PORT || tag == SB_WIRE_FAR_PORT;
    if (far)
        ours = get_node(c, &node);
    number = get_varint(c);
    if (tag != SB_WIRE_PID)
        serial = get_varint(c);
    enum sb_actor_kind kind = port ? SB_PORT : SB_PID;
    sb_actor wire = sb_actor_make(kind, (unsigned)node, serial, number);
    return c->recent[sb_wire_place(wire)] = sb_actor_make(kind, ours, serial, number);
}

static inline sb_actor
get_actor(struct cursor *c)
{
    unsigned tag = *c->p++;
    return tag < SB_WIRE_RECENT ? c->recent[tag] : get_new_actor(c, tag);
}

static uint32_t
get_text(struct cursor *c)
{
    size_t n = *c->p++;
    struct sb_str s = {(const char *)c->p, n};
    c->p += n;
    return n ? sb_names_text(c->r->source->names, s) : 0;
}

/* One slot of a kind that is not hot. */
static void
get_slot(struct cursor *c, const struct sb_slot *slot, struct sb_event *ev)
{
    uint64_t v = 0;
    switch (slot->type) {
    case SB_SLOT_PID:
        v = get_actor(c);
        break;
    case SB_SLOT_MFA:
        v = get_id(c, sb_actor_kind(ev->who) == SB_PORT ? &c->r->atom : &c->r->mfa);
        break;
    case SB_SLOT_ATOM:
        v = get_id(c, &c->r->atom);
        break;
    case SB_SLOT_TEXT:
        v = get_text(c);
        break;
    case SB_SLOT_U:
        v = get_varint(c) - 1;
        break;
    case SB_SLOT_NUM:
        v = get_varint(c);
        break;
    case SB_SLOT_I:
        v = (uint64_t)sb_unzigzag(get_varint(c));
        break;
    case SB_SLOT_HEX:
        v = c->p[0] | (uint64_t)c->p[1] << 8;
        c->p += 2;
        break;
    }
    if (slot->size)
        sb_slot_set(slot, ev, v);
}

static void
get_slots(struct cursor *c, const struct sb_sbt_row *row, struct sb_event *ev)
{
    struct sb_event fresh = sb_event_of(row->kind);
    fresh.at_ns = ev->at_ns;
    fresh.who = ev->who;
    fresh.lane = ev->lane;
    fresh.flags = ev->flags;
    *ev = fresh;
    for (unsigned i = 0; i < row->n_slots; i++)
        get_slot(c, &row->slot[i], ev);
    if (row->kind == SB_EV_unknown)
        ev->f = row->tag;
}

/* The hot kinds by hand, the others by their row. */
static inline void
get_body(struct cursor *c, const struct sb_sbt_row *row, struct sb_event *ev)
{
    switch (row->kind) {
    case SB_EV_call:
    case SB_EV_return_to:
        ev->f = get_id(c, &c->r->mfa);
        break;
    case SB_EV_in:
    case SB_EV_out:
        ev->f = get_id(c, sb_actor_kind(ev->who) == SB_PORT ? &c->r->atom : &c->r->mfa);
        break;
    case SB_EV_send:
        ev->peer = get_actor(c);
        ev->x = get_varint(c) - 1;
        ev->y = SB_UNKNOWN;
        ev->z = c->p[0] | (uint64_t)c->p[1] << 8;
        c->p += 2;
        break;
    case SB_EV_receive:
        if (ev->flags & SB_WIRE_PEER)
            ev->peer = get_actor(c);
        ev->flags &= (uint8_t)~SB_WIRE_PEER;
        ev->x = ev->y = SB_UNKNOWN;
        ev->z = c->p[0] | (uint64_t)c->p[1] << 8;
        c->p += 2;
        break;
    default:
        get_slots(c, row, ev);
    }
}

/* Records of one block. Returns how many bytes at its end could not be read. */
static uint64_t
decode_records(struct cursor *c, const uint8_t *end, int64_t base_ns, sb_lane lane, struct sb_events *out)
{
    uint64_t tick = (uint64_t)base_ns >> SB_WIRE_TICK_SHIFT;
    sb_actor who = 0;
    while (c->p < end) {
        const uint8_t *start = c->p;
        unsigned first = *c->p++;
        const struct sb_sbt_row *row = &c->r->row[first & SB_WIRE_KIND];
        if (row->kind == SB_EV_none)
            return (uint64_t)(end - start);
        tick += get_varint(c);
        if (!(first & SB_WIRE_SAME))
            who = get_actor(c);
        SB_RESERVE(out, 1);
        struct sb_event *ev = &out->at[out->n];
        *ev = (struct sb_event){
            .at_ns = (int64_t)(tick << SB_WIRE_TICK_SHIFT), .who = who, .lane = lane, .kind = row->kind};
        if (first & SB_WIRE_FLAGS)
            ev->flags = *c->p++;
        get_body(c, row, ev);
        if (c->p > end)
            return (uint64_t)(end - start);
        out->n++;
    }
    return 0;
}

/* ---- blocks */

static void
add_drop(struct sb_events *out, int64_t from, int64_t until, unsigned cls, uint64_t events, sb_lane lane)
{
    *SB_PUSH(out) = (struct sb_event){.kind = SB_EV_drop,
                                      .at_ns = from,
                                      .lane = lane,
                                      .x = events,
                                      .y = cls,
                                      .z = until > from ? (uint64_t)(until - from) : 0};
}

static void
decode_events(struct sb_sbt_reader *r, const struct sb_block *where, const struct sb_sbt_block *b,
              const uint8_t *p, struct sb_events *out)
{
    struct sb_sbt_prefix pre;
    if (b->raw < sizeof pre) {
        sb_source_damaged(r->source, 0, where->at_byte, where->size, "a block without its prefix");
        return;
    }
    memcpy(&pre, p, sizeof pre);
    for (unsigned i = 0; i < SB_CLASSES; i++)
        if (pre.dropped[i]) {
            add_drop(out, pre.gap_from_ns, pre.base_ns, i, pre.dropped[i], b->lane);
            if (!r->has_trailer)
                sb_source_lost(r->source, (enum sb_class)i, pre.dropped[i]);
        }
    struct cursor c = {.r = r, .p = p + sizeof pre};
    SB_RESERVE(out, b->events < b->raw ? b->events : b->raw);
    uint64_t left = decode_records(&c, p + b->raw, pre.base_ns, b->lane, out);
    if (left)
        sb_source_damaged(r->source, 0, where->at_byte, left, "bad record in a block of events");
}

/* The trailer as a block: drops that no later chunk could tell. */
static void
decode_gaps(const struct sb_sbt_block *b, const uint8_t *p, struct sb_events *out)
{
    struct sb_sbt_trailer t;
    struct sb_sbt_gap g;
    if (b->raw < sizeof t)
        return;
    memcpy(&t, p, sizeof t);
    for (uint64_t i = 0; i < t.n_gaps && sizeof t + (i + 1) * sizeof g <= b->raw; i++) {
        memcpy(&g, p + sizeof t + i * sizeof g, sizeof g);
        if (g.class_ < SB_CLASSES)
            add_drop(out, g.from_ns, t.end_ns, g.class_, g.events, g.lane);
    }
}

void
sb_sbt_decode(struct sb_source *s, const struct sb_block *where, struct sb_events *out)
{
    struct sb_sbt_reader *r = s->state;
    struct sb_sbt_block b;
    uint8_t *p = sb_sbt_unpack(r, where->at_byte, &b);
    if (!p) {
        sb_source_damaged(s, 0, where->at_byte, where->size, "a block whose checksum does not fit");
        return;
    }
    if (b.type == SB_SBT_EVENTS)
        decode_events(r, where, &b, p, out);
    else
        decode_gaps(&b, p, out);
    free(p);
    if (where->at_byte < r->n)
        sb_source_done_with(s, where);
}
