/*
 * Lanes from the profile's pyramid, at the same cost for any zoom. Where its finest buckets are wider than a
 * few pixels, the range has few enough rows to read them instead.
 */
#pragma once
#include "base/map.h"
#include "profile/timeline.h"
#include "serve/lane.h"

/* The tracks of one kind by the id of their process or scheduler; filled by the first question. */
struct sb_lane_tracks {
    const struct sb_served *served;
    enum sb_track_kind kind;
    bool read;
    struct sb_map id;     /* by ref */
    struct sb_scan level; /* one for all tracks: neighbours share blocks */
    struct sb_scan pyramid;
};

/* Returns the number of slices in the blocks that may overlap [t0, t1). */
uint64_t sb_lane_rows(const struct sb_served *b, int64_t t0, int64_t t1);

/* Writes the cells of `ref` in [l->t0, l->t1) at the zoom of `l`; false, with nothing written, if there
   is no pyramid, or its finest buckets are wider than `most_pixels` pixels. */
bool sb_lane_from_track(struct sb_lane_tracks *k, int64_t ref, const struct sb_lane *l, int64_t most_pixels,
                        struct sb_table *t);
void sb_lane_tracks_close(struct sb_lane_tracks *k);
