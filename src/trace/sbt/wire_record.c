#include "trace/sbt/wire_record.h"
#include "base/err.h"

void
sb_wire_begin(struct sb_wire_state *s, int64_t base_ns)
{
    *s = (struct sb_wire_state){.tick = (uint64_t)base_ns >> SB_WIRE_TICK_SHIFT};
}

/* ---- reading: each part returns false when it does not end before `end` */

static bool
get_actor(struct sb_wire_state *s, const uint8_t **p, const uint8_t *end, sb_actor *a)
{
    uint64_t node = 0, number = 0, serial = 0;
    if (*p == end)
        return false;
    unsigned tag = *(*p)++;
    if (tag < SB_WIRE_RECENT) {
        *a = s->recent[tag];
        return true;
    }
    if (tag > SB_WIRE_FAR_PORT)
        return false;
    bool far = tag >= SB_WIRE_FAR_PID || tag == SB_WIRE_NAME;
    if ((far && !sb_varint_get(p, end, &node)) ||
        (tag != SB_WIRE_NOBODY && !sb_varint_get(p, end, &number)) ||
        (tag != SB_WIRE_NOBODY && tag != SB_WIRE_PID && tag != SB_WIRE_NAME &&
         !sb_varint_get(p, end, &serial)))
        return false;
    enum sb_actor_kind kind = tag == SB_WIRE_PORT || tag == SB_WIRE_FAR_PORT ? SB_PORT : SB_PID;
    *a = tag == SB_WIRE_NOBODY ? 0
         : tag == SB_WIRE_NAME
             ? (uint64_t)SB_NAMED << 62 | (node & (SB_ACTOR_NODES - 1)) << 52 | (number & 0xfffffffffffffu)
             : sb_actor_make(kind, (unsigned)node, serial, number);
    s->recent[sb_wire_place(*a)] = *a;
    return true;
}

static bool
get_slot(struct sb_wire_state *s, const uint8_t **p, const uint8_t *end, const struct sb_slot *slot,
         struct sb_wire_record *r)
{
    uint64_t v = 0;
    switch (slot->type) {
    case SB_SLOT_PID:
        if (!get_actor(s, p, end, &v))
            return false;
        break;
    case SB_SLOT_TEXT:
        r->text = *p;
        if (*p == end || (size_t)(end - *p) < 1u + **p)
            return false;
        *p += 1u + **p;
        return true;
    case SB_SLOT_HEX:
        if (end - *p < 2)
            return false;
        v = (*p)[0] | (uint64_t)(*p)[1] << 8;
        *p += 2;
        break;
    default:
        SB_TRY(sb_varint_get(p, end, &v));
        v = slot->type == SB_SLOT_U ? v - 1 : slot->type == SB_SLOT_I ? (uint64_t)sb_unzigzag(v) : v;
    }
    sb_slot_set(slot, &r->ev, v);
    return true;
}

static bool
get_head(struct sb_wire_state *s, const uint8_t **p, const uint8_t *end, struct sb_wire_record *r)
{
    uint64_t passed;
    if (*p == end)
        return false;
    unsigned first = *(*p)++, kind = first & SB_WIRE_KIND;
    if (kind == SB_EV_none || kind >= SB_EVENT_KINDS || !sb_varint_get(p, end, &passed))
        return false;
    s->tick += passed;
    if (!(first & SB_WIRE_SAME) && !get_actor(s, p, end, &s->who))
        return false;
    *r = (struct sb_wire_record){.ev = sb_event_of((enum sb_event_kind)kind)};
    r->ev.at_ns = (int64_t)(s->tick << SB_WIRE_TICK_SHIFT);
    r->ev.who = s->who;
    if (!(first & SB_WIRE_FLAGS))
        return true;
    if (*p == end)
        return false;
    r->ev.flags = *(*p)++;
    return true;
}

const uint8_t *
sb_wire_read(struct sb_wire_state *s, const uint8_t *p, const uint8_t *end, struct sb_wire_record *r)
{
    if (!get_head(s, &p, end, r))
        return NULL;
    const struct sb_kind *k = &sb_kinds[r->ev.kind];
    if (r->ev.kind == SB_EV_receive && r->ev.flags & SB_WIRE_PEER && !get_actor(s, &p, end, &r->ev.peer))
        return NULL;
    for (unsigned i = 0; i < k->n_slots; i++)
        if (!k->slot[i].otp_only && !get_slot(s, &p, end, &k->slot[i], r))
            return NULL;
    return p;
}

/* ---- writing */

static uint8_t *
put_slot(struct sb_wire_state *s, uint8_t *p, const struct sb_slot *slot, const struct sb_wire_record *r)
{
    if (slot->type == SB_SLOT_TEXT)
        return sb_wire_put_text(p, r->text ? (const char *)r->text + 1 : "", r->text ? *r->text : 0);
    uint64_t v = sb_slot_get(slot, &r->ev);
    switch (slot->type) {
    case SB_SLOT_PID:
        return sb_wire_put_actor(p, s->recent, v);
    case SB_SLOT_HEX:
        return sb_wire_put_hex(p, v);
    case SB_SLOT_U:
        return sb_wire_put_u(p, v);
    case SB_SLOT_I:
        return sb_varint_put(p, sb_zigzag((int64_t)v));
    default:
        return sb_varint_put(p, v);
    }
}

uint8_t *
sb_wire_write(struct sb_wire_state *s, uint8_t *p, const struct sb_wire_record *r)
{
    const struct sb_event *ev = &r->ev;
    const struct sb_kind *k = &sb_kinds[ev->kind];
    uint64_t tick = (uint64_t)ev->at_ns >> SB_WIRE_TICK_SHIFT;
    bool same = ev->who == s->who;
    *p++ = (uint8_t)(ev->kind | (same ? SB_WIRE_SAME : 0u) | (ev->flags ? SB_WIRE_FLAGS : 0u));
    p = sb_varint_put(p, tick - s->tick);
    s->tick = tick;
    if (!same)
        p = sb_wire_put_actor(p, s->recent, s->who = ev->who);
    if (ev->flags)
        *p++ = ev->flags;
    if (ev->kind == SB_EV_receive && ev->flags & SB_WIRE_PEER)
        p = sb_wire_put_actor(p, s->recent, ev->peer);
    for (unsigned i = 0; i < k->n_slots; i++)
        if (!k->slot[i].otp_only)
            p = put_slot(s, p, &k->slot[i], r);
    return p;
}
