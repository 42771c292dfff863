/*
 * The most that were at work (dirty schedulers included), and that were runnable, at one moment of each
 * bucket. They come from spans in time order. A span is known only when it ends; what lies more than a second
 * before the event that told it counts for whole buckets only, so that what waits for its turn stays bounded.
 */
#ifndef SB_ENGINE_PYRAMID_PEAK_H
#define SB_ENGINE_PYRAMID_PEAK_H
#include "engine/state/axis.h"

enum { SB_PEAK_BUCKETS = 1 << 17, SB_PEAK_SLOT = 1 << 5, SB_PEAK_SLOTS = SB_PEAK_BUCKETS / SB_PEAK_SLOT };
struct sb_changes; /* a page of them */
struct sb_peaks {
    struct sb_axis axis;
    int32_t *most[2];  /* by bucket: running, runnable */
    int32_t *cover[2]; /* so many more than in the bucket before are there all the time */
    struct sb_changes *slot[SB_PEAK_SLOTS], *spare; /* those of so many buckets each; for others */
    size_t walked_slots;
    int32_t now[2]; /* how many run, are runnable */
    size_t walked;  /* bucket of the last change */
};

struct sb_peaks *sb_peaks_open(struct sb_axis axis);
void sb_peaks_close(struct sb_peaks *k);
void sb_peaks_add(struct sb_peaks *k, const struct sb_part_spans *v);
/* No span comes that is told earlier; INT64_MAX: none comes. */
void sb_peaks_walk(struct sb_peaks *k, int64_t told);
void sb_peaks_level_out(struct sb_peaks *k);       /* when all is walked: then `most` is told */
void sb_peaks_halve(struct sb_peaks *k, size_t n); /* the first n buckets, two by two */

#endif
