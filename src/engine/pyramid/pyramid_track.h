/* The track of all processes, or of a scheduler: one array by bucket for each number; NULL for a state
 * that never occurs. */
#ifndef SB_ENGINE_PYRAMID_TRACK_H
#define SB_ENGINE_PYRAMID_TRACK_H
#include "engine/state/grid.h"
#include "engine/pyramid/pyramid_out.h"
#include "engine/pyramid/pyramid_peak.h"

/* Nanoseconds by state. No span is of state unknown, so its slot holds garbage collection on dirty
 * schedulers. */
enum { SB_TRACK_DIRTY_GC = SB_STATE_UNKNOWN, SB_TRACK_NUMBERS = SB_STATES };

struct sb_pyramid_track {
    struct sb_grid axis;
    int64_t *ns[SB_TRACK_NUMBERS];
    /* by bucket: the change in the number of spans in that state that continue past its end */
    int32_t *more[SB_TRACK_NUMBERS];
    int64_t *longest, *part; /* longest slice; the part of it inside the bucket that `who` ran longest */
    uint32_t *who;
    uint64_t spans; /* number added */
};

struct sb_pyramid_track sb_pyramid_track_open(struct sb_grid axis);
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

#endif
