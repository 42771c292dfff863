#include "why/finding.h"

static void find(struct sb_why *w);

const struct sb_rule sb_rule_global_lock = {
    .name = "global_lock",
    .looks_for = "processes that sleep and try again because another one holds a lock",
    .erlang = "lock by key instead of one lock for all, or let one process do the work",
    .elixir = "lock by key instead of one lock for all, or let one process do the work",
    .find = find,
};

static const char *const sleeps[] = {"global:random_sleep", "mnesia_tm:restart", "mnesia_locker:"};

static bool
is_sleep(struct sb_str mfa)
{
    for (size_t i = 0; i < sizeof sleeps / sizeof *sleeps; i++)
        if (sb_str_starts(mfa, sb_str_of(sleeps[i])))
            return true;
    return false;
}

static int64_t
collect(const struct sb_why *w, int64_t id, struct sb_ranges *r)
{
    const struct sb_actor *a = &w->x.actor[id];
    int64_t n = 0;
    for (uint32_t i = 0; i < a->n; i++) {
        const struct sb_step *s = &w->x.step[a->first + i];
        if (s->wait == SB_WAIT_NONE || s->wait == SB_WAIT_IDLE || !is_sleep(sb_evidence_text(&w->x, s->out)))
            continue;
        sb_ranges_add(r, s->start + s->dur, s->start + s->dur + s->wait_ns);
        n++;
    }
    return n;
}

static void
find(struct sb_why *w)
{
    struct sb_ranges r = {0};
    int64_t processes = 0, n = 0, first = 0;
    for (uint64_t id = 1; id < w->x.n_actors; id++) {
        int64_t k = w->x.actor[id].is_program ? collect(w, (int64_t)id, &r) : 0;
        n += k;
        processes += k > 0;
        first = first == 0 && k > 0 ? (int64_t)id : first;
    }
    sb_ranges_unite(&r);
    int64_t spare = sb_ranges_within(&r, &w->x.level, SB_LEVEL_SPARE), ns = sb_ranges_ns(&r);
    SB_VEC_FREE(&r);
    if (n == 0)
        return;
    sb_why_put(w, (struct sb_finding){
                      .process = first,
                      .subject = sb_why_who(w, first),
                      .title = sb_why_printf(w,
                                             "%lld %s slept %.*s times because another process held a lock; "
                                             "somebody slept for %.*s in all",
                                             (long long)processes, processes == 1 ? "process" : "processes",
                                             SB_STR_ARG(sb_why_count(w, n)), SB_STR_ARG(sb_why_ns(w, ns))),
                      .low_ns = 0,
                      .gain_ns = sb_least(spare, sb_why_headroom(w)),
                      .high_ns = sb_least(ns, sb_why_headroom(w)),
                      .confidence = "high",
                      .evidence = SB_STR("SELECT who(process), function, count, total_ns FROM wait WHERE "
                                         "function LIKE 'global:random_sleep%' OR "
                                         "function LIKE 'mnesia_%'"),
                  });
}
