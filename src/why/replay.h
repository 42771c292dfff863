/*
 * Replays operations on a number of cores, always with a core at work while a process is ready (a greedy schedule).
 * A process stays on the queue of its core, as in the VM; a core takes from the longest queue if its own is much
 * shorter. Dirty CPU schedulers are as many as the normal ones, and have the cores of the machine that these leave;
 * where these leave none, dirty work takes its turn on theirs.
 */
#ifndef SB_WHY_REPLAY_H
#define SB_WHY_REPLAY_H
#include "why/ops.h"

/* What the VM adds on more than one core, in ns. */
struct sb_replay_costs {
    double send;     /* the sender pays, for a receiver on another core */
    double wake;     /* the sender pays, if that receiver waits and its core is idle */
    double receive;  /* the receiver pays, for a message from another core */
    double dispatch; /* each time a core begins with a process */
    double start;    /* until an idle core begins with a process */
    double join;     /* that processes are behind others in a queue until an idle core is woken for them */
};
struct sb_replay_plan {
    const struct sb_ops *ops;
    const struct sb_replay_costs *costs; /* NULL: none */
    const bool *free;                    /* by message: it costs nothing; NULL: all cost */
    const uint32_t *copies; /* by process.id: how many of its lines run at a time; 0: all. NULL: all 0 */
};
struct sb_replay {
    int64_t ns; /* when the root ended */
    bool
        full; /* all cores or dirty schedulers were busy at some moment, so that more of them may be faster */
    uint32_t stuck,
        stuck_for; /* process.id that waits for ever for a message of the other; 0: the root ended */
};
struct sb_replay sb_replay_run(const struct sb_replay_plan *plan, uint32_t cores);

#endif
