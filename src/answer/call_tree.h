/*
 * Merged call trees: the calling-context trees of many processes, with equal paths as one node. From it come
 * the trees above and below one function (a sandwich). If no calls were traced, the tree is built from
 * sampled stacks, and its values are samples instead of nanoseconds; so it is from samples of the CPU where the filter
 * asks for these. `run` is computed here, over the whole tree: who leaves nodes out adds up what it leaves out. Use
 * from one thread at a time.
 */
#pragma once
#include "base/intern.h"
#include "base/map.h"
#include "base/vec.h"
#include "profile/range.h"

struct sb_call {
    uint32_t parent; /* index; the root, 0, is its own */
    uint32_t name;   /* in `names` */
    uint32_t depth;
    int64_t calls, own;
    int64_t acc; /* own and that of the nodes below */
    int64_t run; /* of that, without the time in `suspend` */
    int64_t recursive, tail, first_ns, last_ns;
};

struct sb_call_tree {
    SB_VEC(struct sb_call) v; /* parents before children; at[0] is the root of all */
    struct sb_map child;      /* parent and name to index */
    struct sb_intern names;
    bool sampled;
};

struct sb_call_filter {
    struct sb_range range;     /* calls whose time from first to last is in it; samples of the CPU in it */
    const struct sb_map *only; /* only these processes; empty: all */
    bool cpu;                  /* samples of the CPU instead of what was recorded of calls */
};

bool sb_call_filter_has(const struct sb_call_filter *f, int64_t process);

void sb_call_tree_open(struct sb_call_tree *t);
void sb_call_tree_close(struct sb_call_tree *t);
void sb_call_tree_read(struct sb_call_tree *t, const struct sb_profile *p, const struct sb_call_filter *f);
/* whether no caller of the node is the same function: the times of such nodes are those of their functions */
bool sb_call_tree_outermost(const struct sb_call_tree *t, uint32_t at);
/* the callees of `name`, with its outermost occurrences merged; `to` must be open and empty */
void sb_call_tree_below(const struct sb_call_tree *t, struct sb_str name, struct sb_call_tree *to);
void sb_call_tree_above(const struct sb_call_tree *t, struct sb_str name, struct sb_call_tree *to);
/* each function with the time in itself, and below it who called it: with the part of that time */
void sb_call_tree_inverted(const struct sb_call_tree *t, struct sb_call_tree *to);
