#include "why/run/threads.h"
#include "profile/scan_row.h"

struct sb_why_threads
sb_threads_of(const struct sb_profile *p)
{
    struct sb_why_threads t = {0};
    int64_t normal = sb_profile_find_text(p, SB_STR("normal")),
            dirty_cpu = sb_profile_find_text(p, SB_STR("dirty_cpu")),
            dirty_io = sb_profile_find_text(p, SB_STR("dirty_io"));
    SB_SCAN(s, p, thread, kind, cpu_ns, queue_ns, involuntary, voluntary);
    for (size_t i = 0; sb_scan_row(&s, &i); i++) {
        int64_t of = s.value[kind][i];
        bool schedules = of != SB_NULL && (of == normal || of == dirty_cpu || of == dirty_io);
        t.others_woken += !schedules && s.value[voluntary][i] > 0 ? s.value[voluntary][i] : 0;
        if (!schedules || s.value[cpu_ns][i] < 0 || s.value[queue_ns][i] < 0)
            continue;
        t.all_cpu_ns += s.value[cpu_ns][i];
        if (of != normal)
            continue;
        t.n++;
        t.cpu_ns += s.value[cpu_ns][i];
        t.queue_ns += s.value[queue_ns][i];
        t.voluntary += s.value[voluntary][i] > 0 ? s.value[voluntary][i] : 0;
        t.involuntary += s.value[involuntary][i] > 0 ? s.value[involuntary][i] : 0;
    }
    return t;
}

/* Each hand-over to a dirty scheduler, or back, wakes a thread, which may take the core of the one that wakes it. So
 * does the thread that waits for sockets. */
static int64_t
threads_woken(const struct sb_profile *p)
{
    int64_t n = 0, normal = sb_profile_find_text(p, SB_STR("normal"));
    SB_SCAN(s, p, slice, kind);
    for (size_t i = 0; sb_scan_row(&s, &i); i++)
        n += s.value[kind][i] == normal ? 0 : 2;
    return n;
}

static int64_t
slices_of_normal(const struct sb_profile *p)
{
    int64_t ns = 0, normal = sb_profile_find_text(p, SB_STR("normal"));
    SB_SCAN(s, p, scheduler, kind, slice_ns);
    for (size_t i = 0; sb_scan_row(&s, &i); i++)
        ns += s.value[kind][i] == normal && s.value[slice_ns][i] > 0 ? s.value[slice_ns][i] : 0;
    return ns;
}

/* A scheduler without work also gives up its core at each turn of its busy wait, which is a switch where other programs
 * want the core. Locks are waited for in slices, which then take most of the threads' time. */
static bool
mostly_in_slices(const struct sb_profile *p, const struct sb_why_threads *t)
{
    return (double)slices_of_normal(p) >= 0.8 * (double)(t->cpu_ns + t->queue_ns);
}

/* Others have less than 2,000 a second of CPU, or, if they often sleep, as many voluntary ones. */
bool
sb_threads_spin(const struct sb_profile *p)
{
    enum { A_SECOND = 50000, TIMES_VOLUNTARY = 10 };
    struct sb_why_threads t = sb_threads_of(p);
    if (t.n >= 2 && t.involuntary >= A_SECOND / 10)
        t.involuntary -= threads_woken(p) + t.others_woken;
    return t.n >= 2 && mostly_in_slices(p, &t) && t.involuntary >= A_SECOND / 10 &&
           t.involuntary / TIMES_VOLUNTARY >= t.voluntary &&
           (double)t.involuntary * 1e9 >= (double)t.cpu_ns * (double)A_SECOND;
}

bool
sb_threads_lost_cores(const struct sb_profile *p, const struct sb_why_threads *t)
{
    enum { NOTABLE = 20 };
    return t->n > 0 && 5 * t->queue_ns >= t->cpu_ns && t->queue_ns / t->n >= sb_profile_span(p) / NOTABLE;
}

double
sb_threads_slowdown(const struct sb_why_threads *t)
{
    return t->n > 0 && t->cpu_ns > 0 ? (double)(t->cpu_ns + t->queue_ns) / (double)t->cpu_ns : 1;
}
