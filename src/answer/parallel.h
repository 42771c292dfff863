/*
 * The number at work at once, from a sweep over slices and gaps; exact at any size. At work is a process on a
 * normal or dirty scheduler, collecting or not, and a port, unless its scheduler runs a process: then the process
 * called the driver of the port.
 *
 *     idle          nothing is at work
 *     resting       nothing is at work, and no process is ready or handed over
 *     serial        exactly one is at work and no process is certainly ready
 *     dirty only    something is on dirty schedulers, nothing on normal ones
 *     held up       a process is certainly ready although a normal scheduler of its node runs nothing
 *     few           fewer are at work or certainly ready than there are schedulers
 *
 * "Certainly ready" uses the lower bound of gap.runnable_ns, so serial time on several schedulers is also `few`;
 * `resting` uses the estimate.
 */
#ifndef SB_ANSWER_PARALLEL_H
#define SB_ANSWER_PARALLEL_H
#include "base/arena.h"
#include "profile/profile.h"

#define SB_PARALLEL_LEVELS 1025

struct sb_parallel {
    int64_t span_ns, schedulers;             /* that can run processes; 0: unknown */
    int64_t at_level_ns[SB_PARALLEL_LEVELS]; /* exactly k at work; the last one: that many or more */
    int64_t resting_ns, serial_ns, dirty_only_ns;
    int64_t left_out;           /* processes that were not recorded: everything else is of the others alone */
    int64_t held_up_ns, few_ns; /* SB_NULL: processes were left out, or the number of schedulers is unknown */
    /* sums over processes, over ports beside them, and of runnable time (estimate) */
    int64_t work_ns, port_ns, ready_ns;
    int64_t ready_low_ns; /* lower bound of ready_ns */
    /* by process.id, below n_ids: time at work during serial time */
    int64_t *alone_ns;
    uint64_t n_ids;
};

/* `at_once` limits memory, in starts and ends of spans; 0: the default */
void sb_parallel_find(const struct sb_profile *p, int64_t t0, int64_t t1, size_t at_once, struct sb_arena *a,
                      struct sb_parallel *out);
/* the process with the most time at work alone; 0 if there is none */
int64_t sb_parallel_most_alone(const struct sb_parallel *s, int64_t *ns);
/* normal schedulers of all traced nodes that can run processes; 0 if that of a node is unknown */
int64_t sb_parallel_schedulers(const struct sb_profile *p);

#endif
