/*
 * Sorts a part's items of a window for the passes: by process, each in time order. Items arrive in runs, one
 * per block, which are in time order themselves, so within a process few are out of place.
 *
 *     arrived:  b a a c | a b | a c a        sorted:  b b | a a a a a | c c
 */
#pragma once
#include "engine/state/part.h"

struct sb_bundler { /* one worker's scratch memory; starts zeroed */
    struct sb_items spare;
    SB_VEC(uint32_t) of_item;    /* index of the item's bundle */
    SB_VEC(uint32_t) of_process; /* 1 + index of the process's bundle; all 0 between two uses */
};

/* Sorts x->items.window, fills x->items.bundles, and adds new processes to the part. Runs that reach beyond `until`
 * are cut there. */
void sb_bundle_window(struct sb_part *x, struct sb_bundler *b, int64_t until);
void sb_bundler_close(struct sb_bundler *b);
