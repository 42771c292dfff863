/* CPU time and context switches of the normal schedulers' threads, as the operating system counted them. */
#ifndef SB_WHY_THREADS_H
#define SB_WHY_THREADS_H
#include "why/evidence.h"

struct sb_why_threads {
    int64_t n; /* 0: not recorded */
    int64_t cpu_ns, queue_ns, voluntary, involuntary;
};
struct sb_why_threads sb_threads_of(const struct sb_evidence *x);
/* How much longer the work took than on cores of its own; 1 if that is unknown. */
double sb_threads_slowdown(const struct sb_why_threads *t);

#endif
