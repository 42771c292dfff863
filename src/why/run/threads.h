/* CPU time and context switches of the normal schedulers' threads, as the operating system counted them. */
#pragma once
#include "profile/profile.h"

struct sb_why_threads {
    int64_t n; /* 0: not recorded */
    int64_t cpu_ns, queue_ns, voluntary, involuntary;
    int64_t all_cpu_ns;   /* dirty schedulers included */
    int64_t others_woken; /* times that other threads of the VM slept, such as the one that polls sockets */
};
struct sb_why_threads sb_threads_of(const struct sb_profile *p);
/* True if the schedulers gave up their core far more often than work explains, as they do when they spin on a lock. */
bool sb_threads_spin(const struct sb_profile *p);
/* True if other programs, or a CPU limit, took a fifth of the cores or more. */
bool sb_threads_lost_cores(const struct sb_profile *p, const struct sb_why_threads *t);
/* How much longer the work took than on cores of its own; 1 if that is unknown. */
double sb_threads_slowdown(const struct sb_why_threads *t);
