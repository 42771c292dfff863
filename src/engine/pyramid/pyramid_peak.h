/*
 * The largest number of processes that ran (dirty schedulers included), and that were runnable, at one moment
 * of each bucket. Spans arrive when they end. The part of a span more than a second before the event that
 * ended it counts in whole buckets only, which bounds the number of changes held in memory.
 */
#pragma once
#include "base/vec.h"
#include "engine/state/grid.h"
#include "engine/state/part.h"
#include <stdbool.h>

enum { SB_PEAK_BUCKETS = 1 << 17, SB_PEAK_SLOT = 1 << 5, SB_PEAK_SLOTS = SB_PEAK_BUCKETS / SB_PEAK_SLOT };
struct sb_changes; /* one page of changes */
struct sb_covering {
    int64_t from, to;
    unsigned what;
};
struct sb_peaks {
    struct sb_grid axis;
    int32_t *most[2];  /* maximum by bucket: running, runnable */
    int32_t *cover[2]; /* by bucket: the difference to the bucket before in spans that cover it whole */
    struct sb_changes *slot[SB_PEAK_SLOTS], *spare; /* changes by slot of SB_PEAK_SLOT buckets; free pages */
    size_t walked_slots;
    int32_t now[2]; /* present number running and runnable */
    size_t walked;  /* bucket of the last change */
    size_t used;    /* buckets from here on are empty, while the axis grows */
    bool grows;     /* the axis does: then these are spans that `cover` counts once its end is known */
    SB_VEC(struct sb_covering) covering;
};

struct sb_peaks *sb_peaks_open(struct sb_grid axis, bool grows);
void sb_peaks_close(struct sb_peaks *k);
void sb_peaks_add(struct sb_peaks *k, const struct sb_part_spans *v);
/* Counts all changes up to a second before `settled`: no later span may come from an earlier event.
 * INT64_MAX: no span follows. */
void sb_peaks_walk(struct sb_peaks *k, int64_t settled);
void sb_peaks_widen(struct sb_peaks *k, struct sb_grid now); /* the axis has grown: makes buckets as wide */
void sb_peaks_level_out(struct sb_peaks *k);       /* after the last change; `most` is valid from then on */
void sb_peaks_halve(struct sb_peaks *k, size_t n); /* merges pairs of the first n buckets */
