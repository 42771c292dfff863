/*
 * Decodes the blocks of a .sbt file into events. There is no bounds check per byte: the zeros after a block
 * are longer than the longest record, and a zero ends every varint. One check after each record shows whether
 * it was inside.
 */
#include "trace/sbt/sbt_read.h"
#include "trace/sbt/sbt_pack.h"
#include "trace/sbt/wire.h"

_Static_assert(SB_SBT_SLACK >= 2 + SB_MAX_SLOTS * (SB_WIRE_TEXT_MAX + 1) / 2 && SB_SBT_SLACK >= 600,
               "see above");

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
    if (sb_sbt_unpack_body(out, body, b))
        return out;
    free(out);
    return NULL;
}

/* ---- the parts of a record: each is read at p; the result is the start of the next part */

/* Rare cases are noinline functions. They return both values in registers, so the hot path keeps its
 * values there too. */
struct got {
    const uint8_t *next;
    uint64_t v;
};

/* Reads a varint of three or more bytes. */
static __attribute__((noinline)) struct got
get_long_varint(const uint8_t *p)
{
    uint64_t v = (p[0] & 0x7f) | (uint64_t)(p[1] & 0x7f) << 7;
    p += 2;
    for (unsigned shift = 14; shift < 64; shift += 7) {
        v |= (uint64_t)(*p & 0x7f) << shift;
        if (*p++ < 0x80)
            break;
    }
    return (struct got){p, v};
}

static inline const uint8_t *
get_varint(const uint8_t *p, uint64_t *v)
{
    *v = p[0];
    if (p[0] < 0x80)
        return p + 1;
    if (p[1] >= 0x80) {
        struct got got = get_long_varint(p);
        *v = got.v;
        return got.next;
    }
    *v = (*v & 0x7f) | (uint64_t)p[1] << 7;
    return p + 2;
}

static inline const uint8_t *
get_id(const uint8_t *p, const struct sb_sbt_ids *ids, uint64_t *v)
{
    p = get_varint(p, v);
    *v = *v < ids->n ? ids->at[*v] : 0;
    return p;
}

static inline const uint8_t *
get_hash(const uint8_t *p, uint64_t *v)
{
    *v = p[0] | (uint64_t)p[1] << 8;
    return p + 2;
}

static const uint8_t *
get_node(const struct sb_sbt_reader *r, const uint8_t *p, uint64_t *wire, unsigned *ours)
{
    p = get_varint(p, wire);
    *ours = *wire < r->node.n ? r->node.at[*wire] : 0;
    return p;
}

/* The actors that were read last, by sb_wire_place of the encoded actor, already translated to the
 * reader's ids. */
struct recent {
    sb_actor at[SB_WIRE_RECENT];
};

/* Reads any actor but a local pid with serial 0. The slot in `recent` depends on the encoded numbers, not
 * on the translated ones. */
static __attribute__((noinline)) struct got
get_far_actor(const struct sb_sbt_reader *r, struct recent *recent, unsigned tag, const uint8_t *p)
{
    uint64_t node = 0, number, serial;
    unsigned ours = 0;
    sb_actor wire = 0, a = 0;
    if (tag == SB_WIRE_NAME) {
        p = get_node(r, p, &node, &ours);
        p = get_varint(p, &number);
        uint32_t id = number < r->atom.n ? r->atom.at[number] : 0;
        wire = (uint64_t)SB_NAMED << 62 | (node & (SB_ACTOR_NODES - 1)) << 52 | (number & 0xfffffffffffffu);
        a = id ? (uint64_t)SB_NAMED << 62 | (uint64_t)ours << 52 | id : 0;
    } else if (tag > SB_WIRE_PID && tag <= SB_WIRE_FAR_PORT) {
        enum sb_actor_kind kind = tag == SB_WIRE_PORT || tag == SB_WIRE_FAR_PORT ? SB_PORT : SB_PID;
        if (tag >= SB_WIRE_FAR_PID)
            p = get_node(r, p, &node, &ours);
        p = get_varint(p, &number);
        p = get_varint(p, &serial);
        wire = sb_actor_make(kind, (unsigned)node, serial, number);
        a = sb_actor_make(kind, ours, serial, number);
    }
    recent->at[sb_wire_place(wire)] = a;
    return (struct got){p, a};
}

static inline const uint8_t *
get_actor(const struct sb_sbt_reader *r, struct recent *recent, const uint8_t *p, sb_actor *a)
{
    unsigned tag = *p++;
    if (tag < SB_WIRE_RECENT) {
        *a = recent->at[tag];
        return p;
    }
    if (tag != SB_WIRE_PID) {
        struct got got = get_far_actor(r, recent, tag, p);
        *a = got.v;
        return got.next;
    }
    uint64_t number;
    p = get_varint(p, &number);
    *a = recent->at[sb_wire_place(sb_actor_make(SB_PID, 0, 0, number))] = sb_actor_make(SB_PID, 0, 0, number);
    return p;
}

static const uint8_t *
get_text(const struct sb_sbt_reader *r, const uint8_t *p, uint64_t *v)
{
    struct sb_str s = {(const char *)p + 1, *p};
    *v = s.n ? sb_names_text(r->source->names, s) : 0;
    return p + 1 + s.n;
}

/* The ids for the slot of `in` and `out`: functions for a process, atoms (commands) for a port. */
static inline const struct sb_sbt_ids *
places_of(const struct sb_sbt_reader *r, sb_actor who)
{
    return sb_actor_kind(who) == SB_PORT ? &r->atom : &r->mfa;
}

/* Reads one slot of a kind that has no code of its own in get_body. */
static const uint8_t *
get_slot(const struct sb_sbt_reader *r, struct recent *recent, const struct sb_slot *slot, const uint8_t *p,
         struct sb_event *ev)
{
    uint64_t v = 0;
    switch (slot->type) {
    case SB_SLOT_PID:
        p = get_actor(r, recent, p, &v);
        break;
    case SB_SLOT_MFA:
        p = get_id(p, places_of(r, ev->who), &v);
        break;
    case SB_SLOT_ATOM:
        p = get_id(p, &r->atom, &v);
        break;
    case SB_SLOT_TEXT:
        p = slot->size ? get_text(r, p, &v) : p + 1 + *p;
        break;
    case SB_SLOT_U:
        p = get_varint(p, &v);
        v--;
        break;
    case SB_SLOT_NUM:
        p = get_varint(p, &v);
        break;
    case SB_SLOT_I:
        p = get_varint(p, &v);
        v = (uint64_t)sb_unzigzag(v);
        break;
    case SB_SLOT_HEX:
        p = get_hash(p, &v);
        break;
    }
    if (slot->size)
        sb_slot_set(slot, ev, v);
    return p;
}

static __attribute__((noinline)) const uint8_t *
get_slots(const struct sb_sbt_reader *r, struct recent *recent, const struct sb_sbt_row *row,
          const uint8_t *p, struct sb_event *ev)
{
    struct sb_event fresh = sb_event_of(row->kind);
    fresh.at_ns = ev->at_ns;
    fresh.who = ev->who;
    fresh.lane = ev->lane;
    fresh.flags = ev->flags;
    *ev = fresh;
    for (unsigned i = 0; i < row->n_slots; i++)
        p = get_slot(r, recent, &row->slot[i], p, ev);
    if (row->kind == SB_EV_unknown)
        ev->unknown.tag = row->tag;
    return p;
}

/* Reads the slots of a record: frequent kinds by hand, the others by their row. */
static inline const uint8_t *
get_body(const struct sb_sbt_reader *r, struct recent *recent, const struct sb_sbt_row *row, const uint8_t *p,
         struct sb_event *ev)
{
    uint64_t v;
    switch (row->kind) {
    case SB_EV_call:
    case SB_EV_return_to:
        p = get_id(p, &r->mfa, &v);
        ev->call.mfa = (uint32_t)v;
        return p;
    case SB_EV_in:
    case SB_EV_out:
        p = get_id(p, places_of(r, ev->who), &v);
        ev->running.mfa = (uint32_t)v;
        return p;
    case SB_EV_send:
        p = get_actor(r, recent, p, &ev->send.to);
        p = get_varint(p, &v);
        ev->send.words = v - 1;
        ev->send.ext = SB_UNKNOWN;
        return get_hash(p, &ev->send.hash);
    case SB_EV_receive:
        if (ev->flags & SB_WIRE_PEER) {
            p = get_actor(r, recent, p, &ev->receive.down);
            ev->receive.asks = (ev->flags & SB_WIRE_ASKS) >> SB_WIRE_ASKS_SHIFT;
            ev->flags &= (uint8_t) ~(SB_WIRE_PEER | SB_WIRE_ASKS);
        }
        ev->receive.words = ev->receive.ext = SB_UNKNOWN;
        return get_hash(p, &ev->receive.hash);
    default:
        return get_slots(r, recent, row, p, ev);
    }
}

/* Grows the output and returns the place of the next event. */
static __attribute__((noinline)) struct sb_event *
make_room(struct sb_events *out, const struct sb_event *ev)
{
    out->n = (size_t)(ev - out->at);
    SB_RESERVE(out, 1);
    return out->at + out->n;
}

/* Decodes the records of one block. Returns the number of bytes at its end that could not be decoded. */
static uint64_t
decode_records(const struct sb_sbt_reader *r, const uint8_t *p, const uint8_t *end, int64_t base_ns,
               sb_lane lane, struct sb_events *out)
{
    struct recent recent = {0};
    struct sb_event *ev = out->at + out->n;
    const uint8_t *read = p; /* end of the last whole record */
    uint64_t tick = (uint64_t)base_ns >> SB_WIRE_TICK_SHIFT, passed;
    sb_actor who = 0;
    for (; read < end; read = p, ev++) {
        unsigned first = *p++;
        const struct sb_sbt_row *row = &r->row[first & SB_WIRE_KIND];
        if (row->kind == SB_EV_none)
            break;
        p = get_varint(p, &passed);
        tick += passed;
        if (!(first & SB_WIRE_SAME))
            p = get_actor(r, &recent, p, &who);
        if (ev == out->at + out->cap)
            ev = make_room(out, ev);
        *ev = (struct sb_event){
            .at_ns = (int64_t)(tick << SB_WIRE_TICK_SHIFT), .who = who, .lane = lane, .kind = row->kind};
        if (first & SB_WIRE_FLAGS)
            ev->flags = *p++;
        p = get_body(r, &recent, row, p, ev);
        if (p > end)
            break;
    }
    out->n = (size_t)(ev - out->at);
    return (uint64_t)(end - read);
}

/* ---- blocks */

static void
add_drop(struct sb_events *out, int64_t from, int64_t until, unsigned cls, uint64_t events, sb_lane lane)
{
    struct sb_event ev = {.kind = SB_EV_drop, .at_ns = from, .lane = lane};
    ev.drop.events = events;
    ev.drop.class = cls;
    ev.drop.until = until > from ? (uint64_t)(until - from) : 0;
    *SB_PUSH(out) = ev;
}

/* Removes the events from `first` on, except for the last `n`. */
static void
keep_last(struct sb_events *out, size_t first, size_t n)
{
    size_t all = out->n - first;
    if (n >= all)
        return;
    memmove(out->at + first, out->at + out->n - n, n * sizeof *out->at);
    out->n = first + n;
}

void
sb_sbt_decode_events(struct sb_sbt_reader *r, const struct sb_block *where, const struct sb_sbt_block *b,
                     const uint8_t *p, struct sb_events *out)
{
    struct sb_sbt_prefix pre;
    if (b->raw < sizeof pre) {
        sb_source_damaged(r->source, 0, where->at_byte, where->size, "a block without its prefix");
        return;
    }
    memcpy(&pre, p, sizeof pre);
    int64_t until_ns = pre.base_ns < r->until_ns ? pre.base_ns : r->until_ns;
    for (unsigned i = 0; i < SB_CLASSES; i++)
        if (pre.dropped[i] && !b->again) {
            add_drop(out, pre.gap_from_ns, until_ns, i, pre.dropped[i], b->lane);
            if (!r->has_trailer)
                sb_source_lost(r->source, (enum sb_class)i, pre.dropped[i]);
        }
    SB_RESERVE(out, b->events < b->raw ? b->events : b->raw);
    size_t before = out->n;
    uint64_t left = decode_records(r, p + sizeof pre, p + b->raw, pre.base_ns, b->lane, out);
    if (b->again)
        keep_last(out, before, b->events);
    while (out->n > before && out->at[out->n - 1].at_ns >= r->until_ns) /* they are in the order of time */
        out->n--;
    if (left)
        sb_source_damaged(r->source, 0, where->at_byte, left, "bad record in a block of events");
}

/* Decodes the trailer: drops that happened after the last chunk of a ring. */
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
        sb_source_damaged(s, 0, where->at_byte, where->size, "a block with a wrong checksum");
        return;
    }
    if (b.type == SB_SBT_EVENTS)
        sb_sbt_decode_events(r, where, &b, p, out);
    else
        decode_gaps(&b, p, out);
    free(p);
    if (where->at_byte < r->n)
        sb_source_done_with(s, where);
}
