/*
 * The number at work at once, from a sweep over slices and gaps; exact at any size. At work is a process on a
 * normal or dirty scheduler, collecting or not, and a port, unless its scheduler runs a process: then the process
 * called the driver of the port.
 *
 *     idle          nothing is at work
 *     resting       nothing is at work, and no process is ready or handed over
 *     serial        exactly one is at work and no process is ready
 *     dirty only    something is on dirty schedulers, nothing on normal ones
 *     held up       a process is ready although a normal scheduler of its node runs nothing
 *     few           fewer are at work or ready than there are schedulers
 *
 * Where the trace does not tell when a process became ready, gap has an estimate and bounds. So each of the four that
 * depend on it has a value, for the estimate, and bounds: the fewer are ready, the longer is `serial`, and the shorter
 * is `held up`. Serial time on several schedulers is also `few`.
 */
#pragma once
#include "why/run/at_work.h"
#include "why/run/bounded.h"

#define SB_PARALLEL_LEVELS 1025

struct sb_parallel {
    int64_t span_ns, schedulers;             /* that can run processes; 0: unknown */
    int64_t at_level_ns[SB_PARALLEL_LEVELS]; /* exactly k at work; the last one: that many or more */
    int64_t dirty_only_ns;
    struct sb_bounded resting, serial;
    int64_t left_out; /* processes that were not recorded: everything else is of the others alone */
    struct sb_bounded held_up,
        few;                  /* SB_NULL: processes were left out, or the number of schedulers is unknown */
    int64_t work_ns, port_ns; /* sums over processes, and over ports beside them */
    struct sb_bounded ready;  /* sum of runnable time over processes */
    /* by process.id, below n_ids: time at work during serial time (the estimate) */
    int64_t *alone_ns;
    uint64_t n_ids;
};

/* Of [t0, t1); `at_once` limits memory, in starts and ends of spans, 0: the default. */
void sb_parallel_find(const struct sb_profile *p, int64_t t0, int64_t t1, size_t at_once, struct sb_arena *a,
                      struct sb_parallel *out);
/* Of the whole run, and of [t0, t1) in it, by one sweep; to be told of each of its changes. */
struct sb_counting *sb_counting_begin(struct sb_at_work *w, struct sb_arena *a, int64_t t0, int64_t t1);
void sb_counting_change(struct sb_counting *x, const struct sb_at_work_change *c);
void sb_counting_end(struct sb_counting *x, struct sb_parallel *whole, struct sb_parallel *part);
/* the process with the most time at work alone; 0 if there is none */
int64_t sb_parallel_most_alone(const struct sb_parallel *s, int64_t *ns);
/* normal schedulers of all traced nodes that can run processes; 0 if that of a node is unknown */
int64_t sb_parallel_schedulers(const struct sb_profile *p);
