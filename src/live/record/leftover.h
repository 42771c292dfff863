/*
 * Folders `strobe-PID-...` that killed recordings left in shared memory and in the folders for temporary files: those
 * of this user whose maker is gone and whose rings no node and no drain uses. And what a killed export left beside a
 * dataset (export/dataset.h).
 */
#pragma once
#include "base/vec.h"

struct sb_leftover {
    struct sb_str path;
    uint64_t bytes;
    bool
        unread; /* it holds events that no trace holds, which readers of their trace join; or a partition that is not
                  * in its dataset */
    bool beside_dataset;
    SB_VEC(struct sb_str) traces; /* of such events; empty: unknown which */
};
struct sb_leftovers {
    SB_VEC(struct sb_leftover) of; /* by path */
};

void sb_leftovers_find(struct sb_leftovers *l, struct sb_arena *a); /* texts live as long as the arena */
/* Adds what is beside a dataset. */
void sb_leftovers_find_beside(struct sb_leftovers *l, const char *dataset, struct sb_arena *a);
void sb_leftovers_close(struct sb_leftovers *l);
/* Removes the folder with everything in it, unless it has come into use since; false: some of it is left. */
bool sb_leftover_remove(const struct sb_leftover *l);
