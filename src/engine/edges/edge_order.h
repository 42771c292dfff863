/*
 * Notes in order of their pairs, those of a pair one behind the other, to be added up. They stay where they
 * are; a key holds the address of each.
 */
#ifndef SB_ENGINE_EDGE_ORDER_H
#define SB_ENGINE_EDGE_ORDER_H
#include "base/sort.h"
#include "engine/state/edge.h"

enum { SB_AN_EDGE = 1, SB_EDGES_AHEAD = 8 /* notes that are fetched before they are looked at */ };

struct sb_edge_order {
    unsigned bits;                  /* of an id */
    SB_VEC(struct sb_sort_key) key; /* pair, in as few bits; address, and SB_AN_EDGE if it is one */
    SB_VEC(struct sb_sort_key) scratch;
};
void sb_edge_order_begin(struct sb_edge_order *o, uint32_t most); /* ids are not above */
void sb_edge_order_add(struct sb_edge_order *o, const struct sb_edge_notes *v);
void sb_edge_order_sort(struct sb_edge_order *o); /* all that were added */
void sb_edge_order_close(struct sb_edge_order *o);

/* Where the notes end that are of the same pair as note i, */
static inline size_t
sb_edge_order_end(const struct sb_edge_order *o, size_t i)
{
    uint64_t pair = o->key.at[i].key;
    while (++i < o->key.n && o->key.at[i].key == pair) {
    }
    return i;
}
/* the message that a note is of, NULL when it is an edge, */
static inline const struct sb_talk *
sb_edge_order_talk(const struct sb_edge_order *o, size_t i)
{
    uint64_t at = o->key.at[i].value;
    if (i + SB_EDGES_AHEAD < o->key.n)
        __builtin_prefetch((const void *)(uintptr_t)o->key.at[i + SB_EDGES_AHEAD].value);
    return at & SB_AN_EDGE ? NULL : (const struct sb_talk *)(uintptr_t)at;
}
/* what it comes to, */
static inline struct sb_edge
sb_edge_order_edge(const struct sb_edge_order *o, size_t i)
{
    const struct sb_talk *t = sb_edge_order_talk(o, i);
    return t ? sb_edge_of(t) : *(const struct sb_edge *)(uintptr_t)(o->key.at[i].value - SB_AN_EDGE);
}
/* and what all up to `end` do. */
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

#endif
