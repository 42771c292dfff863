#include "why/finding.h"

static void find(struct sb_why *w);

const struct sb_rule sb_rule_global_lock = {
    .name = "global_lock",
    .looks_for = "processes that sleep and try again because another one holds a lock",
    .erlang = "lock by key instead of one lock for all, or let one process do the work",
    .elixir = "lock by key instead of one lock for all, or let one process do the work",
    .find = find,
};

/* What processes did because a lock was taken. */
struct held {
    int64_t sleeps,
        queued; /* times that one slept and tried again, or stood in the queue of the lock server */
    struct sb_ranges waits; /* both */
};

static bool
is_named(const struct sb_why *w, int64_t process, const char *name)
{
    const struct sb_profile *p = w->x.profile;
    return sb_str_eq(
        sb_profile_text(p, sb_profile_cell(p, SB_T_process, SB_C_process__name, (uint64_t)process - 1)),
        sb_str_of(name));
}

/* Mnesia tells its transaction manager that it starts a transaction again, and sleeps. */
static bool
restarts(const struct sb_why *w, int64_t id, int64_t manager, int64_t woke, const struct sb_step *s)
{
    return manager && sb_is_sleep(sb_evidence_text(&w->x, s->out)) &&
           sb_evidence_sent_to(&w->x, id, manager, woke, s->start + s->dur);
}

/* The server of the locks answers a request for a free lock at once. It waits for others while the lock is taken. */
static bool
is_queued(const struct sb_why *w, const struct sb_step *s)
{
    int64_t from = s->start + s->dur;
    return s->waker > 0 && sb_str_starts(sb_evidence_text(&w->x, s->out), SB_STR("mnesia_locker:")) &&
           2 * sb_idle_within(&w->x, s->waker, from, from + s->wait_ns) > s->wait_ns;
}

static bool
collect(const struct sb_why *w, int64_t id, int64_t manager, struct held *h)
{
    const struct sb_actor *a = &w->x.actor[id];
    int64_t before = h->sleeps + h->queued, woke = w->x.t0;
    for (uint32_t i = 0; i < a->n; i++) {
        const struct sb_step *s = &w->x.step[a->first + i];
        int64_t from = s->start + s->dur;
        if (s->wait == SB_WAIT_NONE || s->wait == SB_WAIT_IDLE)
            continue;
        bool sleeps = sb_str_starts(sb_evidence_text(&w->x, s->out), SB_STR("global:random_sleep")) ||
                      restarts(w, id, manager, woke, s),
             queued = !sleeps && is_queued(w, s);
        woke = from + s->wait_ns;
        if (!sleeps && !queued)
            continue;
        sb_ranges_add(&h->waits, from, woke);
        h->sleeps += sleeps;
        h->queued += queued;
    }
    return h->sleeps + h->queued > before;
}

static struct sb_str
words(const struct sb_why *w, int64_t processes, const struct held *h, int64_t ns)
{
    struct sb_str slept = sb_why_printf(w, "slept %.*s times to try again",
                                        SB_STR_ARG(sb_why_count(w, h->sleeps))),
                  queued = sb_why_printf(w, "stood in its queue %.*s times",
                                         SB_STR_ARG(sb_why_count(w, h->queued)));
    return sb_why_printf(w, "%lld %s found a lock taken: %s %.*s%s%.*s; %s waited for %.*s in all",
                         (long long)processes, processes == 1 ? "process" : "processes",
                         processes == 1 ? "it" : "they", SB_STR_ARG(h->sleeps ? slept : SB_STR("")),
                         h->sleeps && h->queued ? " and " : "", SB_STR_ARG(h->queued ? queued : SB_STR("")),
                         processes == 1 ? "it" : "at least one of them", SB_STR_ARG(sb_why_ns(w, ns)));
}

static void
find(struct sb_why *w)
{
    struct held h = {0};
    int64_t processes = 0, first = 0, manager = 0;
    for (uint64_t id = 1; id < w->x.n_actors && !manager; id++)
        manager = is_named(w, (int64_t)id, "mnesia_tm") ? (int64_t)id : 0;
    for (uint64_t id = 1; id < w->x.n_actors; id++) {
        bool found = w->x.actor[id].is_program && collect(w, (int64_t)id, manager, &h);
        processes += found;
        first = first == 0 && found ? (int64_t)id : first;
    }
    sb_ranges_unite(&h.waits);
    int64_t spare = sb_ranges_within(&h.waits, &w->x.level, SB_LEVEL_SPARE), ns = sb_ranges_ns(&h.waits);
    SB_VEC_FREE(&h.waits);
    if (processes == 0)
        return;
    sb_why_put(w, (struct sb_finding){
                      .process = first,
                      .subject = sb_why_who(w, first),
                      .title = words(w, processes, &h, ns),
                      .low_ns = 0,
                      .gain_ns = sb_least(spare, sb_why_headroom(w)),
                      .high_ns = sb_least(ns, sb_why_headroom(w)),
                      .confidence = "high",
                      .evidence = SB_STR("SELECT who(process), function, count, total_ns FROM wait WHERE "
                                         "function LIKE 'global:random_sleep%' OR "
                                         "function LIKE 'mnesia_locker:%' OR function LIKE 'timer:sleep%'"),
                  });
}
