#include "why/threads.h"

struct sb_why_threads
sb_threads_of(const struct sb_evidence *x)
{
    struct sb_why_threads t = {0};
    struct sb_scan s;
    int64_t normal = sb_profile_find_text(x->profile, SB_STR("normal"));
    sb_scan_open(&s, x->profile, SB_T_thread);
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

double
sb_threads_slowdown(const struct sb_why_threads *t)
{
    return t->n > 0 && t->cpu_ns > 0 ? (double)(t->cpu_ns + t->queue_ns) / (double)t->cpu_ns : 1;
}
