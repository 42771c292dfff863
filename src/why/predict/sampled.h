/*
 * The part of a function in the work of each process, by samples of the CPU: the time that it is on the stack. Few
 * samples say little of one process or of one part of its time, so these are drawn towards all processes with its
 * entry, or their process, by as much as the number of samples explains of the difference (James and Stein).
 */
#pragma once
#include "profile/profile.h"

struct sb_sampled_share { /* low, high: 95 % */
    double low, share, high;
};
struct sb_sampled_span { /* from the end of the one before, if that is of the same process */
    uint32_t process;
    int64_t end;
    struct sb_sampled_share of;
};
struct sb_sampled {
    struct sb_sampled_span *span; /* all processes, by time */
    size_t n;
    uint64_t samples, seen; /* on normal schedulers, of processes; with the function. 0: they are too few */
    struct sb_sampled_share all;
};
/* `mfa` is the text of the function. */
void sb_sampled_find(struct sb_sampled *s, const struct sb_profile *p, int64_t mfa, struct sb_arena *a);
