#include "why/find/finding.h"

SB_RULE(serial_start) = {
    .name = "serial_start",
    .looks_for = "a supervisor that starts children one after the other, each waiting in its init",
    .erlang = "return {ok, State, {continue, load}} from init/1 and do the slow part in handle_continue/2",
    .elixir = "return {:ok, state, {:continue, :load}} from init/1 and do the slow part in handle_continue/2",
    .find = find,
};

struct starts {
    int64_t n, total_ns, longest_ns;
    struct sb_ranges waits;
};

/*
 * Requests of others and ends of earlier children wake a supervisor while it waits for a child. Children start in the
 * order in which they are spawned, so the one that ends the wait for good was spawned after those before. A child that
 * starts after another one has crashed takes its place: it could not have started together with those before.
 */
static struct starts
starts_of(const struct sb_why *w, int64_t process)
{
    struct starts t = {0};
    int64_t ns = 0, spawned = SB_NULL;
    size_t counted = 0; /* of the waits */
    SB_EACH_STEP (&w->x, process, s) {
        if (s->wait == SB_WAIT_NONE ||
            !sb_str_starts(sb_evidence_text(&w->x, s->out), SB_STR("proc_lib:sync_start")))
            continue;
        ns += s->wait_ns;
        sb_ranges_add(&t.waits, s->start + s->dur, s->start + s->dur + s->wait_ns);
        const struct sb_actor *child = &w->x.actor[s->waker];
        if (s->waker <= 0 || child->parent != process || child->start == SB_NULL || child->start <= spawned)
            continue;
        if (sb_families_crashed(&w->families, process, spawned, child->start)) {
            t.waits.n = counted;
        } else {
            t.n++;
            t.total_ns += ns;
            t.longest_ns = ns > t.longest_ns ? ns : t.longest_ns;
        }
        counted = t.waits.n;
        spawned = child->start;
        ns = 0;
    }
    sb_ranges_unite(&t.waits);
    return t;
}

/* The program's part may begin in the init of the first child: the wait for it started before, and has no step. */
static void
add_first(const struct sb_why *w, int64_t process, struct starts *t)
{
    if (t->n == 0)
        return;
    SB_EACH_PRESENT (&w->x, id) {
        const struct sb_actor *a = &w->x.actor[id];
        const struct sb_traffic *ack = a->parent == process ? sb_evidence_edge(&w->x, id, process) : NULL;
        if (!ack || !a->is_program || a->start == SB_NULL || a->start > w->x.t0 || ack->first <= w->x.t0 ||
            ack->first > t->waits.at[0].from)
            continue;
        int64_t ns = ack->first - w->x.t0;
        t->n++;
        t->total_ns += ns;
        t->longest_ns = ns > t->longest_ns ? ns : t->longest_ns;
        sb_ranges_add(&t->waits, w->x.t0, ack->first);
        sb_ranges_unite(&t->waits);
        return;
    }
}

static void
put(struct sb_why *w, int64_t id, const struct starts *t)
{
    int64_t quiet = sb_ranges_within(&t->waits, &w->x.level, SB_LEVEL_QUIET),
            idle = sb_ranges_within(&t->waits, &w->x.level, SB_LEVEL_IDLE),
            rest = t->total_ns - t->longest_ns;
    struct sb_finding f = {
        .process = id,
        .gain = {0, sb_least(rest, idle + sb_why_spread(w, quiet > idle ? quiet - idle : 0)), rest},
        .confidence = "high",
        .evidence = "SELECT function, count, total_ns, max_ns FROM wait WHERE process = {process}",
    };
    sb_why_put(w, f,
               "%s started %s processes one after the other and waited %s for their init, up to %s for one",
               sb_why_who(w, id), sb_words_count(w->arena, t->n), sb_words_ns(w->arena, t->total_ns),
               sb_words_ns(w->arena, t->longest_ns));
}

static void
find(struct sb_why *w)
{
    SB_EACH_PRESENT (&w->x, id) {
        struct starts t = starts_of(w, id);
        add_first(w, id, &t);
        if (t.n > 1)
            put(w, id, &t);
        SB_VEC_FREE(&t.waits);
    }
}
