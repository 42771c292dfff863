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
    SB_VEC(uint64_t) time; /* of all rows that are not settled, biased, in order */
    SB_VEC(uint64_t) scratch;
    SB_VEC(struct sb_sort_key) moment, moment_scratch; /* rows of the moment that is cut; key: who */
};

void sb_cut_begin(struct sb_cut *c, struct sb_rows *const *list, size_t n_lists);
/* Settled rows and as many others, up to the one that is `last` in the order of time, go from their runs into
   the segment; or all, where `last` is behind the end. */
void sb_cut_take(struct sb_cut *c, struct sb_segment *s, size_t n_lists, size_t last, size_t others);
void sb_cut_close(struct sb_cut *c);

#endif
