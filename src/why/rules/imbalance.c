#include "why/finding.h"

static void find(struct sb_why *w);

const struct sb_rule sb_rule_imbalance = {
    .name = "imbalance",
    .looks_for = "processes started alike of which one has much more work than the others, and goes on alone",
    .erlang = "cut the work into pieces of equal size, more of them than schedulers",
    .elixir = "cut the work into pieces of equal size, more of them than schedulers: Enum.chunk_every and "
              "Task.async_stream",
    .serializes = true,
    .needs_all = true,
    .find = find,
};

struct sisters {
    int64_t n, most, work_ns;
};

static void
put(struct sb_why *w, const struct sisters *s)
{
    const struct sb_actor *a = &w->x.actor[s->most];
    int64_t mean = (s->work_ns - a->work_ns) / (s->n - 1), gain = sb_why_spread(w, a->alone_ns);
    if (a->work_ns < 2 * mean || !sb_why_is_material(w, a->work_ns - mean))
        return;
    sb_why_put(
        w,
        (struct sb_finding){
            .process = s->most,
            .subject = sb_why_who(w, s->most),
            .title = sb_why_printf(
                w,
                "of %lld processes started alike, %.*s had %d %% of the work: %.*s, %.*s on average for "
                "the others; it was at work alone for %.*s",
                (long long)s->n, SB_STR_ARG(sb_why_who(w, s->most)), sb_percent(a->work_ns, s->work_ns),
                SB_STR_ARG(sb_why_ns(w, a->work_ns)), SB_STR_ARG(sb_why_ns(w, mean)),
                SB_STR_ARG(sb_why_ns(w, a->alone_ns))),
            .low_ns = gain / 2,
            .gain_ns = gain,
            .high_ns = sb_least(sb_why_spread(w, a->work_ns), sb_why_headroom(w)),
            .spread = true,
            .confidence = "high",
            .evidence = sb_why_printf(
                w,
                "SELECT who(id), run_ns, start, end FROM process WHERE group_id = %lld ORDER BY run_ns DESC",
                (long long)a->group),
        });
}

/* Sisters have one parent and one entry, and wait for no requests. */
static void
find(struct sb_why *w)
{
    uint64_t groups = sb_profile_rows(w->x.profile, SB_T_process_group) + 1;
    struct sisters *of = SB_NEW_N(w->arena, struct sisters, groups + 1);
    for (uint64_t id = 1; id < w->x.n_actors; id++) {
        const struct sb_actor *a = &w->x.actor[id];
        if (a->group < 1 || (uint64_t)a->group >= groups || a->n == 0 || a->service != SB_SERVICE_NONE ||
            w->awaits.clients[id] > 1)
            continue;
        struct sisters *s = &of[a->group];
        s->n++;
        s->work_ns += a->work_ns;
        if (s->most == 0 || a->work_ns > w->x.actor[s->most].work_ns)
            s->most = (int64_t)id;
    }
    for (uint64_t g = 1; g < groups && w->x.schedulers > 1; g++)
        if (of[g].n > 2 && w->x.actor[of[g].most].is_program)
            put(w, &of[g]);
}
