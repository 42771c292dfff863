#include "why/find/alike.h"
#include "why/find/finding.h"

SB_RULE(imbalance) = {
    .name = "imbalance",
    .looks_for = "processes started alike of which one has much more work than the others, and goes on alone",
    .erlang = "cut the work into pieces of equal size, more of them than schedulers",
    .elixir = "cut the work into pieces of equal size, more of them than schedulers: Enum.chunk_every and "
              "Task.async_stream",
    .serializes = true,
    .needs_all = true,
    .of_work = true,
    .find = find,
};

/* While other programs take the cores, messages wait that the other sisters could have taken at once: then the work of
 * that one, more than its share of the schedulers, sets the gain. */
static int64_t
gain_of(const struct sb_why *w, const struct sb_actor *a)
{
    int64_t alone = sb_why_spread(w, a->alone_ns), all = sb_why_serial_gain(w, a->work_ns, alone);
    return all > alone ? all : alone;
}

static void
put(struct sb_why *w, const struct sb_alike *most, size_t n)
{
    const struct sb_actor *a = &w->x.actor[most->id];
    int64_t all = 0, gain = gain_of(w, a);
    for (size_t i = 0; i < n; i++)
        all += most[i].most;
    int64_t mean = (all - a->work_ns) / ((int64_t)n - 1);
    if (a->work_ns < 2 * mean || !sb_why_is_material(w, a->work_ns - mean))
        return;
    struct sb_finding f = {
        .process = most->id,
        .gain = {gain / 2, gain, sb_least(sb_why_spread(w, a->work_ns), sb_why_headroom(w))},
        .spread = true,
        .confidence = "high",
        .evidence = "SELECT who(id), run_ns, start, end FROM process WHERE entry = (SELECT entry FROM "
                    "process WHERE id = {process}) ORDER BY run_ns DESC LIMIT 20",
    };
    sb_why_put(w, f,
               "of %s processes started alike, %s had %d %% of the work: %s, %s on average for the others; "
               "it was at work alone for %s",
               sb_words_count(w->arena, (int64_t)n), sb_why_who(w, most->id), sb_percent(a->work_ns, all),
               sb_words_ns(w->arena, a->work_ns), sb_words_ns(w->arena, mean),
               sb_words_ns(w->arena, a->alone_ns));
}

/* Sisters that write to each other do different things, as the stages of a pipeline with one callback module. */
static bool
writes_to_sister(const struct sb_why *w, const struct sb_alike *v, size_t n)
{
    for (size_t i = 1; i < n; i++)
        if (sb_evidence_edge(&w->x, v->id, v[i].id) || sb_evidence_edge(&w->x, v[i].id, v->id))
            return true;
    return false;
}

/* Sisters wait for no requests. */
static void
find(struct sb_why *w)
{
    SB_SCOPED SB_VEC(struct sb_alike) v = {0};
    SB_EACH_PRESENT (&w->x, id) {
        const struct sb_actor *a = &w->x.actor[id];
        if (a->like > 0 && a->n > 0 && a->service == SB_SERVICE_NONE && w->awaits.clients[id] < 2 &&
            !sb_why_is_test(w, id))
            *SB_PUSH(&v) = sb_alike(w->x.actor, id, a->work_ns);
    }
    SB_EACH_ALIKE (&v, from, to) {
        const struct sb_alike *most = &v.at[from];
        if (w->x.schedulers > 1 && to - from > 2 && w->x.actor[most->id].is_program &&
            !writes_to_sister(w, most, to - from))
            put(w, most, to - from);
    }
}
