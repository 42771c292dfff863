#include "why/find/finding.h"
#include "why/run/threads.h"

SB_RULE(preempted) = {
    .name = "preempted",
    .looks_for = "schedulers that waited for a core which other programs or a CPU limit took",
    .erlang = "record on a machine without other work, or with as many schedulers (+S) as cores are free",
    .about_run = true,
    .about_times = true,
    .of_run = true,
    .find = find,
};

static void
find(struct sb_why *w)
{
    struct sb_why_threads t = sb_threads_of(w->x.profile);
    /* threads that are woken, look for work and sleep again wait for a core too, but no process of the program does */
    if (!sb_threads_lost_cores(w->x.profile, &t) || 2 * w->x.work_ns < t.cpu_ns)
        return;
    struct sb_finding f = {
        .subject = "schedulers",
        .gain = {SB_NULL, SB_NULL, SB_NULL},
        .confidence = "high",
        .evidence = "SELECT name, cpu_ns, queue_ns FROM thread WHERE kind = 'normal'",
    };
    sb_why_put(
        w, f,
        "for %d %% of the time that normal schedulers needed a core, something else used it: all times of "
        "this run include that, and gains of work are in CPU time",
        sb_percent(t.queue_ns, t.cpu_ns + t.queue_ns));
}
