#include "why/finding.h"

static void find(struct sb_why *w);

const struct sb_rule sb_rule_busy_wait = {
    .name = "busy_wait",
    .looks_for = "a process that looks into its mailbox with a timeout of 0 over and over instead of waiting",
    .erlang = "receive without `after 0`: the process then uses no CPU until a message comes",
    .elixir = "receive without `after 0`: the process then uses no CPU until a message comes",
    .find = find,
};

enum { FEWEST = 10000 };

static void
find(struct sb_why *w)
{
    for (uint64_t id = 1; id < w->x.n_actors; id++) {
        const struct sb_actor *a = &w->x.actor[id];
        if (a->timeouts < FEWEST || a->timeouts < 10 * (a->receives > 0 ? a->receives : 0) ||
            a->work_ns / a->timeouts > 20000)
            continue;
        sb_why_put(w, (struct sb_finding){
                          .process = (int64_t)id,
                          .subject = sb_why_who(w, (int64_t)id),
                          .title = sb_why_printf(w,
                                                 "%.*s looked for a message %.*s times without waiting and "
                                                 "used %.*s of a scheduler for that",
                                                 SB_STR_ARG(sb_why_who(w, (int64_t)id)),
                                                 SB_STR_ARG(sb_why_count(w, a->timeouts)),
                                                 SB_STR_ARG(sb_why_ns(w, a->work_ns))),
                          .low_ns = 0,
                          .gain_ns = a->share_ns - a->alone_ns,
                          .high_ns = a->work_ns,
                          .confidence = "high",
                          .evidence = sb_why_printf(
                              w, "SELECT who(id), timeouts, receives, run_ns FROM process WHERE id = %zu",
                              (size_t)id),
                      });
    }
}
