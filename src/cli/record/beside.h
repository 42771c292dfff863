/*
 * An analysis that takes in a trace while it is written, in a thread that only gets what nothing else wants of the
 * cores. It stands back where the program would notice it: while no core is idle (a thread that waits for its turn
 * still leaves its data in the caches of a core), under a limit of CPU time, which counts what an idle core does as
 * well, and where the disk has little room.
 */
#pragma once
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sb_growth;
struct sb_idle { /* how many cores were idle, but for this thread, since it was asked before */
    int64_t at_ns, idle_ns, own_ns;
    bool is_one;
};
struct sb_beside {
    _Atomic uint64_t *taken; /* bytes of the trace */
    const char *trace;
    int fd; /* of the trace, however it is renamed; -1: not there yet */
    char same[64], profile[4096];
    struct sb_idle idle;
    struct sb_growth *growth; /* NULL: not begun, or given up */
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t told;
    bool runs, stop;
};
bool sb_beside_is_wanted(void);
/* `taken` is zero where nothing was taken in; another process may read it. */
void sb_beside_begin(struct sb_beside *x, const char *trace, _Atomic uint64_t *taken);
/* The trace is complete, and called `trace`: stores its profile, if that is nearly done. */
void sb_beside_end(struct sb_beside *x, const char *trace);
