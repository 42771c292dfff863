/* The track of all processes, or of a scheduler: one array by bucket for each number; NULL for a state
 * that never occurs. */
#pragma once
#include "engine/state/grid.h"
#include "engine/pyramid/pyramid_out.h"
#include "engine/pyramid/pyramid_peak.h"

/* Nanoseconds by state. No span is of state unknown, so its slot holds garbage collection on dirty
 * schedulers. */
enum { SB_TRACK_DIRTY_GC = SB_STATE_UNKNOWN, SB_TRACK_NUMBERS = SB_STATES };

enum { SB_TRACK_ABOVE = 17 }; /* levels above the finest one: of 2^17 buckets */
struct sb_track_run {         /* the part of a slice inside a bucket, and whose it is */
    int64_t ns;
    uint32_t who;
};
struct sb_track_cover { /* of slices that fill a bucket: the longest, and the smallest of their ids */
    int64_t longest;
    uint32_t who;
};
struct sb_pyramid_track {
    struct sb_grid axis;
    size_t used; /* buckets from here on are empty, while the axis grows */
    int64_t *ns[SB_TRACK_NUMBERS];
    /* by bucket: the change in the number of spans in that state that continue past its end */
    int32_t *more[SB_TRACK_NUMBERS];
    int64_t *longest;         /* slice */
    struct sb_track_run *run; /* the longest run inside the bucket */
    /* The same for each wider level of an axis that grows, down to one bucket: it cannot be made from this one. */
    struct sb_track_run *run_above[SB_TRACK_ABOVE];
    unsigned n_above;
    struct sb_track_cover
        *cover;     /* NULL, or of slices that fill many buckets, which spread() tells each bucket */
    uint64_t spans; /* number added */
};

/* `grows`: the axis has a power of two of buckets, for any end that it may get. */
struct sb_pyramid_track sb_pyramid_track_open(struct sb_grid axis, bool grows);
/* The axis has grown to this one: makes buckets as wide. */
void sb_pyramid_track_widen(struct sb_pyramid_track *t, struct sb_grid now);
void sb_pyramid_track_close(struct sb_pyramid_track *t);
void sb_pyramid_track_add(struct sb_pyramid_track *t, const struct sb_part_span *s, size_t n);
static inline bool
sb_span_is_on(const struct sb_part_span *s) /* something ran */
{
    return s->state == SB_STATE_RUNNING || s->state == SB_STATE_DIRTY || s->state == SB_STATE_PORT;
}
/* Writes all levels and leaves the track empty. `peaks` has the same buckets; NULL: none are written. */
void sb_pyramid_track_write(struct sb_pyramid_out *to, int64_t id, struct sb_pyramid_track *t,
                            struct sb_peaks *peaks);
