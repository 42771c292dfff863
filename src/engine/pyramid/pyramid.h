/*
 * Honest zoom: for every track (all, each scheduler, each process with many slices, each group) and every
 * power-of-two bucket of time the exact nanoseconds in each state. Buckets of level L start at multiples of
 * 2^L ns from t0. The finest level is the one at which a track has at most 2^17 buckets.
 */
#ifndef SB_ENGINE_PYRAMID_H
#define SB_ENGINE_PYRAMID_H
#include "engine/state/run.h"

struct sb_pyramids;
struct sb_process_index;
struct sb_pyramids *sb_pyramids_open(struct sb_run *r);
void sb_pyramids_close(struct sb_pyramids *y);
/* What the passes found of a part's processes. Any thread, a part each; when all are done, one settles. */
void sb_pyramids_part(struct sb_pyramids *y, struct sb_part *x);
void sb_pyramids_settle(struct sb_pyramids *y);
/* What they found of all, once it was taken over from the parts: beside the passes of the next window, and
   beside each other. */
enum sb_pyramid_job { SB_PYRAMID_ALL, SB_PYRAMID_PEAKS, SB_PYRAMID_SCHEDULERS, SB_PYRAMID_JOBS };
void sb_pyramids_window(struct sb_pyramids *y, const struct sb_found *found, enum sb_pyramid_job job);
void
sb_pyramids_finish(struct sb_pyramids *y); /* all spans are told; the sums by scheduler, into the run's */
void sb_pyramids_write(struct sb_pyramids *y, const struct sb_process_index *all);

#endif
