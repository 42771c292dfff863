#include "why/find/finding.h"
#include "why/run/dealings.h"
#include "why/run/threads.h"

SB_RULE(message_copying) = {
    .name = "message_copying",
    .looks_for = "large messages: the sender copies every word, and the receiver collects it",
    .erlang = "send the part that the receiver needs, keep shared data in ETS or persistent_term, or send "
              "binaries larger than 64 bytes, which are not copied",
    .elixir = "send the part that the receiver needs, keep shared data in ETS or :persistent_term, or send "
              "binaries larger than 64 bytes, which are not copied",
    .of_work = true,
    .of_requests = true,
    .find = find,
};

/*
 * Copying a word and collecting it took 2 to 25 ns in lists, tuples, maps and strings of 200 to 40,000 words. The
 * tracer measures a part of a large message only: then the words that the receiver's collections found beside its heap
 * are divided among its messages of that kind. They are a lower bound: messages that were built on the heap are not
 * among them.
 */
enum { LOW_NS = 2, WORD_NS = 10, HIGH_NS = 25, LARGE = 200 /* words a message */ };

#define A_COPY "a message to another process is a copy"

struct copied { /* by a process, or by a group */
    int64_t words, messages;
    int64_t measured, at_least; /* words that the tracer counted; messages of which it counted a part */
    int64_t gc_ns;              /* of the receivers */
    int64_t senders, work_ns, share_ns;
    int64_t most, most_words; /* the process that sent most of it */
};

static int64_t
words_of(const struct sb_why *w, const struct sb_traffic *e, const int64_t *cut)
{
    double found = (double)w->x.actor[e->receiver].gc.mbuf_words;
    int64_t share =
        cut[e->receiver] > 0 ? (int64_t)(found * (double)e->at_least / (double)cut[e->receiver]) : 0;
    return share > e->words ? share : e->words;
}

static bool
is_large(const struct sb_why *w, const struct sb_traffic *e, const int64_t *cut)
{
    return e->count >= 1 && words_of(w, e, cut) / e->count >= LARGE;
}

static struct copied *
copied_by(const struct sb_why *w, const int64_t *cut)
{
    struct copied *c = SB_NEW_N(w->arena, struct copied, w->x.n_actors + 1);
    for (size_t i = 0; i < w->x.n_edges; i++) {
        const struct sb_traffic *e = &w->x.edge[i];
        if (!is_large(w, e, cut))
            continue;
        c[e->sender].words += words_of(w, e, cut);
        c[e->sender].messages += e->count;
        c[e->sender].measured += e->words;
        c[e->sender].at_least += e->at_least;
        c[e->sender].gc_ns += w->x.actor[e->receiver].gc_ns;
    }
    return c;
}

/* The same by process_group.id, with the collections that the receivers of one sender made: mostly they are one. */
static struct copied *
copied_by_group(const struct sb_why *w, const struct copied *by, uint64_t groups)
{
    struct copied *all = SB_NEW_N(w->arena, struct copied, groups + 1);
    SB_EACH_PRESENT (&w->x, id) {
        const struct sb_actor *a = &w->x.actor[id];
        if (by[id].messages == 0 || a->group < 1 || (uint64_t)a->group > groups ||
            a->service != SB_SERVICE_NONE)
            continue;
        struct copied *c = &all[a->group];
        c->words += by[id].words;
        c->messages += by[id].messages;
        c->measured += by[id].measured;
        c->at_least += by[id].at_least;
        c->gc_ns = by[id].gc_ns > c->gc_ns ? by[id].gc_ns : c->gc_ns;
        c->senders++;
        c->work_ns += a->work_ns;
        c->share_ns += a->share_ns;
        c->most = by[id].words > c->most_words ? id : c->most;
        c->most_words = by[id].words > c->most_words ? by[id].words : c->most_words;
    }
    return all;
}

/* "1,040 messages of at least 61,852 words on average": the one size that this rule speaks of, and the one that table
 * message has, where it is another. */
static const char *
sizes(const struct sb_why *w, const struct copied *c)
{
    const char *seen =
        c->words > c->measured
            ? sb_words(w->arena, " (collections of the receivers show it; the tracer counted %s)",
                       sb_words_count(w->arena, c->measured / c->messages))
            : "";
    return sb_words(w->arena, "%s messages of %s%s words on average%s", sb_words_count(w->arena, c->messages),
                    c->at_least > 0 ? "at least " : "", sb_words_count(w->arena, c->words / c->messages),
                    seen);
}

enum { LEAST_SAMPLES = 30 };

/* The part of the work that samples saw the senders copy, the process alone or (0) those of the group; false: the
 * samples are too few. */
static bool
sampled_ns(const struct sb_why *w, const struct copied *by, int64_t process, int64_t group, int64_t work_ns,
           struct sb_bounded *ns)
{
    double work = (double)work_ns, n = 0, part = 0;
    for (size_t i = 0; i < w->vm.all->n_samples; i++) {
        const struct sb_cpu_sample *s = &w->vm.all->sample[i];
        if (!sb_vm_counts(&w->vm, s) || s->process >= w->x.n_actors || by[s->process].messages == 0 ||
            (process > 0 ? s->process != process : w->x.actor[s->process].group != group))
            continue;
        part += sb_vm_sample_work(&w->vm, s) == SB_VM_COPY;
        n++;
    }
    if (n < LEAST_SAMPLES)
        return false;
    *ns = (struct sb_bounded){(int64_t)(work * sb_cpu_limit(part, n, -1)), (int64_t)(work * part / n),
                              (int64_t)(work * sb_cpu_limit(part, n, 1))};
    return true;
}

/* What it cost by words; samples say it better. */
static const char *
a_word(const struct sb_why *w)
{
    return sb_words(w->arena, ", which takes some %d to %d ns a word", LOW_NS, HIGH_NS);
}

/* process: 0: of a group, then any copy for a message counts */
static const char *
sampled_words(const struct sb_why *w, int64_t process, int64_t ns, int64_t work_ns)
{
    struct sb_vm_caller c = sb_vm_caller_of(&w->vm, SB_VM_COPY, process);
    return sb_words(w->arena, "; copying was %d %% of %s CPU time%s", sb_percent(ns, work_ns),
                    process > 0 ? "its" : "their", sb_why_caller(w, &c));
}

/* By words alone a part of it may be all that a cure saves, or none: the copy that another one replaces costs, too.
 * Where words were not all counted only the work, `most`, is a bound. */
static struct sb_bounded
by_words(const struct copied *c, double slowdown, int64_t most)
{
    double words = (double)c->words * slowdown;
    return (struct sb_bounded){0, (int64_t)(words * WORD_NS),
                               c->at_least > 0 ? most : (int64_t)(words * HIGH_NS)};
}

/* Copies are made while large messages are sent, and collected by the receivers. */
static void
put(struct sb_why *w, int64_t id, const struct copied *all, const int64_t *cut, bool *with, double slowdown)
{
    const struct sb_actor *a = &w->x.actor[id];
    const struct copied *c = &all[id];
    double share = (double)a->share_ns / (double)a->work_ns;
    struct sb_dealings sending = {0};
    for (uint32_t i = w->x.pairs[id]; i < w->x.pairs[id + 1]; i++)
        with[w->x.edge[i].receiver] = is_large(w, &w->x.edge[i], cut);
    sb_dealings_add(&sending, &w->x, id, with, NULL);
    for (uint32_t i = w->x.pairs[id]; i < w->x.pairs[id + 1]; i++)
        with[w->x.edge[i].receiver] = false;
    int64_t with_gc = sending.work_ns + c->gc_ns, cap = sb_least(a->work_ns, with_gc);
    struct sb_bounded cost = by_words(c, slowdown, with_gc), seen;
    const char *said = a_word(w);
    if (sampled_ns(w, all, id, 0, a->work_ns, &seen)) {
        cost = (struct sb_bounded){seen.low, seen.ns, seen.high + c->gc_ns};
        said = sampled_words(w, id, seen.ns, a->work_ns);
    }
    struct sb_finding f = {
        .process = id,
        .gain = {(int64_t)((double)sb_least(cost.low, cap) * share / 2),
                 (int64_t)((double)sb_least(cost.ns, cap) * share), sb_least(cost.high, with_gc)},
        .confidence = "medium",
        .evidence = "SELECT who(receiver), count, at_least, total_words, max_words FROM message_edge WHERE "
                    "sender = {process} ORDER BY total_words DESC LIMIT 10",
    };
    sb_why_put(w, f, "%s sent %s: " A_COPY "%s", sb_why_who(w, id), sizes(w, c), said);
}

/* Many that send large messages alike, as the results of tasks or to the same subscribers: one cause. */
static void
put_group(struct sb_why *w, int64_t group, const struct copied *all, const struct copied *c, double slowdown)
{
    double share = c->work_ns > 0 ? (double)c->share_ns / (double)c->work_ns : 0;
    int64_t cap = c->work_ns + c->gc_ns;
    struct sb_bounded cost = by_words(c, slowdown, cap), seen;
    const char *said = a_word(w);
    if (sampled_ns(w, all, 0, group, c->work_ns, &seen)) {
        cost = (struct sb_bounded){seen.low, seen.ns, seen.high + c->gc_ns};
        said = sampled_words(w, 0, seen.ns, c->work_ns);
    }
    struct sb_finding f = {
        .process = c->most,
        .gain = {(int64_t)((double)sb_least(cost.low, cap) * share / 2),
                 (int64_t)((double)sb_least(cost.ns, cap) * share), sb_least(cost.high, cap)},
        .confidence = "medium",
        .evidence =
            sb_words(w->arena,
                     "SELECT who(receiver), sum(count), sum(at_least), sum(total_words), max(max_words) FROM "
                     "message_edge e JOIN process p ON p.id = e.sender WHERE p.group_id = %lld GROUP BY 1 "
                     "ORDER BY 3 DESC "
                     "LIMIT 10",
                     (long long)group),
    };
    sb_why_put(w, f, "%s processes started alike, such as %s, sent %s: " A_COPY "%s",
               sb_words_count(w->arena, c->senders), sb_why_who(w, c->most), sizes(w, c), said);
}

/* The others of the group sent half as much as the one that sent most, at least. */
static bool
are_alike(const struct copied *of)
{
    return of->senders > 1 && 2 * of->words >= 3 * of->most_words;
}

static void
find(struct sb_why *w)
{
    uint64_t groups = sb_profile_rows(w->x.profile, SB_T_process_group);
    int64_t *cut = SB_NEW_N(w->arena, int64_t, w->x.n_actors + 1);
    for (size_t i = 0; i < w->x.n_edges; i++)
        cut[w->x.edge[i].receiver] += w->x.edge[i].at_least;
    const struct copied *all = copied_by(w, cut);
    bool *with = SB_NEW_N(w->arena, bool, w->x.n_actors + 1);
    struct sb_why_threads t = sb_threads_of(w->x.profile);
    double slowdown = sb_threads_slowdown(&t); /* of copying, as of all work */
    const struct copied *of = copied_by_group(w, all, groups);
    SB_EACH_PRESENT (&w->x, id) {
        const struct sb_actor *a = &w->x.actor[id];
        bool is_one = a->group < 1 || (uint64_t)a->group > groups || !are_alike(&of[a->group]);
        if (is_one && all[id].messages > 0 && a->work_ns > 0 && a->service == SB_SERVICE_NONE &&
            sb_why_is_material(w, a->work_ns))
            put(w, id, all, cut, with, slowdown);
    }
    for (uint64_t g = 1; g <= groups; g++)
        if (of[g].senders > 1 && !sb_why_has_alike(w, of[g].most, w->rule))
            put_group(w, (int64_t)g, all, &of[g], slowdown);
}
