/*
 * Sorts notes by pair, so that those of one pair are adjacent and can be added up. The notes stay in place;
 * each key holds the address of one.
 */
#pragma once
#include "base/sort.h"
#include "engine/state/edge.h"

enum { SB_AN_EDGE = 1, SB_EDGES_AHEAD = 8 /* prefetch distance, in notes */ };

struct sb_edge_order {
    unsigned bits; /* of a process id */
    /* key: the pair, in as few bits as possible; value: address, plus SB_AN_EDGE for an edge */
    SB_VEC(struct sb_sort_key) key;
    SB_VEC(struct sb_sort_key) scratch;
};
void sb_edge_order_begin(struct sb_edge_order *o, uint32_t most); /* `most`: the largest process id */
void sb_edge_order_add(struct sb_edge_order *o, const struct sb_edge_notes *v);
void sb_edge_order_sort(struct sb_edge_order *o); /* sorts all notes added so far */
void sb_edge_order_close(struct sb_edge_order *o);

/* Returns the index after the last note of the same pair as note i. */
static inline size_t
sb_edge_order_end(const struct sb_edge_order *o, size_t i)
{
    uint64_t pair = o->key.at[i].key;
    while (++i < o->key.n && o->key.at[i].key == pair) {
    }
    return i;
}
/* Returns note i if it is a message, NULL if it is an edge. */
static inline const struct sb_talk *
sb_edge_order_talk(const struct sb_edge_order *o, size_t i)
{
    uint64_t at = o->key.at[i].value;
    if (i + SB_EDGES_AHEAD < o->key.n)
        __builtin_prefetch((const void *)(uintptr_t)o->key.at[i + SB_EDGES_AHEAD].value);
    return at & SB_AN_EDGE ? NULL : (const struct sb_talk *)(uintptr_t)at;
}
/* Returns note i as an edge. */
static inline struct sb_edge
sb_edge_order_edge(const struct sb_edge_order *o, size_t i)
{
    const struct sb_talk *t = sb_edge_order_talk(o, i);
    return t ? sb_edge_of(t) : *(const struct sb_edge *)(uintptr_t)(o->key.at[i].value - SB_AN_EDGE);
}
/* Returns the sum of notes i to end - 1. */
static inline struct sb_edge
sb_edge_order_sum(const struct sb_edge_order *o, size_t i, size_t end)
{
    struct sb_edge sum = sb_edge_order_edge(o, i);
    while (++i < end) {
        struct sb_edge e = sb_edge_order_edge(o, i);
        sb_edge_add(&sum, &e);
    }
    return sum;
}
