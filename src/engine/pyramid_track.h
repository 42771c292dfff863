/* The track of everything, or of a scheduler: an array a number, by bucket; none of a state it never was in. */
#ifndef SB_ENGINE_PYRAMID_TRACK_H
#define SB_ENGINE_PYRAMID_TRACK_H
#include "engine/axis.h"
#include "engine/pyramid_out.h"
#include "engine/pyramid_peak.h"

struct sb_pyramid_track {
    struct sb_axis axis;
    int64_t *ns[SB_STATES];
    int32_t *more[SB_STATES]; /* so many more than in the bucket before are in that state when it ends */
    int64_t *longest, *part;  /* slice; part: of it that lies in here, of who ran longest here */
    uint32_t *who;
    uint64_t spans; /* added */
};

struct sb_pyramid_track sb_pyramid_track_open(struct sb_axis axis);
void sb_pyramid_track_close(struct sb_pyramid_track *t);
void sb_pyramid_track_add(struct sb_pyramid_track *t, const struct sb_span *s, size_t n);
static inline bool
sb_span_is_on(const struct sb_span *s) /* something ran */
{
    return s->state == SB_RUN || s->state == SB_DIRTY || s->state == SB_PORT_RUN;
}
/* All its levels, after which it is used up. `peaks`: the same buckets; NULL: it has none. */
void sb_pyramid_track_write(struct sb_pyramid_out *to, int64_t id, struct sb_pyramid_track *t, struct sb_peaks *peaks);

#endif
