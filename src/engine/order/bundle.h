/*
 * A part's items of a window as the passes want them: process by process, each in the order of time. They
 * come in runs, one for each block and in the order of time; so within a process few are out of place.
 *
 *     came:  b a a c | a b | a c a        put:  b b | a a a a a | c c
 */
#ifndef SB_ENGINE_BUNDLE_H
#define SB_ENGINE_BUNDLE_H
#include "engine/state/part.h"

struct sb_bundler { /* what one worker needs for it; starts zeroed */
    struct sb_items spare;
    SB_VEC(uint32_t) of_item;    /* index of its bundle */
    SB_VEC(uint32_t) of_process; /* 1 + that; 0 of all between two uses */
};

/* x->window, and x->bundles to say whose is what. Adds who is new to the part. What goes on behind `until` is
 * cut off. */
void sb_bundle_window(struct sb_part *x, struct sb_bundler *b, int64_t until);
void sb_bundler_close(struct sb_bundler *b);

#endif
