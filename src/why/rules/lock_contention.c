#include "why/finding.h"
#include "why/threads.h"

static void find(struct sb_why *w);

const struct sb_rule sb_rule_lock_contention = {
    .name = "lock_contention",
    .looks_for = "schedulers that are preempted far more often than their work explains: they spin on a lock "
                 "of the VM",
    .erlang = "create the ETS table with {write_concurrency, auto}, use counters with write_concurrency, or "
              "one table a process; compare with a run with +S 1",
    .elixir = "create the ETS table with write_concurrency: :auto, use :counters with :write_concurrency, or "
              "one table a process; compare with a run with +S 1",
    .serializes = true,
    .needs_all = true,
    .find = find,
};

static void
find(struct sb_why *w)
{
    struct sb_why_threads t = sb_threads_of(w->x.profile);
    int64_t most = 0;
    for (uint64_t id = 1; id < w->x.n_actors; id++)
        if (most == 0 || w->x.actor[id].work_ns > w->x.actor[most].work_ns)
            most = (int64_t)id;
    if (most == 0 || !sb_threads_spin(w->x.profile))
        return;
    sb_why_put(
        w,
        (struct sb_finding){
            .subject =
                sb_why_text(w, w->x.actor[most].entry == SB_NULL ? 0 : (int32_t)w->x.actor[most].entry),
            .title = sb_why_printf(
                w,
                "schedulers lost their core %.*s times in each second of CPU time, as they do when they spin "
                "on a lock; most work was in %.*s",
                SB_STR_ARG(sb_why_count(w, (int64_t)((double)t.involuntary * 1e9 / (double)t.cpu_ns))),
                SB_STR_ARG(sb_why_who(w, most))),
            .low_ns = SB_NULL,
            .gain_ns = SB_NULL,
            .high_ns = w->x.work_ns / w->x.schedulers,
            .confidence = "medium",
            .evidence =
                SB_STR("SELECT name, cpu_ns, voluntary, involuntary FROM thread WHERE kind = 'normal'"),
        });
}
