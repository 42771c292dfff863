#include "why/finding.h"

static void find(struct sb_why *w);

const struct sb_rule sb_rule_gc_heavy = {
    .name = "gc_heavy",
    .looks_for = "garbage collection that copies data which stays alive, again and again",
    .erlang = "keep the data in ETS or persistent_term, do not call erlang:garbage_collect/0, and start the "
              "process with a larger min_heap_size",
    .elixir = "keep the data in ETS or :persistent_term, do not call :erlang.garbage_collect/0, and start "
              "the process with a larger :min_heap_size",
    .find = find,
};

/* A heap that grows is copied some three times over; short-lived data is freed without a copy. */
enum { TIMES = 6 };

static void
find(struct sb_why *w)
{
    int64_t best = 0;
    for (uint64_t id = 1; id < w->x.n_actors; id++)
        if (w->x.actor[id].service != SB_SERVICE_CODE &&
            (best == 0 || w->x.actor[id].gc_kept_ns > w->x.actor[best].gc_kept_ns))
            best = (int64_t)id;
    if (best == 0 || w->x.actor[best].work_ns <= 0 || w->x.actor[best].gc_peak_words <= 0 ||
        5 * w->x.actor[best].gc_kept_ns < 2 * w->x.actor[best].work_ns ||
        w->x.actor[best].gc_kept_words / w->x.actor[best].gc_peak_words < TIMES)
        return;
    const struct sb_actor *a = &w->x.actor[best];
    double part = (double)a->gc_kept_ns / (double)a->work_ns;
    part = part < 1 ? part : 1;
    sb_why_put(w, (struct sb_finding){
                      .process = best,
                      .subject = sb_why_who(w, best),
                      .title = sb_why_printf(
                          w,
                          "%.*s collected garbage for %.*s, %d %% of its work, and copied its live data %lld "
                          "times over",
                          SB_STR_ARG(sb_why_who(w, best)), SB_STR_ARG(sb_why_ns(w, a->gc_ns)),
                          sb_percent(a->gc_ns, a->work_ns), (long long)(a->gc_kept_words / a->gc_peak_words)),
                      .low_ns = (int64_t)((double)a->alone_ns * part / 2),
                      .gain_ns = (int64_t)((double)a->share_ns * part),
                      .high_ns = sb_least(a->gc_ns, a->work_ns),
                      .confidence = "high",
                      .evidence = sb_why_printf(w,
                                                "SELECT kind, count(*), sum(dur), sum(reclaimed_words), "
                                                "max(heap_after) FROM gc WHERE process = %lld GROUP BY 1",
                                                (long long)best),
                  });
}
