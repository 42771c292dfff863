/*
 * The stack of calls of a process and the tree below it: what calltree.c does with an event is said in these.
 */
#ifndef SB_ENGINE_CALL_STACK_H
#define SB_ENGINE_CALL_STACK_H
#include "engine/pass/call_state.h"

uint32_t sb_call_function_of(struct sb_calltree *t, uint32_t name);
bool sb_call_is_traced(const struct sb_calltree *t, uint32_t name); /* it was called in this process */
uint32_t sb_call_root(struct sb_calltree *t, uint32_t name); /* the node of the code below all frames */

/* time goes by up to `at` */
void sb_call_charge(struct sb_calltree *t, int64_t at);
/* What runs calls `fn`, which returns to `under` where that is not traced. `tail`: it is known to return
 * where what runs does. */
void sb_call_push(struct sb_calltree *t, int64_t at, uint32_t fn, uint32_t under, bool tail);
/* The code below all frames is a traced function that was called unseen: from now on it is a frame. */
void sb_call_push_bottom(struct sb_calltree *t, int64_t at);
void sb_call_push_pseudo(struct sb_calltree *t, int64_t at, uint32_t fn);
struct sb_call_rest { /* what stays of a stack */
    size_t keep;      /* frames */
    uint32_t repeats; /* and of the last of them so many calls of itself */
};

/* Leaves the frames from `keep` on; the one below them runs, or the code `to`. */
void sb_call_leave(struct sb_calltree *t, int64_t at, size_t keep, uint32_t to, bool mark_tails);
/* Control is back in frame `i`, one of those above it ended. */
void sb_call_back_in(struct sb_calltree *t, int64_t at, size_t i, bool mark_tails);

/* Of the frame that runs so many calls of itself stay. */
void sb_call_keep_repeats(struct sb_calltree *t, int64_t at, uint32_t n);

/* Of the frames below `end` the topmost of this function, SIZE_MAX: none. */
size_t sb_call_find(const struct sb_calltree *t, uint32_t name, size_t end);
/* the first frame of those that return together with the top one, as far as is told */
size_t sb_call_level(const struct sb_calltree *t);

static inline uint32_t
sb_call_name(const struct sb_calltree *t, size_t frame)
{
    return t->node.at[t->frame.at[frame].node].fn;
}

#endif
