/* The track of everything, or of a scheduler: an array a number, by bucket; none of a state it never was in.
 */
#ifndef SB_ENGINE_PYRAMID_TRACK_H
#define SB_ENGINE_PYRAMID_TRACK_H
#include "engine/state/axis.h"
#include "engine/pyramid/pyramid_out.h"
#include "engine/pyramid/pyramid_peak.h"

/* Nanoseconds by state; what is unknown is no span, and its place has the gc on dirty schedulers. */
enum { SB_TRACK_DIRTY_GC = SB_STATE_UNKNOWN, SB_TRACK_NUMBERS = SB_STATES };

struct sb_pyramid_track {
    struct sb_axis axis;
    int64_t *ns[SB_TRACK_NUMBERS];
    /* so many more than in the bucket before are in that state when it ends */
    int32_t *more[SB_TRACK_NUMBERS];
    int64_t *longest, *part; /* slice; part: of it that lies in here, of who ran longest here */
    uint32_t *who;
    uint64_t spans; /* added */
};

struct sb_pyramid_track sb_pyramid_track_open(struct sb_axis axis);
void sb_pyramid_track_close(struct sb_pyramid_track *t);
void sb_pyramid_track_add(struct sb_pyramid_track *t, const struct sb_part_span *s, size_t n);
static inline bool
sb_span_is_on(const struct sb_part_span *s) /* something ran */
{
    return s->state == SB_STATE_RUNNING || s->state == SB_STATE_DIRTY || s->state == SB_STATE_PORT;
}
/* All its levels, after which it is used up. `peaks`: the same buckets; NULL: it has none. */
void sb_pyramid_track_write(struct sb_pyramid_out *to, int64_t id, struct sb_pyramid_track *t,
                            struct sb_peaks *peaks);

#endif
