/* How much can run at one moment: the divisor of every share of "the schedulers". */
#pragma once
#include "profile/profile.h"

struct sb_capacity { /* 0: unknown */
    /* normal schedulers that can run a process at one moment: those online, or those that ran one if these
     * are more */
    int64_t schedulers;
    /* how many of them can run at a time: at most the cores, and at most the quota of the control group,
     * rounded up */
    int64_t able;
    int64_t cpu_ppm; /* CPU time per second available to them, in millionths of a core */
    bool traced;     /* of a single node: others were only mentioned */
};
/* Capacity of each node, by row of table node. */
struct sb_capacity *sb_capacities_find(const struct sb_profile *p, struct sb_arena *a);
/* Capacity of all traced nodes together; 0 if that of one is unknown. */
void sb_capacity_find(const struct sb_profile *p, struct sb_capacity *c);
