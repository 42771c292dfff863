/* Writes events as a drain does: by the rings of schedulers, with facts about functions in between. */
#pragma once
#include "drain_blocks.h"
#include "engine_traces.h"
#include "trace/kind.h"

enum { EACH = 40 };
static const int64_t OPEN_NS = 1000000000;

static inline void
flush(struct writer *w, struct ring *r)
{
    if (r->open.n == 0)
        return;
    put_dict(w);
    int64_t first = r->open.at[0].at_ns, latest = r->open.at[r->open.n - 1].at_ns;
    struct sb_sbt_prefix prefix = {.base_ns = first, .gap_from_ns = SB_AT_UNKNOWN};
    bool drops = w->drops && dice(40) == 0;
    if (drops) {
        prefix.gap_from_ns = first - 8;
        prefix.dropped[SB_RUNNING] = 3;
    }
    put_block(w,
              (struct sb_sbt_block){.lane = r->lane,
                                    .ring = (uint16_t)(r - w->ring),
                                    .number = r->chunks++,
                                    .first_ns = drops ? first - 8 : first,
                                    .last_ns = latest},
              prefix, r->open.at, r->open.n);
    r->open.n = 0;
}

/* States all functions that the dictionary has by now. */
static inline void
put_facts(struct writer *w)
{
    SB_VEC(struct sb_event) facts = {0};
    put_dict(w);
    for (; w->stated < w->functions; w->stated++) {
        uint32_t *kind = sb_map_get(&w->waits, w->function.at[w->stated]);
        struct sb_event ev = sb_event_of(SB_EV_waits);
        ev.at_ns = w->start_ns;
        ev.waits.mfa = w->stated + 1;
        ev.waits.kind = kind ? *kind - 1 : 0;
        if (kind)
            *SB_PUSH(&facts) = ev;
    }
    if (facts.n > 0)
        put_block(w,
                  (struct sb_sbt_block){.lane = SB_LANE_NONE,
                                        .ring = LANES,
                                        .number = w->fact_blocks++,
                                        .first_ns = 0,
                                        .last_ns = w->start_ns},
                  (struct sb_sbt_prefix){.base_ns = w->start_ns, .gap_from_ns = SB_AT_UNKNOWN}, facts.at,
                  facts.n);
    SB_VEC_FREE(&facts);
    put_entry(w, (struct sb_dict_entry){.kind = SB_DICT_STATED, .a = w->stated}, NULL, 0);
    put_dict(w);
}

static inline struct ring *
ring_of(struct writer *w, sb_lane lane)
{
    for (unsigned i = 0; i < w->n_rings; i++)
        if (w->ring[i].lane == lane)
            return &w->ring[i];
    assert_true(w->n_rings < LANES);
    w->ring[w->n_rings].lane = lane;
    return &w->ring[w->n_rings++];
}

static inline void
translate(struct writer *w, struct sb_event *ev)
{
    const struct sb_kind *k = &sb_kinds[ev->kind];
    for (unsigned i = 0; i < k->n_slots; i++)
        if (sb_slot_is_name(&k->slot[i]))
            sb_slot_set(&k->slot[i], ev, dict_id(w, (uint32_t)sb_slot_get(&k->slot[i], ev)));
    if (sb_actor_kind(ev->peer) == SB_NAMED && ev->peer)
        ev->peer = sb_actor_make(SB_NAMED, 0, 0, 0) | dict_id(w, (uint32_t)ev->peer);
    ev->flags &= SB_EVF_TIMEOUT | SB_EVF_AT_LEAST | SB_EVF_HAS_CP;
}

static inline void
put_event(struct writer *w, struct sb_event ev)
{
    for (unsigned i = 0; i < w->n_rings; i++)
        if (w->ring[i].open.n > 0 && w->ring[i].open.at[0].at_ns <= ev.at_ns - OPEN_NS)
            flush(w, &w->ring[i]);
    if (w->stated_ns <= ev.at_ns - OPEN_NS && !w->states_late) {
        put_facts(w);
        w->stated_ns = ev.at_ns;
    }
    struct ring *r = ring_of(w, ev.lane);
    translate(w, &ev);
    *SB_PUSH(&r->open) = ev;
    if (dice(EACH) == 0 || r->open.n > 2 * EACH)
        flush(w, r);
    if (dice(2 * EACH) == 0 && !w->states_late)
        put_facts(w);
}
