#include "base/order.h"
#include "why/find/finding.h"

SB_RULE(spawn_copying) = {
    .name = "spawn_copying",
    .looks_for = "processes that begin with much data: spawn copies the arguments and all that a fun holds",
    .erlang = "take out of the data what the process needs before the fun is made, and let the fun hold that "
              "alone; keep shared data in persistent_term or ETS",
    .elixir = "take out of the data what the process needs before the fun is made, and let the fun hold that "
              "alone (not the state or socket with it); keep shared data in :persistent_term or ETS",
    .of_work = true,
    .find = find,
};

/*
 * The trace has no size of arguments. But the first collection of a process finds them on its heap, beside what
 * messages brought and what the process made there itself: at most a word a nanosecond of its work (lists and terms
 * from ETS took 0.8 to 3.8 ns a word on fresh memory, make_tuple and binary_to_list 0.4, but not beside a parent that
 * works that long before each spawn). The parent made the copy in the slice of the spawn, after the spawn before;
 * collections of the process may copy it again. Processes that end without a collection do not count.
 */
enum { LARGE = 1000 /* words */, FEWEST = 20, LOW_NS = 1, WORD_NS = 5, HIGH_NS = 25 };

struct copying {
    int64_t n, words, last; /* processes, words at least; when the last of any size was started */
    int64_t child, likely_ns, most_ns;
};

static int64_t
copied(const struct sb_why *w, int64_t id)
{
    const struct sb_actor *a = &w->x.actor[id];
    int64_t words = a->gc.words;
    SB_EACH_STEP (&w->x, id, s)
        if (s->start < a->gc.at)
            words -= sb_least(s->dur, a->gc.at - s->start);
    for (uint32_t i = w->x.inbox[id]; words > 0 && i < w->x.inbox[id + 1]; i++)
        words -= w->x.letter[i].sent < a->gc.at ? w->x.letter[i].words : 0;
    return words;
}

/* The work of the parent that may have been the copy: of the slice of the spawn, since the spawn before. */
static int64_t
work_before(const struct sb_why *w, int64_t parent, int64_t from, int64_t to)
{
    const struct sb_actor *p = &w->x.actor[parent];
    size_t low = p->first, high = p->first + p->n;
    SB_SEARCH(low, high, w->x.step[mid].start <= to);
    if (low == p->first)
        return 0;
    int64_t start = w->x.step[low - 1].start;
    return to - (start > from ? start : from);
}

static void
add(const struct sb_why *w, int64_t id, struct copying *c)
{
    const struct sb_actor *a = &w->x.actor[id];
    int64_t words = a->gc.at > 0 ? copied(w, id) : 0, ns = work_before(w, a->parent, c->last, a->start);
    c->last = a->start;
    if (words < LARGE || ns < words * LOW_NS)
        return;
    c->n++;
    c->words += words;
    c->child = id;
    c->likely_ns += sb_least(ns, words * WORD_NS);
    c->most_ns += sb_least(ns, a->gc.words * HIGH_NS) + a->gc_ns;
}

static void
put(struct sb_why *w, int64_t id, const struct copying *c)
{
    const struct sb_actor *p = &w->x.actor[id];
    double share = (double)p->share_ns / (double)p->work_ns;
    struct sb_finding f = {
        .process = id,
        .gain = {0, (int64_t)((double)c->likely_ns * share), c->most_ns},
        .confidence = "medium",
        .evidence =
            "SELECT who(p.id), p.start, min(g.start) AS first_gc, g.heap_before FROM process p JOIN gc g ON "
            "g.process = p.id WHERE p.parent = {process} GROUP BY p.id ORDER BY g.heap_before DESC LIMIT 20",
    };
    sb_why_put(w, f,
               "%s started %s processes, such as %s, that began with at least %s words on average: spawn "
               "copies the arguments and what a fun holds",
               sb_why_who(w, id), sb_words_count(w->arena, c->n), sb_why_who(w, c->child),
               sb_words_count(w->arena, c->words / c->n));
}

/* Samples tell it without a collection: the work of spawn itself is small. */
static void
find_samples(struct sb_why *w)
{
    enum { LEAST_SAMPLES = 30, LEAST_PERCENT = 25 };
    uint64_t *of = SB_NEW_N(w->arena, uint64_t, w->x.n_actors), all = 0;
    int64_t most = 0;
    for (size_t i = 0; i < w->vm.all->n_samples; i++) {
        const struct sb_cpu_sample *s = &w->vm.all->sample[i];
        if (!sb_vm_counts(&w->vm, s) || s->process >= w->x.n_actors || !sb_vm_copies_for_spawn(&w->vm, s))
            continue;
        all++;
        most = ++of[s->process] > of[most] ? s->process : most;
    }
    if (all < LEAST_SAMPLES || !sb_vm_takes(all, w->vm.n, LEAST_PERCENT))
        return;
    struct sb_finding f = {
        .process = most,
        .gain = {SB_NULL, SB_NULL, sb_why_vm_ns(w, all, w->vm.n)},
        .confidence = "high",
        .evidence = "SELECT function, self, total, processes FROM cpu_function LIMIT 20",
    };
    sb_why_put(
        w, f,
        "%s starts processes: copying what they begin with, their arguments and what a fun holds, took "
        "%d %% of the CPU time of processes",
        sb_why_who(w, most), sb_percent((int64_t)all, (int64_t)w->vm.n));
}

static void
find(struct sb_why *w)
{
    struct copying *by = SB_NEW_N(w->arena, struct copying, w->x.n_actors);
    SB_EACH_PRESENT (&w->x, id) {
        const struct sb_actor *a = &w->x.actor[id];
        if (a->parent > 0 && a->parent < w->x.n_actors && a->start != SB_NULL && a->start >= w->x.t0)
            add(w, id, &by[a->parent]);
    }
    SB_EACH_PRESENT (&w->x, id)
        if (by[id].n >= FEWEST && w->x.actor[id].work_ns > 0)
            put(w, id, &by[id]);
    if (w->vm.n > 0)
        find_samples(w);
}
