/*
 * Moments at which no process of a node was ready: all run queues of its normal schedulers were seen to be empty. They
 * come from the samples of the node itself, so they hold whatever part of its processes is traced. Control adds them,
 * in order of time; any thread may ask while the passes run.
 */
#ifndef SB_ENGINE_QUIET_H
#define SB_ENGINE_QUIET_H
#include "engine/run.h"

struct sb_quiet;
struct sb_quiet *sb_quiet_open(const struct sb_run *r);
void sb_quiet_close(struct sb_quiet *q);
void sb_quiet_sample(struct sb_run *r, const struct sb_event *sample);
/* The first and the last such moment within [from, to); false: there is none. */
bool sb_quiet_between(const struct sb_quiet *q, unsigned node, int64_t from, int64_t to, int64_t *first, int64_t *last);

#endif
