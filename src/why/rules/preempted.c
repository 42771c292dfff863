#include "why/finding.h"
#include "why/threads.h"
#include "profile/timeline.h"

static void find(struct sb_why *w);

const struct sb_rule sb_rule_preempted = {
    .name = "preempted",
    .looks_for = "schedulers that waited for a core which other programs or a CPU limit took",
    .erlang = "record on a machine without other work, or with as many schedulers (+S) as cores are free",
    .elixir = "record on a machine without other work, or with as many schedulers (+S) as cores are free",
    .about_run = true,
    .about_times = true,
    .find = find,
};

static void
find(struct sb_why *w)
{
    struct sb_why_threads t = sb_threads_of(w->x.profile);
    if (t.n == 0 || 5 * t.queue_ns < t.cpu_ns ||
        t.queue_ns / t.n < sb_profile_span(w->x.profile) / SB_MATERIAL)
        return;
    sb_why_put(w, (struct sb_finding){
                      .subject = SB_STR("schedulers"),
                      .title = sb_why_printf(w,
                                             "normal schedulers ran for %.*s and waited %.*s for a core that "
                                             "something else used: all times of this "
                                             "run include that",
                                             SB_STR_ARG(sb_why_ns(w, t.cpu_ns)),
                                             SB_STR_ARG(sb_why_ns(w, t.queue_ns))),
                      .low_ns = SB_NULL,
                      .gain_ns = SB_NULL,
                      .high_ns = SB_NULL,
                      .confidence = "high",
                      .evidence = SB_STR("SELECT name, cpu_ns, queue_ns FROM thread WHERE kind = 'normal'"),
                  });
}
