/*
 * Honest zoom: for every track (all, each scheduler, each process with many slices, each group) and every
 * power-of-two bucket of time the exact nanoseconds in each state. Buckets of level L start at multiples of
 * 2^L ns from t0. The finest level is the one at which a track has at most 2^17 buckets.
 */
#ifndef SB_ENGINE_PYRAMID_H
#define SB_ENGINE_PYRAMID_H
#include "engine/run.h"

struct sb_pyramids;
struct sb_pyramids *sb_pyramids_open(struct sb_run *r);
void sb_pyramids_close(struct sb_pyramids *y);
void sb_pyramids_window(struct sb_pyramids *y, const struct sb_found *found);
void sb_pyramids_finish(struct sb_pyramids *y); /* the sums by scheduler, into the run's */
void sb_pyramids_write(struct sb_pyramids *y);

#endif
