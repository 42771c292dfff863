#include "why/find/alike.h"
#include "why/find/finding.h"

SB_RULE(overslept) = {
    .name = "overslept",
    .looks_for = "processes that start another one, or have it started, and sleep on after it has ended",
    .erlang = "wait for a message in place of sleeping and looking: the 'DOWN' of a monitor "
              "(spawn_monitor/1), or a "
              "reply of the process that was started",
    .elixir = "wait for a message in place of sleeping and looking: Task.await/2, a monitor, or a reply of "
              "the process "
              "that was started",
    .find = find,
};

enum { FEWEST = 10, MOST_OTHERS = 5 /* one in so many may do otherwise */ };

struct start {
    int64_t parent, at, end;
    int64_t id;
};
SB_ORDER(by_parent, struct start, SB_UP(parent) ?: SB_UP(at) ?: SB_UP(id))

struct sleeper {
    struct sb_alike
        alike; /* by the time from the end of what it had started to `woke`; none: it is another case */
    int64_t woke, started; /* process.id */
    int32_t in;
};

typedef SB_VEC(struct start) starts;

/* The last one that the parent started within [from, to]; NULL: none. */
static const struct start *
last_start(const starts *v, int64_t parent, int64_t from, int64_t to)
{
    size_t lo = 0, hi = v->n;
    SB_SEARCH(lo, hi, v->at[mid].parent < parent || (v->at[mid].parent == parent && v->at[mid].at <= to));
    return lo > 0 && v->at[lo - 1].parent == parent && v->at[lo - 1].at >= from ? &v->at[lo - 1] : NULL;
}

/* Its last wait is a sleep. What it had started before, itself or by a call, is done within the sleep or not. */
static bool
read_sleeper(const struct sb_why *w, const starts *v, int64_t id, struct sleeper *s)
{
    const struct sb_actor *a = &w->x.actor[id];
    const struct sb_step *sleep = NULL;
    const struct start *of = NULL;
    SB_EACH_STEP (&w->x, id, step) {
        int64_t from = step->start + step->dur;
        if (step->wait == SB_WAIT_NONE)
            continue;
        sleep = step->wait == SB_WAIT_TIMER && sb_is_sleep(sb_evidence_text(&w->x, step->out)) ? step : NULL;
        if (step->wait == SB_WAIT_ASKED)
            of = last_start(v, step->waker, from, from + step->wait_ns) ?: of;
        of = last_start(v, id, step->start, from) ?: of;
    }
    if (!sleep || a->end == SB_NULL)
        return false;
    int64_t from = sleep->start + sleep->dur, to = from + sleep->wait_ns;
    bool is_late = of && of->end != SB_NULL && of->end > from && of->end < to;
    *s = (struct sleeper){sb_alike(w->x.actor, id, is_late ? to - of->end : 0), to, of ? of->id : 0,
                          sleep->out};
    return true;
}

static void
put(struct sb_why *w, const struct sleeper *s, size_t n)
{
    SB_SCOPED struct sb_ranges late = {0};
    int64_t times = 0, ns = 0;
    for (; times < (int64_t)n && s[times].alike.most > 0; times++) {
        ns += s[times].alike.most;
        sb_ranges_add(&late, s[times].woke - s[times].alike.most, s[times].woke);
    }
    if (times < FEWEST || MOST_OTHERS * ((int64_t)n - times) > (int64_t)n)
        return;
    sb_ranges_unite(&late);
    struct sb_finding f = {
        .process = s->alike.id,
        .gain = {0, sb_ranges_within(&late, &w->x.level, SB_LEVEL_IDLE), sb_ranges_ns(&late)},
        .confidence = "medium",
        .evidence = "SELECT function, count, total_ns, max_ns FROM wait WHERE process = {process}",
    };
    sb_why_put(w, f,
               "%s processes started alike, such as %s, slept on in %s for %s on average after the process "
               "that they had "
               "started, or asked for, had ended, such as %s; then they ended",
               sb_words_count(w->arena, times), sb_why_who(w, s->alike.id), sb_why_function(w, s->in),
               sb_words_ns(w->arena, ns / times), sb_why_who(w, s->started));
}

static void
find(struct sb_why *w)
{
    starts of = {0};
    SB_VEC(struct sleeper) v = {0};
    struct sleeper s;
    SB_EACH_PRESENT (&w->x, id) {
        const struct sb_actor *a = &w->x.actor[id];
        if (a->parent >= 1 && a->start != SB_NULL)
            *SB_PUSH(&of) = (struct start){a->parent, a->start, a->end, id};
    }
    SB_SORT(&of, by_parent);
    SB_EACH_PRESENT (&w->x, id)
        if (w->x.actor[id].timeouts > 0 && w->x.actor[id].like > 0 && !sb_why_is_test(w, id) &&
            read_sleeper(w, &of, id, &s))
            *SB_PUSH(&v) = s;
    SB_EACH_ALIKE (&v, from, to)
        put(w, &v.at[from], to - from);
    SB_VEC_FREE(&of);
    SB_VEC_FREE(&v);
}
