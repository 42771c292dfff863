#include "why/find/finding.h"

SB_RULE(priority) = {
    .name = "priority",
    .looks_for = "a process that others wait for and that gets its turns far later than its neighbours",
    .erlang = "give all of them normal priority: take out process_flag(priority, low), or high of the "
              "others, and {priority, P} of spawn_opt",
    .elixir = "give all of them normal priority: take out Process.flag(:priority, :low), or :high of the "
              "others, and priority: P of spawn_opt",
    .of_work = true,
    .find = find,
};

/* A scheduler passes over a process of low priority 8 times as long as normal ones are ready. */
enum { TIMES = 4, FEWEST = 20 /* turns */, SHORTEST_NS = 200000 /* before a turn; a slice takes longer */ };

struct turns {
    int64_t n, ready_ns;
};

static struct turns
turns_of(const struct sb_why *w, int64_t id)
{
    struct turns t = {0};
    SB_EACH_STEP (&w->x, id, s) {
        if (s->dirty || s->ready_low_ns <= 0)
            continue;
        t.n++;
        t.ready_ns += s->ready_low_ns;
    }
    return t;
}

static void
put(struct sb_why *w, int64_t id, const struct turns *t, int64_t others_ns)
{
    SB_SCOPED struct sb_ranges waits = {0}, ready = {0};
    sb_awaits_of(&w->awaits, id, &waits);
    SB_EACH_STEP (&w->x, id, s) {
        int64_t to = s->start + s->dur + s->wait_ns + s->handover_ns + s->ready_ns;
        if (s->ready_low_ns > 0)
            sb_ranges_add(&ready, to - s->ready_low_ns, to);
    }
    sb_ranges_unite(&ready);
    sb_ranges_cut(&ready, &waits);
    int64_t ns = sb_ranges_ns(&ready);
    struct sb_finding f = {
        .process = id,
        .gain = {0, ns - (int64_t)((double)ns * (double)others_ns * (double)t->n / (double)t->ready_ns), ns},
        .confidence = "medium",
        .evidence = "SELECT start, runnable_ns, low_ns FROM gap WHERE process = {process} ORDER BY low_ns "
                    "DESC LIMIT 20",
    };
    sb_why_put(w, f,
               "%s was ready for %s before each of its %s turns, other processes for %s: its priority seems "
               "to be lower than theirs, and somebody waited for it during %s of that",
               sb_why_who(w, id), sb_words_ns(w->arena, t->ready_ns / t->n), sb_words_count(w->arena, t->n),
               sb_words_ns(w->arena, others_ns), sb_words_ns(w->arena, ns));
}

static void
find(struct sb_why *w)
{
    struct turns *of = SB_NEW_N(w->arena, struct turns, w->x.n_actors + 1), all = {0};
    SB_EACH_PRESENT (&w->x, id) {
        of[id] = turns_of(w, id);
        all.n += of[id].n;
        all.ready_ns += of[id].ready_ns;
    }
    SB_EACH_PRESENT (&w->x, id) {
        const struct turns *t = &of[id];
        int64_t others = all.n - t->n;
        if (t->n < FEWEST || others < FEWEST || w->awaits.clients[id] == 0 ||
            w->x.actor[id].service != SB_SERVICE_NONE || !sb_why_is_material(w, t->ready_ns))
            continue;
        int64_t others_ns = (all.ready_ns - t->ready_ns) / others;
        if (others_ns > 0 && t->ready_ns / t->n >= TIMES * others_ns && t->ready_ns / t->n >= SHORTEST_NS)
            put(w, id, t, others_ns);
    }
}
