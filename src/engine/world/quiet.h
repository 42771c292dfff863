/*
 * Samples of the run queues of a node's normal schedulers. At a quiet moment all of them were empty, so no
 * process was runnable; otherwise they were occupied. The samples cover all processes, traced or not. Control
 * adds them in time order, ahead of the window by SB_QUIET_LATE_NS; any thread may query them while the passes run.
 */
#pragma once
#include "engine/state/run.h"

/* A sample that the sampler takes when it wakes is about the time before it. It counts for a gap that ended up to
 * this much earlier, wherever windows end. */
enum { SB_QUIET_LATE_NS = 50000000 };

struct sb_quiet;
struct sb_quiet *sb_quiet_open(const struct sb_run *r);
void sb_quiet_close(struct sb_quiet *q);
void sb_quiet_sample(struct sb_run *r, const struct sb_event *sample);
/* Finds the first and the last quiet moment within [from, to); false: there is none. */
bool sb_quiet_between(const struct sb_quiet *q, unsigned node, int64_t from, int64_t to, int64_t *first,
                      int64_t *last);

/* Samples come every 10 ms while something happens. Two samples further apart than two periods and a late
 * start do not support anything about the time between them, unless all normal schedulers were at work
 * meanwhile. */
enum { SB_QUIET_APART_NS = 25000000 };
/* Returns for how long before `to`, within [from, to), samples support that a process was runnable: each
 * saw an occupied queue, and no two are too far apart. 0: no sample supports it. */
int64_t sb_quiet_occupied(const struct sb_quiet *q, unsigned node, int64_t from, int64_t to);
