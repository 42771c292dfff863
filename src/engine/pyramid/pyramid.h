/*
 * Exact zoom: for every track (all, each scheduler, each process with many slices) and every power-of-two
 * bucket of time, the nanoseconds in each state. Buckets of level L start at multiples of 2^L ns from t0. The
 * finest level is the one at which a track has at most 2^17 buckets.
 */
#pragma once
#include "engine/state/run.h"

struct sb_pyramids;
struct sb_process_index;
struct sb_pyramids *sb_pyramids_open(const struct sb_run *r);
void sb_pyramids_close(struct sb_pyramids *y);
/* Prepares for the present axis, before the passes of a window. */
void sb_pyramids_fit(struct sb_pyramids *y);
/* Adds the spans of one part to its process tracks. Threads may call it for different parts at once; after
 * all of them, one thread calls sb_pyramids_settle. */
void sb_pyramids_part(struct sb_pyramids *y, struct sb_part *x);
void sb_pyramids_settle(struct sb_pyramids *y);
/* Adds the spans of all parts, after they were taken over from the parts. The jobs may run in parallel
 * with each other and with the passes of the next window. */
enum sb_pyramid_job { SB_PYRAMID_ALL, SB_PYRAMID_PEAKS, SB_PYRAMID_SCHEDULERS, SB_PYRAMID_JOBS };
void sb_pyramids_window(struct sb_pyramids *y, const struct sb_found *found, enum sb_pyramid_job job);
/* after the last span; also stores each scheduler's sums in the run */
void sb_pyramids_finish(struct sb_pyramids *y);
void sb_pyramids_write(struct sb_pyramids *y, const struct sb_process_index *all);
