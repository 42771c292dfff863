#include "why/finding.h"

static void find(struct sb_why *w);

const struct sb_rule sb_rule_dirty_bound = {
    .name = "dirty_bound",
    .looks_for = "processes that queue for dirty schedulers",
    .erlang = "start fewer dirty jobs at once, or more dirty schedulers (+SDcpu)",
    .elixir = "start fewer dirty jobs at once, or more dirty schedulers (+SDcpu)",
    .find = find,
};

enum { LONG_NS = 1000000, FEWEST = 2 };

static void
find(struct sb_why *w)
{
    struct sb_ranges queue = {0}, busy = {0};
    int64_t n = 0, processes = 0, total = 0, most = 0, most_ns = 0, work = 0;
    for (uint64_t id = 1; id < w->x.n_actors; id++) {
        const struct sb_actor *a = &w->x.actor[id];
        int64_t ns = 0;
        for (uint32_t i = 0; i < a->n; i++) {
            const struct sb_step *s = &w->x.step[a->first + i];
            if (s->dirty) {
                work += s->dur;
                sb_ranges_add(&busy, s->start, s->start + s->dur);
            }
            if (s->handover_ns < LONG_NS)
                continue;
            ns += s->handover_ns;
            n++;
            sb_ranges_add(&queue, s->start + s->dur + s->wait_ns,
                          s->start + s->dur + s->wait_ns + s->handover_ns);
        }
        processes += ns > 0;
        total += ns;
        if (ns > most_ns)
            most = (int64_t)id, most_ns = ns;
    }
    sb_ranges_unite(&queue);
    int64_t ns = sb_ranges_ns(&queue);
    sb_ranges_unite(&busy);
    sb_ranges_cut(&busy, &queue);
    int64_t both = sb_ranges_ns(&busy);
    SB_VEC_FREE(&busy);
    SB_VEC_FREE(&queue);
    if (processes < FEWEST || !sb_why_is_material(w, ns) || 10 * both < 9 * ns)
        return;
    sb_why_put(
        w, (struct sb_finding){
               .process = most,
               .subject = sb_why_who(w, most),
               .title = sb_why_printf(w,
                                      "%lld processes waited %.*s in all for a dirty scheduler, %.*s each "
                                      "time on average; dirty schedulers worked %.*s",
                                      (long long)processes, SB_STR_ARG(sb_why_ns(w, total)),
                                      SB_STR_ARG(sb_why_ns(w, total / n)), SB_STR_ARG(sb_why_ns(w, work))),
               .low_ns = SB_NULL,
               .gain_ns = SB_NULL,
               .high_ns = ns,
               .confidence = "medium",
               .evidence = SB_STR(
                   "SELECT who(id), handover_ns, dirty_ns FROM process ORDER BY handover_ns DESC LIMIT 10"),
           });
}
