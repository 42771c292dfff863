#include "why/find/finding.h"
#include "why/run/threads.h"

static void find(struct sb_why *w);

const struct sb_rule sb_rule_chatty_pair = {
    .name = "chatty_pair",
    .looks_for = "two processes that take turns with a message each time and little work between",
    .erlang = "send several items in one message, or let one process do both parts",
    .elixir = "send several items in one message (Stream.chunk_every), or let one process do both parts",
    .of_work = true,
    .find = find,
};

enum { FEWEST = 5000, SHORT_NS = 10000 };

struct pair {
    const struct sb_traffic *there, *back;
    int64_t gain, turn_ns, turns;
};

static void
look_at(const struct sb_why *w, const struct sb_traffic *e, struct pair *best)
{
    if (e->count < FEWEST || e->sender > e->receiver)
        return;
    const struct sb_traffic *back = sb_evidence_edge(&w->x, e->receiver, e->sender);
    const struct sb_actor *a = &w->x.actor[e->sender], *b = &w->x.actor[e->receiver];
    if (!back || back->count < FEWEST || a->service || b->service || a->n == 0 || b->n == 0)
        return;
    int64_t turn = (a->work_ns + b->work_ns) / (e->count + back->count),
            gain = (a->alone_ns + b->alone_ns) / 2;
    bool alternate = 3 * (a->n + b->n) >= e->count + back->count;
    struct sb_why_threads t = sb_threads_of(w->x.profile);
    if ((double)turn < (double)SHORT_NS * sb_threads_slowdown(&t) && alternate && gain > best->gain)
        *best = (struct pair){e, back, gain, turn, e->count + back->count};
}

static void
find(struct sb_why *w)
{
    struct pair best = {0};
    for (size_t i = 0; i < w->x.n_edges; i++)
        look_at(w, &w->x.edge[i], &best);
    if (best.gain == 0 || sb_why_has(w, best.there->sender) || sb_why_has(w, best.there->receiver))
        return;
    const char *a = sb_why_who(w, best.there->sender), *b = sb_why_who(w, best.there->receiver);
    sb_why_put(w, (struct sb_finding){
                      .process = best.there->sender,
                      .with = best.there->receiver,
                      .subject = sb_words(w->arena, "%s and %s", a, b),
                      .title = sb_words(
                          w->arena,
                          "%s and %s exchanged %s messages and took turns, with %s of work for each message",
                          a, b, sb_words_count(w->arena, best.turns), sb_words_ns(w->arena, best.turn_ns)),
                      .gain = {0, best.gain,
                               sb_least(2 * best.gain, sb_why_headroom(w)) > best.gain
                                   ? sb_least(2 * best.gain, sb_why_headroom(w))
                                   : best.gain},
                      .confidence = "medium",
                      .evidence = sb_words(w->arena,
                                           "SELECT count, total_words FROM message_edge WHERE sender IN "
                                           "(%d, %d) AND receiver IN (%d, %d)",
                                           best.there->sender, best.there->receiver, best.there->sender,
                                           best.there->receiver),
                  });
}
