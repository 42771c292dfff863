#include "why/find/finding.h"

SB_RULE(global_lock) = {
    .name = "global_lock",
    .looks_for = "processes that sleep and try again because another one holds a lock",
    .erlang =
        "where one lock is for different things, lock each by its key; where all want the same thing, hold "
        "the lock for a shorter time, take it last, or let one process do that part: a counter of Mnesia "
        "needs no transaction (mnesia:dirty_update_counter/3)",
    .elixir =
        "where one lock is for different things, lock each by its key; where all want the same thing, hold "
        "the lock for a shorter time, take it last, or let one process do that part: a counter of Mnesia "
        "needs no transaction (:mnesia.dirty_update_counter/3)",
    .find = find,
};

/* What processes did because a lock was taken. */
struct held {
    int64_t sleeps,
        queued;        /* times that one slept and tried again, or stood in the queue of the lock server */
    int64_t of_global; /* of the sleeps; all else was for Mnesia */
    struct sb_ranges waits; /* both */
};

static bool
is_named(const struct sb_why *w, int64_t process, const char *name)
{
    return sb_str_eq(sb_words_cell(w->x.profile, process, SB_C_process__name), sb_str_of(name));
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
    int64_t before = h->sleeps + h->queued, woke = w->x.t0;
    bool goes_on = false; /* a sleep that something interrupted */
    SB_EACH_STEP (&w->x, id, s) {
        int64_t from = s->start + s->dur;
        if (s->wait == SB_WAIT_NONE || s->wait == SB_WAIT_IDLE)
            continue;
        bool is_global = sb_str_starts(sb_evidence_text(&w->x, s->out), SB_STR("global:random_sleep")),
             sleeps = !goes_on && (is_global || restarts(w, id, manager, woke, s)),
             queued = !goes_on && !sleeps && is_queued(w, s), counts = goes_on || sleeps || queued;
        woke = from + s->wait_ns;
        goes_on = (goes_on || sleeps) && s->interrupted;
        if (!counts)
            continue;
        sb_ranges_add(&h->waits, from, woke);
        h->sleeps += sleeps;
        h->of_global += sleeps && is_global;
        h->queued += queued;
    }
    return h->sleeps + h->queued > before;
}

/* The innermost function of the program on a stack that a lock or a transaction is on; 0: there is none. */
static int64_t
caller_of(const struct sb_cpu_samples *c, uint32_t stack)
{
    bool is_lock = false;
    for (uint32_t f = stack; f; f = c->frame[f].caller) {
        struct sb_str name = sb_profile_text(c->profile, c->frame[f].function);
        is_lock |= sb_str_starts(name, SB_STR("global:")) || sb_str_starts(name, SB_STR("mnesia"));
        if (is_lock && c->frame[f].code == SB_CPU_ERLANG && !sb_is_otp(name))
            return c->frame[f].function;
    }
    return 0;
}

/* The function that asks for locks in most of the samples which show that. */
static const char *
by_whom(const struct sb_why *w)
{
    const struct sb_cpu_samples *c = sb_cpu_samples_of(w->x.profile);
    uint64_t *n = SB_NEW_N(w->arena, uint64_t, (uint64_t)sb_profile_texts(w->x.profile) + 1);
    enum { FEWEST = 3 };
    struct sb_vm_caller best = {0};
    for (size_t i = 0; i < c->n_samples; i++) {
        int64_t function = c->sample[i].process ? caller_of(c, c->sample[i].stack) : 0;
        if (function <= 0)
            continue;
        best.known++;
        if (++n[function] > best.samples) {
            best.samples = n[function];
            best.function = function;
        }
    }
    return best.known < FEWEST ? "" : sb_why_caller(w, &best);
}

static const char *
words(const struct sb_why *w, int64_t processes, const struct held *h, int64_t ns, const char *whom)
{
    const char *slept =
                   sb_words(w->arena, "slept %s times to try again", sb_words_count(w->arena, h->sleeps)),
               *queued =
                   sb_words(w->arena, "stood in its queue %s times", sb_words_count(w->arena, h->queued));
    const char *of = h->of_global == 0                       ? " of Mnesia"
                     : h->of_global == h->sleeps + h->queued ? " of global"
                                                             : "";
    return sb_words(w->arena, "%s %s found a lock%s taken: %s %s%s%s; %s waited for %s in all%s",
                    sb_words_count(w->arena, processes), processes == 1 ? "process" : "processes", of,
                    processes == 1 ? "it" : "they", h->sleeps ? slept : "",
                    h->sleeps && h->queued ? " and " : "", h->queued ? queued : "",
                    processes == 1 ? "it" : "at least one of them", sb_words_ns(w->arena, ns), whom);
}

static void
find(struct sb_why *w)
{
    struct held h = {0};
    int64_t processes = 0, first = 0, manager = 0;
    SB_EACH_PRESENT (&w->x, id)
        manager = !manager && is_named(w, id, "mnesia_tm") ? id : manager;
    SB_EACH_PRESENT (&w->x, id) {
        bool found = w->x.actor[id].is_program && collect(w, id, manager, &h);
        processes += found;
        first = first == 0 && found ? id : first;
    }
    sb_ranges_unite(&h.waits);
    int64_t ns = sb_ranges_ns(&h.waits), most = sb_least(ns, sb_why_headroom(w));
    SB_VEC_FREE(&h.waits);
    if (processes == 0)
        return;
    struct sb_finding f = {
        .process = first,
        .gain = {0, most, most},
        .confidence = "high",
        .evidence =
            "SELECT who(process), function, count, total_ns FROM wait WHERE function LIKE "
            "'global:random_sleep%' OR function LIKE 'mnesia_locker:%' OR function LIKE 'timer:sleep%'",
    };
    sb_why_put(w, f, "%s", words(w, processes, &h, ns, by_whom(w)));
}
