#include "base/order.h"
#include "why/find/finding.h"
#include "why/run/dealings.h"

SB_RULE(fine_grained) = {
    .name = "fine_grained",
    .looks_for = "many processes that each do very little, so that starting them costs more than their work",
    .erlang = "give each process a chunk of the work instead of one item",
    .elixir = "use Task.async_stream over chunks (Enum.chunk_every) instead of a task an item",
    .of_work = true,
    .find = find,
};

extern const struct sb_rule sb_rule_spawn_copying;

enum { FEWEST = 1000, SHORT_NS = 50000 };

struct swarm {
    int64_t n, parent, parents, work_ns, entry, first;
};

/* The slices of the parent in which it started one of them. */
static void
mark_starts(const struct sb_why *w, const struct swarm *s, int64_t group, bool *marked)
{
    const struct sb_actor *p = &w->x.actor[s->parent];
    const struct sb_step *step = w->x.step + p->first;
    for (size_t i = sb_family_begin(&w->families, s->parent, group); i < w->families.child.n; i++) {
        const struct sb_child *c = &w->families.child.at[i];
        size_t low = 0, high = p->n;
        if (c->parent != s->parent || c->group != group)
            break;
        if (c->id < s->first || w->x.actor[c->id].n == 0)
            continue;
        SB_SEARCH(low, high, step[mid].start <= c->start);
        if (low > 0 && c->start <= step[low - 1].start + step[low - 1].dur)
            marked[low - 1] = true;
    }
}

/* What their parents did for them: they started them, and were woken by them. `s->parent` becomes the one with most of
 * them. */
static struct sb_dealings
cost_of(const struct sb_why *w, struct swarm *s, int64_t group)
{
    struct sb_dealings cost = {0};
    bool *with = SB_NEW_N(w->arena, bool, w->x.n_actors + 1);
    int64_t *children = SB_NEW_N(w->arena, int64_t, w->x.n_actors + 1);
    for (int64_t id = s->first; id < w->x.n_actors; id++) {
        int64_t parent = w->x.actor[id].parent;
        with[id] = w->x.actor[id].group == group;
        if (with[id] && parent >= 1 && parent < w->x.n_actors)
            s->parents += children[parent]++ == 0;
    }
    for (int64_t id = 1; id < w->x.n_actors; id++) {
        if (children[id] == 0)
            continue;
        struct swarm of = {.parent = id, .first = s->first};
        bool *starts = SB_NEW_N(w->arena, bool, w->x.actor[id].n + 1);
        mark_starts(w, &of, group, starts);
        sb_dealings_add(&cost, &w->x, id, with, starts);
        s->parent = children[id] > children[s->parent] ? id : s->parent;
    }
    return cost;
}

static void
put(struct sb_why *w, const struct swarm *s, const struct sb_dealings *cost)
{
    struct sb_finding f = {
        .process = s->parent,
        .subject = sb_why_text(w, (int32_t)s->entry),
        .gain = {cost->alone_ns / 2, cost->share_ns, cost->work_ns},
        .confidence = "medium",
        .evidence = "SELECT count(*), sum(run_ns), max(run_ns) FROM process WHERE parent = {process}",
    };
    sb_why_put(
        w, f, "%s processes of %s worked %s each; %s%s worked %s to start them and to take their results",
        sb_words_count(w->arena, s->n), sb_why_text(w, (int32_t)s->entry),
        sb_words_ns(w->arena, s->work_ns / s->n), sb_why_who(w, s->parent),
        s->parents > 1 ? sb_words(w->arena, " and %s more like it", sb_words_count(w->arena, s->parents - 1))
                       : "",
        sb_words_ns(w->arena, cost->work_ns));
}

/* Processes that live for one piece of work: they end within the run and wait for no requests. */
static void
find(struct sb_why *w)
{
    uint64_t groups = sb_profile_rows(w->x.profile, SB_T_process_group) + 1;
    struct swarm *of = SB_NEW_N(w->arena, struct swarm, groups + 1);
    SB_EACH_PRESENT (&w->x, id) {
        const struct sb_actor *a = &w->x.actor[id];
        bool known = a->group >= 1 && (uint64_t)a->group < groups && a->parent >= 1 &&
                     a->parent < w->x.n_actors && a->end != SB_NULL && a->n > 0;
        if (!known)
            continue;
        of[a->group].first = of[a->group].n++ > 0 ? of[a->group].first : id;
        of[a->group].work_ns += a->work_ns;
        of[a->group].parent = a->parent;
        of[a->group].entry = a->entry == SB_NULL ? 0 : a->entry;
    }
    for (uint64_t g = 1; g < groups; g++) {
        if (of[g].n < sb_why_fewest(w, FEWEST) || sb_why_has(w, of[g].first) ||
            of[g].work_ns / of[g].n >= SHORT_NS || sb_why_has_alike(w, of[g].parent, &sb_rule_spawn_copying))
            continue;
        struct sb_dealings cost = cost_of(w, &of[g], (int64_t)g);
        if (2 * cost.work_ns >= of[g].work_ns)
            put(w, &of[g], &cost);
    }
}
