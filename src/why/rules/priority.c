#include "base/order.h"
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

/*
 * A scheduler passes over a process of low priority 8 times as long as normal ones are ready, at each turn. Where other
 * programs take the cores some turns are late by milliseconds, whatever the priority, so a mean proves nothing: three
 * of four turns have to be late beside the typical turn of others.
 */
enum { TIMES = 4, FEWEST = 20 /* turns */, SHORTEST_NS = 200000 /* before a turn; a slice takes longer */ };

typedef SB_VEC(int64_t) turns; /* how long a process was ready before each */

SB_ORDER(by_length, int64_t, (*a > *b) - (*a < *b))

static void
add_turns(const struct sb_why *w, int64_t id, turns *v)
{
    SB_EACH_STEP (&w->x, id, s)
        if (!s->dirty && s->ready_low_ns > 0)
            *SB_PUSH(v) = s->ready_low_ns;
}

static int64_t
quantile(turns *v, size_t quarter)
{
    SB_SORT(v, by_length);
    return v->at[v->n * quarter / 4];
}

static void
put(struct sb_why *w, int64_t id, turns *own, int64_t others_ns)
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
        .gain = {0, ns - (int64_t)((double)ns * (double)others_ns / (double)quantile(own, 2)), ns},
        .confidence = "medium",
        .evidence = "SELECT start, runnable_ns, low_ns FROM gap WHERE process = {process} ORDER BY low_ns "
                    "DESC LIMIT 20",
    };
    sb_why_put(
        w, f,
        "%s was ready for %s or more before three of four of its %s turns, other processes typically for "
        "%s: its priority seems to be lower than theirs, and somebody waited for it during %s of that",
        sb_why_who(w, id), sb_words_ns(w->arena, quantile(own, 1)), sb_words_count(w->arena, (int64_t)own->n),
        sb_words_ns(w->arena, others_ns), sb_words_ns(w->arena, ns));
}

static void
look_at(struct sb_why *w, int64_t id)
{
    SB_SCOPED turns own = {0}, others = {0};
    add_turns(w, id, &own);
    if (own.n < FEWEST || quantile(&own, 1) < SHORTEST_NS)
        return;
    SB_EACH_PRESENT (&w->x, other)
        if (other != id)
            add_turns(w, other, &others);
    if (others.n >= FEWEST && quantile(&own, 1) >= TIMES * quantile(&others, 2))
        put(w, id, &own, quantile(&others, 2));
}

static void
find(struct sb_why *w)
{
    SB_EACH_PRESENT (&w->x, id) {
        int64_t ready_ns = 0;
        SB_EACH_STEP (&w->x, id, s)
            ready_ns += s->dirty ? 0 : s->ready_low_ns;
        if (w->awaits.clients[id] > 0 && w->x.actor[id].service == SB_SERVICE_NONE &&
            sb_why_is_material(w, ready_ns))
            look_at(w, id);
    }
}
