#include "why/finding.h"

static void find(struct sb_why *w);

const struct sb_rule sb_rule_saturated = {
    .name = "saturated",
    .looks_for = "all schedulers at work nearly all the time: only less work or more cores help",
    .erlang = "make the functions with the most work cheaper, or run on more cores",
    .elixir = "make the functions with the most work cheaper, or run on more cores",
    .find = find,
};

static void
find(struct sb_why *w)
{
    int64_t free = sb_level_within(&w->x.level, SB_LEVEL_SPARE, w->x.t0, w->x.t1), most = 0, gc = 0;
    for (size_t i = 0; i < w->found.n; i++)
        if (w->found.at[i].rule->serializes)
            return;
    if (w->x.schedulers < 2 || 10 * free > w->x.span_ns)
        return;
    for (uint64_t id = 1; id < w->x.n_actors; id++) {
        gc += w->x.actor[id].gc_ns;
        if (most == 0 || w->x.actor[id].work_ns > w->x.actor[most].work_ns)
            most = (int64_t)id;
    }
    sb_why_put(
        w,
        (struct sb_finding){
            .subject = SB_STR("schedulers"),
            .title = sb_why_printf(w,
                                   "there was work for all %lld schedulers %d %% of the time: only less work "
                                   "or more cores help; %d %% of the work was garbage collection",
                                   (long long)w->x.schedulers, sb_percent(w->x.span_ns - free, w->x.span_ns),
                                   sb_percent(gc, w->x.work_ns)),
            .low_ns = SB_NULL,
            .gain_ns = SB_NULL,
            .high_ns = SB_NULL,
            .confidence = "high",
            .evidence = SB_STR(
                "SELECT entry, processes, run_ns, gc_ns FROM process_group ORDER BY run_ns DESC LIMIT 10"),
        });
}
