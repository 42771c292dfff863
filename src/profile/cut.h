/*
 * Which rows of a window belong to a segment that becomes full in it. Runs of rows are in order of time, so
 * it is the front of each; what is left of a run is the next segment's.
 *
 *     run     |======|---|            time -->
 *     run   |====|-------|            = is taken, - stays
 *     run         |==|-|
 *                    ^ the row that fills the segment
 */
#ifndef SB_PROFILE_CUT_H
#define SB_PROFILE_CUT_H
#include "profile/segment.h"

struct sb_cut {
    SB_VEC(uint64_t) time; /* of all rows that are not settled, biased */
    SB_VEC(uint64_t) some; /* of those around a moment that was asked for */
    SB_VEC(uint64_t) scratch;
    size_t asked;  /* 1 + the row whose time was asked for last, 0: none was */
    uint64_t told; /* its time */
    SB_VEC(struct sb_sort_key) moment, moment_scratch; /* rows of the moment that is cut; key: who */
};

void sb_cut_begin(struct sb_cut *c, struct sb_rows *const *list, size_t n_lists);
uint64_t sb_cut_time(struct sb_cut *c, size_t i); /* biased; of the row that is that one in the order of time */
/* Settled rows and as many others, up to the one that is `last` in the order of time, go from their runs into
   the segment; or all, where `last` is behind the end. */
void sb_cut_take(struct sb_cut *c, struct sb_segment *s, size_t n_lists, size_t last, size_t others);
void sb_cut_close(struct sb_cut *c);

#endif
