#include "why/finding.h"

static void find(struct sb_why *w);

const struct sb_rule sb_rule_too_few_processes = {
    .name = "too_few_processes",
    .looks_for = "some processes at work, yet fewer than schedulers, and nothing ready",
    .erlang = "start as many processes as schedulers for work that can be divided",
    .elixir = "raise max_concurrency, or start as many processes as schedulers for work that can be divided",
    .needs_all = true,
    .find = find,
};

static void
find(struct sb_why *w)
{
    int64_t few = sb_level_within(&w->x.level, SB_LEVEL_FEW, w->x.t0, w->x.t1);
    if (w->x.schedulers < 3)
        return;
    sb_why_put(w, (struct sb_finding){
                      .subject = SB_STR("schedulers"),
                      .title = sb_why_printf(w,
                                             "several processes were at work, yet too few for %lld "
                                             "schedulers: %d %% of the schedulers' time "
                                             "was free beside them",
                                             (long long)w->x.schedulers, sb_percent(few, w->x.span_ns)),
                      .low_ns = 0,
                      .gain_ns = few,
                      .high_ns = sb_least(few, sb_why_headroom(w)),
                      .confidence = "medium",
                      .evidence = SB_STR(
                          "SELECT who(id), run_ns, start, end FROM process ORDER BY run_ns DESC LIMIT 10"),
                  });
}
