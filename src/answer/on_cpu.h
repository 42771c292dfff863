/*
 * The CPU time that the operating system gave the scheduler threads, compared with the time that they had
 * work. Readings are about 100 ms apart: the values cover the time between two readings, both within the
 * range if possible.
 */
#pragma once
#include "profile/profile.h"

struct sb_thread_use { /* of a row of table thread; SB_NULL: unknown */
    int64_t cpu_ns, queue_ns, involuntary;
};

struct sb_on_cpu {
    int64_t from, to;                /* from == to: fewer than two readings */
    struct sb_thread_use *of;        /* each thread, in the order of table thread */
    struct sb_thread_use schedulers; /* sum over all scheduler threads, dirty ones included */
};

/* The longest part of [t0, t1) between readings; for the whole trace also up to a last reading just after
 * its end. */
void sb_on_cpu_find(const struct sb_profile *p, int64_t t0, int64_t t1, struct sb_arena *a,
                    struct sb_on_cpu *out);
/* The time of processes at work between those readings, over all schedulers; SB_NULL: not recorded. A port mostly runs
 * within a process, so its time is not added. */
bool sb_on_cpu_work(const struct sb_profile *p, const struct sb_on_cpu *c, int64_t *work_ns,
                    struct sb_err *e);
