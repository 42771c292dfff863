/*
 * Replays operations on a number of cores. Without costs a core is always at work while a process is ready (a greedy
 * schedule). With costs the cores have queues as in the VM: a process stays on the queue of its core; a core takes from
 * the longest queue if its own is much shorter; an idle core sleeps until a message wakes one of its processes, or
 * until a busy core calls it because processes have been in its queue for long enough. Dirty CPU schedulers are as many
 * as the normal ones, and have the cores of the machine that these leave; where these leave none, dirty work takes its
 * turn on theirs.
 */
#pragma once
#include "why/predict/ops.h"

/* What the VM adds to the work, in ns; all but `change` on more than one core only. */
struct sb_replay_costs {
    double change; /* each time a core begins with a process */
    double send;   /* the sender pays, for a receiver on another core */
    double
        ready; /* the sender pays besides, if that receiver waits; and a core for what it takes from another */
    double wake;     /* the sender pays instead of `ready`, if its core is idle as well */
    double receive;  /* the receiver pays, for a message from another core */
    double dispatch; /* the same, more while other cores do so too */
    double start;    /* until an idle core begins with a process */
};
struct sb_replay_plan {
    const struct sb_ops *ops;
    const struct sb_replay_costs *costs; /* NULL: none */
    const bool *free;                    /* by message: it costs nothing; NULL: all cost */
    const uint32_t *copies; /* by process.id: how many of its lines run at a time; 0: all. NULL: all 0 */
    bool is_least;          /* of the longest chain: waits that the trace does not explain take no time */
};
struct sb_replay {
    int64_t ns; /* when the root ended */
    bool
        full; /* all cores or dirty schedulers were busy at some moment, so that more of them may be faster */
    uint32_t stuck,
        stuck_for; /* process.id that waits for ever for a message of the other; 0: the root ended */
};
struct sb_replay sb_replay_run(const struct sb_replay_plan *plan, uint32_t cores);
