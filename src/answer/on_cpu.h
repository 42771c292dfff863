/*
 * How much CPU the operating system gave the scheduler threads, beside how long they had something at work. Readings are
 * some 100 ms apart: what is told holds from one reading to another, both within the time asked for where there are two.
 */
#ifndef SB_ANSWER_ON_CPU_H
#define SB_ANSWER_ON_CPU_H
#include "base/arena.h"
#include "base/err.h"
#include "profile/profile.h"

struct sb_thread_use { /* of a row of table thread; SB_NULL: unknown */
    int64_t cpu_ns, queue_ns, involuntary;
};

struct sb_on_cpu {
    int64_t from, to;               /* from == to: there are no two readings */
    struct sb_thread_use *of;       /* each thread, in the order of table thread */
    struct sb_thread_use schedulers; /* all scheduler threads together, dirty ones too */
};

/* The longest stretch of [t0, t1) between readings; of the whole trace also up to a last reading just behind its end. */
void sb_on_cpu_find(const struct sb_profile *p, int64_t t0, int64_t t1, struct sb_arena *a, struct sb_on_cpu *out);
/* What processes and ports were at work from there to there, all schedulers together; SB_NULL: not recorded. */
bool sb_on_cpu_work(const struct sb_profile *p, const struct sb_on_cpu *c, int64_t *work_ns, struct sb_err *e);

#endif
