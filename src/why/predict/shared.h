/*
 * What processes share, by samples of the CPU: work in ETS, in names of processes and in atomics, which more cores may
 * make dearer. The trace does not show which table or key it was for, so what comes of it is a bound.
 */
#pragma once
#include "profile/profile.h"

enum sb_shared_kind { SB_SHARED_NONE, SB_SHARED_NAMES, SB_SHARED_ATOMICS, SB_SHARED_READS, SB_SHARED_WRITES };
struct sb_shared {
    uint64_t samples;         /* of processes; 0: too few, and nothing else is known */
    double share, most_share; /* in what several processes share; at most, by two standard errors */
    double locks;             /* share in waits for locks of the VM */
    bool writes;              /* to ETS are among them */
    enum sb_shared_kind kind; /* that took most; reads and writes of ETS are one */
    int percent;              /* of the CPU time of processes in that kind */
};
struct sb_shared sb_shared_of(const struct sb_profile *p);
/* What a share of the work may cost more at most on so many cores, as a share of the work. */
double sb_shared_cost(const struct sb_shared *s, double share, uint32_t cores);
struct sb_str sb_shared_text(const struct sb_shared *s, bool of_locks, struct sb_arena *a);
