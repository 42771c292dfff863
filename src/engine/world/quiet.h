/*
 * What the samples of a node say about the run queues of its normal schedulers. At a quiet moment all of them
 * were empty, so no process was ready; otherwise they were occupied. The samples cover all processes, traced
 * or not. Control adds them in order of time; any thread may ask while the passes run.
 */
#ifndef SB_ENGINE_QUIET_H
#define SB_ENGINE_QUIET_H
#include "engine/state/run.h"

struct sb_quiet;
struct sb_quiet *sb_quiet_open(const struct sb_run *r);
void sb_quiet_close(struct sb_quiet *q);
void sb_quiet_sample(struct sb_run *r, const struct sb_event *sample);
/* The first and the last quiet moment within [from, to); false: there is none. */
bool sb_quiet_between(const struct sb_quiet *q, unsigned node, int64_t from, int64_t to, int64_t *first,
                      int64_t *last);

/* Samples come every 10 ms. Those further apart than two periods and a late start say nothing of the time
   between them, unless all normal schedulers were at work meanwhile. */
enum { SB_QUIET_APART_NS = 25000000 };
/* For how long before `to`, within [from, to), samples support that a process was ready: they saw an occupied
   queue each, and there is no time between them that they say nothing of. 0: no sample supports it. */
int64_t sb_quiet_occupied(const struct sb_quiet *q, unsigned node, int64_t from, int64_t to);

#endif
