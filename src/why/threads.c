#include "why/threads.h"

struct sb_why_threads
sb_threads_of(const struct sb_profile *p)
{
    struct sb_why_threads t = {0};
    struct sb_scan s;
    int64_t normal = sb_profile_find_text(p, SB_STR("normal"));
    sb_scan_open(&s, p, SB_T_thread);
    unsigned kind = sb_scan_want(&s, SB_C_thread__kind), cpu = sb_scan_want(&s, SB_C_thread__cpu_ns),
             queue = sb_scan_want(&s, SB_C_thread__queue_ns), n = sb_scan_want(&s, SB_C_thread__involuntary),
             own = sb_scan_want(&s, SB_C_thread__voluntary);
    while (sb_scan_next(&s))
        for (size_t i = 0; i < s.n; i++) {
            if (normal == SB_NULL || s.value[kind][i] != normal || s.value[cpu][i] < 0 ||
                s.value[queue][i] < 0)
                continue;
            t.n++;
            t.cpu_ns += s.value[cpu][i];
            t.queue_ns += s.value[queue][i];
            t.voluntary += s.value[own][i] > 0 ? s.value[own][i] : 0;
            t.involuntary += s.value[n][i] > 0 ? s.value[n][i] : 0;
        }
    sb_scan_close(&s);
    return t;
}

/* Each hand-over to a dirty scheduler, or back, wakes a thread, which may take the core of the one that wakes it. */
static int64_t
threads_woken(const struct sb_profile *p)
{
    int64_t n = 0, normal = sb_profile_find_text(p, SB_STR("normal"));
    struct sb_scan s;
    sb_scan_open(&s, p, SB_T_slice);
    unsigned kind = sb_scan_want(&s, SB_C_slice__kind);
    while (sb_scan_next(&s))
        for (size_t i = 0; i < s.n; i++)
            n += s.value[kind][i] == normal ? 0 : 2;
    sb_scan_close(&s);
    return n;
}

/* Others have less than 2,000 a second of CPU, or, if they often sleep, as many voluntary ones. */
bool
sb_threads_spin(const struct sb_profile *p)
{
    enum { A_SECOND = 50000, TIMES_VOLUNTARY = 10 };
    struct sb_why_threads t = sb_threads_of(p);
    if (t.n >= 2 && t.involuntary >= A_SECOND / 10)
        t.involuntary -= threads_woken(p);
    return t.n >= 2 && t.involuntary >= A_SECOND / 10 && t.involuntary / TIMES_VOLUNTARY >= t.voluntary &&
           (double)t.involuntary * 1e9 >= (double)t.cpu_ns * (double)A_SECOND;
}

double
sb_threads_slowdown(const struct sb_why_threads *t)
{
    return t->n > 0 && t->cpu_ns > 0 ? (double)(t->cpu_ns + t->queue_ns) / (double)t->cpu_ns : 1;
}
