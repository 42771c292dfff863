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
    .of_requests = true,
    .find = find,
};

/*
 * A process of normal priority is ready no longer than it takes the others to have a turn each; a scheduler passes over
 * one of low priority 8 times as long, at each turn. Where other programs take the cores some turns are late by
 * milliseconds, whatever the priority, so a mean proves nothing: three of four turns have to be late beside the time in
 * which those that do half of the work typically get one turn after the other.
 */
enum { TIMES = 4, FEWEST = 20 /* turns */, SHORTEST_NS = 200000 /* before a turn; a slice takes longer */ };

struct turn {
    int64_t ns, weight;
};
typedef SB_VEC(struct turn) turns;

SB_ORDER(by_length, struct turn, SB_UP(ns))

/* How long the process was ready before each of its turns; `others`: how long one of them and the ready time were. */
static void
add_turns(const struct sb_why *w, int64_t id, bool others, turns *v)
{
    SB_EACH_STEP (&w->x, id, s)
        if (!s->dirty && s->ready_low_ns > 0)
            *SB_PUSH(v) = (struct turn){s->ready_low_ns + (others ? s->dur : 0), 1};
}

/* So many quarters of the weight are in shorter ones. */
static int64_t
quantile(turns *v, int64_t quarters)
{
    int64_t all = 0, sum = 0;
    SB_SORT(v, by_length);
    for (size_t i = 0; i < v->n; i++)
        all += v->at[i].weight;
    for (size_t i = 0; i < v->n; i++)
        if (4 * (sum += v->at[i].weight) > quarters * all)
            return v->at[i].ns;
    return SB_NULL;
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
        "%s was ready for %s or more before three of four of its %s turns, while others got one within "
        "%s: its priority seems to be lower than theirs, and somebody waited for it during %s of that",
        sb_why_who(w, id), sb_words_ns(w->arena, quantile(own, 1)), sb_words_count(w->arena, (int64_t)own->n),
        sb_words_ns(w->arena, others_ns), sb_words_ns(w->arena, ns));
}

/* The median of the processes other than that, each with its work; SB_NULL: none has enough turns. */
static int64_t
turn_of_others(const struct sb_why *w, int64_t id)
{
    SB_SCOPED turns of = {0}, one = {0};
    SB_EACH_PRESENT (&w->x, other) {
        one.n = 0;
        if (other != id)
            add_turns(w, other, true, &one);
        if (one.n >= FEWEST)
            *SB_PUSH(&of) = (struct turn){quantile(&one, 2), w->x.actor[other].work_ns};
    }
    return quantile(&of, 2);
}

static void
look_at(struct sb_why *w, int64_t id)
{
    SB_SCOPED turns own = {0};
    add_turns(w, id, false, &own);
    if (own.n < FEWEST || quantile(&own, 1) < SHORTEST_NS)
        return;
    int64_t others = turn_of_others(w, id);
    if (others != SB_NULL && quantile(&own, 1) >= TIMES * others)
        put(w, id, &own, others);
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
