/*
 * Notes in order of their pairs, those of a pair one behind the other, to be added up. They stay where they are; a key
 * holds the address of each.
 */
#ifndef SB_ENGINE_EDGE_ORDER_H
#define SB_ENGINE_EDGE_ORDER_H
#include "base/sort.h"
#include "engine/edge.h"

struct sb_edge_order {
    SB_VEC(struct sb_sort_key) key; /* pair; address, and whether it is an edge's */
    SB_VEC(struct sb_sort_key) scratch;
};
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
const struct sb_talk *sb_edge_order_talk(const struct sb_edge_order *o, size_t i);
/* and what the notes of a pair come to. */
struct sb_edge sb_edge_order_sum(const struct sb_edge_order *o, size_t i, size_t end);

#endif
