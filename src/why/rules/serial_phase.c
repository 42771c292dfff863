#include "why/finding.h"

static void find(struct sb_why *w);

const struct sb_rule sb_rule_serial_phase = {
    .name = "serial_phase",
    .looks_for = "one process at work while everything else has nothing to do",
    .erlang = "divide the work among processes; if most of it is garbage collection, start the process with "
              "a larger min_heap_size",
    .elixir = "divide the work with Task.async_stream; if most of it is garbage collection, start the "
              "process with a larger :min_heap_size",
    .serializes = true,
    .needs_all = true,
    .find = find,
};

static void
find(struct sb_why *w)
{
    int64_t best = 0;
    for (uint64_t id = 1; id < w->x.n_actors; id++)
        if (w->x.actor[id].service == SB_SERVICE_NONE && !sb_why_has(w, (int64_t)id) &&
            (best == 0 || w->x.actor[id].alone_ns > w->x.actor[best].alone_ns))
            best = (int64_t)id;
    if (best == 0 || w->x.schedulers < 2)
        return;
    const struct sb_actor *a = &w->x.actor[best];
    int64_t gain = sb_why_spread(w, a->alone_ns);
    sb_why_put(w,
               (struct sb_finding){
                   .process = best,
                   .subject = sb_why_who(w, best),
                   .title = sb_why_printf(
                       w, "%.*s was the only process at work for %.*s, %d %% of the program's time%s",
                       SB_STR_ARG(sb_why_who(w, best)), SB_STR_ARG(sb_why_ns(w, a->alone_ns)),
                       sb_percent(a->alone_ns, w->x.span_ns),
                       4 * a->gc_ns >= a->work_ns ? "; a good part of its work is garbage collection" : ""),
                   .low_ns = 0,
                   .gain_ns = gain,
                   .high_ns = sb_least(gain, sb_why_headroom(w)),
                   .confidence = "medium",
                   .evidence = sb_why_printf(w,
                                             "SELECT out_function, count(*), sum(dur) FROM slice WHERE "
                                             "process = %lld GROUP BY 1 ORDER BY 3 DESC",
                                             (long long)best),
               });
}
