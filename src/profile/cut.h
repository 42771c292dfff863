/*
 * Finds the rows of a window that belong to a segment which fills within it. Runs of rows are sorted by time,
 * so these are the front of each run; the rest of a run belongs to the next segment.
 *
 *     run     |======|---|            time -->
 *     run   |====|-------|            = is taken, - stays
 *     run         |==|-|
 *                    ^ the row that fills the segment
 */
#pragma once
#include "profile/segment.h"

struct sb_cut {
    SB_VEC(uint64_t) time; /* of all unsettled rows, biased */
    SB_VEC(uint64_t) some; /* of those near the moment in question */
    SB_VEC(uint64_t) scratch;
    size_t asked;                                      /* 1 + the row of the last query, 0: none */
    uint64_t settled;                                  /* the time it found */
    SB_VEC(struct sb_sort_key) moment, moment_scratch; /* rows of the moment at the cut; key: owner */
};

void sb_cut_begin(struct sb_cut *c, struct sb_rows *const *list, size_t n_lists);
uint64_t sb_cut_time(struct sb_cut *c, size_t i); /* biased; of the i-th row by time */
/* Moves settled rows, and `others` unsettled ones up to the `last` by time, from their runs to the
 * segment; all of them if `last` is past the end. */
void sb_cut_take(struct sb_cut *c, struct sb_segment *s, size_t n_lists, size_t last, size_t others);
void sb_cut_close(struct sb_cut *c);
