/*
 * How many were at work at once, from a sweep over slices and gaps, exact at any size. At work is a process on a normal
 * or on a dirty scheduler, collecting or not, and a port.
 *
 *     idle          nothing is at work
 *     serial        exactly one is at work and no process is certainly ready
 *     dirty only    something is on dirty schedulers, nothing on normal ones
 *     held up       a process is certainly ready although a normal scheduler of its node runs nothing
 *     few           fewer are at work or ready than there are schedulers
 *
 * "Certainly ready" takes the lower bound of gap.runnable_ns; only `few` takes the estimate itself.
 */
#ifndef SB_ANSWER_PARALLEL_H
#define SB_ANSWER_PARALLEL_H
#include "base/arena.h"
#include "profile/profile.h"

#define SB_PARALLEL_LEVELS 1025

struct sb_parallel {
    int64_t span_ns, schedulers;             /* that can run; 0: unknown */
    int64_t at_level_ns[SB_PARALLEL_LEVELS]; /* exactly k at work; the last one: that many or more */
    int64_t serial_ns, dirty_only_ns;
    int64_t held_up_ns, few_ns;         /* SB_NULL where the number of schedulers is unknown */
    int64_t work_ns, port_ns, ready_ns; /* sums of all processes, of all ports, and of who was ready (estimate) */
    int64_t ready_low_ns;               /* the same, at least */
    int64_t *alone_ns;                  /* by process.id, below n_ids: at work while all is serial */
    uint64_t n_ids;
};

/* `at_once` bounds what is held in memory, in begins and ends of spans; 0: as much as is usual */
void sb_parallel_find(const struct sb_profile *p, int64_t t0, int64_t t1, size_t at_once, struct sb_arena *a,
                      struct sb_parallel *out);
/* who was alone at work longest; 0 when nobody was */
int64_t sb_parallel_most_alone(const struct sb_parallel *s, int64_t *ns);
/* normal schedulers of all traced nodes that can run; 0 when the trace of some node does not tell */
int64_t sb_parallel_schedulers(const struct sb_profile *p);

#endif
