/*
 * The operations on a process's stack of calls and its tree, from which calltree.c builds its handling of
 * events.
 */
#pragma once
#include "engine/pass/call_state.h"

/* whether it was called in this process */
bool sb_call_is_traced(const struct sb_calltree *t, uint32_t name);
uint32_t sb_call_root(struct sb_calltree *t, uint32_t name); /* the node of the code below all frames */

/* Charges the time up to `at` to the running frame. */
void sb_call_charge(struct sb_calltree *t, int64_t at);
/* The running function calls `fn`, which returns to `under` if that is untraced code. `tail`: a tail call
 * is certain. */
void sb_call_push(struct sb_calltree *t, int64_t at, uint32_t fn, uint32_t under, bool tail);
/* Makes the code below all frames a frame: it is a traced function whose call was not seen. */
void sb_call_push_bottom(struct sb_calltree *t, int64_t at);
void sb_call_push_pseudo(struct sb_calltree *t, int64_t at, uint32_t fn);
struct sb_call_rest { /* what stays of a stack */
    size_t keep;      /* number of frames */
    uint32_t repeats; /* number of recursive calls of the last of them */
};

/* Removes the frames from `keep` on; the frame below them continues, or the code `to`. */
void sb_call_leave(struct sb_calltree *t, int64_t at, size_t keep, uint32_t to, bool mark_tails);
/* Control is back in frame `i`: the frames above it ended. */
void sb_call_back_in(struct sb_calltree *t, int64_t at, size_t i, bool mark_tails);

/* Reduces the recursive calls of the running frame to `n`. */
void sb_call_keep_repeats(struct sb_calltree *t, int64_t at, uint32_t n);

/* Returns the topmost frame of this function below `end`, or SIZE_MAX. */
size_t sb_call_find(const struct sb_calltree *t, uint32_t name, size_t end);
/* Returns the first of the frames that return together with the top one, as far as is known. */
size_t sb_call_level(const struct sb_calltree *t);

static inline uint32_t
sb_call_name(const struct sb_calltree *t, size_t frame)
{
    return t->node.at[t->frame.at[frame].node].fn;
}
