#include "why/find/finding.h"
#include "base/order.h"

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

struct sisters {
    int64_t n, most, work_ns;
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
put(struct sb_why *w, const struct sisters *s)
{
    const struct sb_actor *a = &w->x.actor[s->most];
    int64_t mean = (s->work_ns - a->work_ns) / (s->n - 1), gain = gain_of(w, a);
    if (a->work_ns < 2 * mean || !sb_why_is_material(w, a->work_ns - mean))
        return;
    struct sb_finding f = {
        .process = s->most,
        .gain = {gain / 2, gain, sb_least(sb_why_spread(w, a->work_ns), sb_why_headroom(w))},
        .spread = true,
        .confidence = "high",
        .evidence = "SELECT who(id), run_ns, start, end FROM process WHERE entry = (SELECT entry FROM "
                    "process WHERE id = {process}) ORDER BY run_ns DESC LIMIT 20",
    };
    sb_why_put(w, f,
               "of %s processes started alike, %s had %d %% of the work: %s, %s on average for the others; "
               "it was at work alone for %s",
               sb_words_count(w->arena, s->n), sb_why_who(w, s->most), sb_percent(a->work_ns, s->work_ns),
               sb_words_ns(w->arena, a->work_ns), sb_words_ns(w->arena, mean),
               sb_words_ns(w->arena, a->alone_ns));
}

struct sister {
    int64_t like, id;
};

SB_ORDER(by_likeness, struct sister, SB_UP(like) ?: SB_UP(id))

/* Sisters that write to each other do different things, as the stages of a pipeline with one callback module. */
static bool
writes_to_sister(const struct sb_why *w, const struct sister *v, uint64_t from, uint64_t to, int64_t id)
{
    for (uint64_t i = from; i < to; i++)
        if (v[i].id != id && (sb_evidence_edge(&w->x, id, v[i].id) || sb_evidence_edge(&w->x, v[i].id, id)))
            return true;
    return false;
}

/* Sisters wait for no requests. */
static void
find(struct sb_why *w)
{
    uint64_t n = 0;
    struct sister *v = SB_NEW_N(w->arena, struct sister, w->x.n_actors);
    SB_EACH_PRESENT (&w->x, id) {
        const struct sb_actor *a = &w->x.actor[id];
        if (a->like > 0 && a->n > 0 && a->service == SB_SERVICE_NONE && w->awaits.clients[id] < 2 &&
            !sb_why_is_test(w, id))
            v[n++] = (struct sister){a->like, id};
    }
    sb_sort(v, n, sizeof *v, by_likeness);
    for (uint64_t i = 0, to; i < n && w->x.schedulers > 1; i = to) {
        struct sisters s = {0};
        for (to = i; to < n && v[to].like == v[i].like; to++) {
            const struct sb_actor *a = &w->x.actor[v[to].id];
            s.n++;
            s.work_ns += a->work_ns;
            if (s.most == 0 || a->work_ns > w->x.actor[s.most].work_ns)
                s.most = v[to].id;
        }
        if (s.n > 2 && w->x.actor[s.most].is_program && !writes_to_sister(w, v, i, to, s.most))
            put(w, &s);
    }
}
