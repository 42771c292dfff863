#include "why/find/finding.h"
#include "why/run/threads.h"

SB_RULE(message_copying) = {
    .name = "message_copying",
    .looks_for = "large messages: the sender copies every word, and the receiver collects it",
    .erlang = "send the part that the receiver needs, keep shared data in ETS or persistent_term, or send "
              "binaries larger than 64 bytes, which are not copied",
    .elixir = "send the part that the receiver needs, keep shared data in ETS or :persistent_term, or send "
              "binaries larger than 64 bytes, which are not copied",
    .of_work = true,
    .find = find,
};

/*
 * Copying a word and collecting it took 8 to 25 ns in lists, tuples, maps and strings of 200 to 40,000 words. The
 * tracer measures a part of a large message only: then the words that the receiver's collections found beside its heap
 * are divided among its messages of that kind. They are a lower bound: messages that were built on the heap are not
 * among them.
 */
enum { LOW_NS = 4, WORD_NS = 10, HIGH_NS = 25, LARGE = 200 /* words a message */ };

struct copied {
    int64_t words, messages;
};

static int64_t
words_of(const struct sb_why *w, const struct sb_traffic *e, const int64_t *cut)
{
    double found = (double)w->x.actor[e->receiver].mbuf_words;
    int64_t share =
        cut[e->receiver] > 0 ? (int64_t)(found * (double)e->at_least / (double)cut[e->receiver]) : 0;
    return share > e->words ? share : e->words;
}

static struct copied *
copied_by(const struct sb_why *w)
{
    struct copied *c = SB_NEW_N(w->arena, struct copied, w->x.n_actors + 1);
    int64_t *cut = SB_NEW_N(w->arena, int64_t, w->x.n_actors + 1);
    for (size_t i = 0; i < w->x.n_edges; i++)
        cut[w->x.edge[i].receiver] += w->x.edge[i].at_least;
    for (size_t i = 0; i < w->x.n_edges; i++) {
        const struct sb_traffic *e = &w->x.edge[i];
        int64_t words = words_of(w, e, cut);
        if (e->count < 1 || words / e->count < LARGE)
            continue;
        c[e->sender].words += words;
        c[e->sender].messages += e->count;
    }
    return c;
}

enum { LEAST_SAMPLES = 30 };

/* The time that samples saw the process copy; SB_NULL: they are too few. */
static int64_t
sampled_ns(const struct sb_why *w, int64_t process)
{
    uint64_t all, copied = sb_vm_work_of(&w->vm, process, SB_VM_COPY, &all);
    return all < LEAST_SAMPLES
               ? SB_NULL
               : (int64_t)((double)w->x.actor[process].work_ns * (double)copied / (double)all);
}

static const char *
sampled_words(const struct sb_why *w, int64_t process, int64_t ns)
{
    struct sb_vm_caller c = sb_vm_caller_of(&w->vm, SB_VM_COPY, process);
    if (ns == SB_NULL)
        return "";
    return sb_words(w->arena, "; copying was %d %% of its CPU time%s",
                    sb_percent(ns, w->x.actor[process].work_ns), sb_why_caller(w, &c));
}

static void
find(struct sb_why *w)
{
    const struct copied *all = copied_by(w);
    struct sb_why_threads t = sb_threads_of(w->x.profile);
    double slowdown = sb_threads_slowdown(&t); /* of copying, as of all work */
    for (uint64_t id = 1; id < w->x.n_actors; id++) {
        const struct sb_actor *a = &w->x.actor[id];
        if (a->work_ns <= 0 || a->service != SB_SERVICE_NONE || !sb_why_is_material(w, a->work_ns))
            continue;
        struct copied c = all[id];
        double share = (double)a->share_ns / (double)a->work_ns, words = (double)c.words * slowdown;
        int64_t most = sb_least(a->work_ns, (int64_t)(words * HIGH_NS)),
                likely = sb_least(a->work_ns, (int64_t)(words * WORD_NS)),
                least = sb_least(a->work_ns, (int64_t)(words * LOW_NS)), seen = sampled_ns(w, (int64_t)id);
        if (seen != SB_NULL && c.messages > 0) {
            likely = seen;
            least = seen < least ? seen : least;
            most = seen > most ? seen : most;
        }
        sb_why_put(
            w,
            (struct sb_finding){
                .process = (int64_t)id,
                .title = sb_words(w->arena,
                                  "%s sent %s messages of %s words or more on average: a message to another "
                                  "process is a copy, which takes some %d to %d ns a word%s",
                                  sb_why_who(w, (int64_t)id), sb_words_count(w->arena, c.messages),
                                  sb_words_count(w->arena, c.words / (c.messages > 0 ? c.messages : 1)),
                                  LOW_NS, HIGH_NS, sampled_words(w, (int64_t)id, seen)),
                .gain = {(int64_t)((double)least * share / 2), (int64_t)((double)likely * share), most},
                .confidence = "medium",
                .evidence = sb_words(w->arena,
                                     "SELECT who(receiver), count, total_words, max_words FROM "
                                     "message_edge WHERE sender = %zu ORDER BY total_words DESC LIMIT 10",
                                     (size_t)id),
            });
    }
}
