/*
 * A track over a range of time in at most n power-of-two buckets: from the pyramid where it is fine enough,
 * else from slices, gaps and collections. Either way the nanoseconds are exact.
 */
#pragma once
#include "base/err.h"
#include "base/vec.h"
#include "profile/profile.h"

enum sb_track_kind { SB_TRACK_ALL, SB_TRACK_SCHEDULER, SB_TRACK_PROCESS, SB_TRACK_GROUP };
struct sb_track {
    enum sb_track_kind kind;
    int64_t ref; /* id in the table of that kind */
    int64_t id;  /* track.id; SB_NULL if the profile has no pyramid of it */
};
/* "all", "scheduler:1", "process:7", "group:3", or the number of a track */
bool sb_track_find(const struct sb_profile *p, struct sb_str text, struct sb_track *t, struct sb_err *e);

enum { /* the columns of pyramid after bucket, in order */
       SB_B_running,
       SB_B_gc,
       SB_B_dirty,
       SB_B_runnable,
       SB_B_waiting,
       SB_B_handover,
       SB_B_dirty_gc,
       SB_B_ports,
       SB_B_schedulers,
       SB_B_longest,
       SB_B_peak_running,
       SB_B_peak_runnable,
       SB_B_VALUES,
       SB_B_PEAKS = SB_B_peak_running
};
struct sb_bucket {
    int64_t start, dur;
    int64_t v[SB_B_VALUES];
};
struct sb_buckets {
    struct sb_bucket *at;
    size_t n, cap;
    bool exact_from_rows; /* computed from rows, since finer than the pyramid */
};

/*
 * The buckets that overlap [t0, t1), including empty ones; t1 SB_NULL: up to the end. Peaks are SB_NULL where
 * the profile has none. The caller frees `out` (SB_VEC_FREE).
 */
struct sb_timeline_range {
    int64_t t0, t1;
    uint64_t n; /* the most buckets */
};
bool sb_timeline(const struct sb_profile *p, const struct sb_track *t, struct sb_timeline_range range,
                 struct sb_buckets *out, struct sb_err *e);
/* number of buckets at the finest stored level of a track; 0 if none is stored */
uint64_t sb_timeline_kept(const struct sb_profile *p, const struct sb_track *t);
