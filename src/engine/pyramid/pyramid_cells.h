/* The cells of a process's track: its time by state in the buckets in which it did something, in order of bucket. */
#pragma once
#include "profile/state.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Nanoseconds by state, nanoseconds of garbage collection on dirty schedulers, and the longest slice. */
enum { SB_CELL_DIRTY_GC = SB_STATE_UNKNOWN, SB_CELL_LONGEST, SB_CELL_NUMBERS };
struct sb_track_cell {
    uint32_t bucket;
    int64_t number[SB_CELL_NUMBERS];
};
struct sb_narrow_cell { /* the compact form, for numbers that fit */
    uint32_t bucket;
    int32_t number[SB_CELL_NUMBERS];
};
struct sb_track_cells {
    union {
        struct sb_narrow_cell *narrow;
        struct sb_track_cell *wide;
    } at;
    size_t n, cap;
    bool is_wide; /* since a number did not fit */
};

struct sb_track_cell sb_track_cells_get(const struct sb_track_cells *l, size_t i);
/* Adds to the cell of that bucket, and to `c` what was in it. Searches from the end: spans arrive nearly in order. */
void sb_track_cells_add(struct sb_track_cells *l, struct sb_track_cell *c);
void sb_track_cells_widen(struct sb_track_cells *l,
                          unsigned times); /* merges 2^times neighbouring buckets into one */
void sb_track_cells_free(struct sb_track_cells *l);

static inline uint32_t
sb_track_cells_bucket(const struct sb_track_cells *l, size_t i)
{
    return l->is_wide ? l->at.wide[i].bucket : l->at.narrow[i].bucket;
}
