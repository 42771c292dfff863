/*
 * The sleeps of a process, each with the work after it: what it found, or that it only slept again. A find is
 * followed by a message, a spawn, another wait, or much more work than a look that finds nothing. A look may be a
 * request itself, such as the state of a file or of a job: then each asks the same process and nobody else.
 */
#pragma once
#include "why/find/finding.h"

struct sb_nap { /* a sleep, and the work after it up to the next wait */
    int64_t from, to, work_ns;
    uint32_t first, last; /* steps of that work */
    int32_t asked;        /* process.id that answered its only message; 0: none */
    bool found;           /* the process then did more than to sleep again */
    bool only_worked;     /* more than a look takes, and nothing else */
};
typedef SB_VEC(struct sb_nap) sb_naps;
struct sb_naps_of { /* a run */
    const struct sb_why *why;
    bool lost_cores;           /* to other programs */
    struct sb_spawning *spawn; /* by parent, then time */
    size_t spawns;
};

void sb_naps_open(const struct sb_why *w, struct sb_naps_of *of);
void sb_naps_read(const struct sb_naps_of *of, int64_t process, sb_naps *v);
