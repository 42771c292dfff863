#include "why/find/finding.h"
#include "why/run/dealings.h"
#include "why/run/threads.h"

SB_RULE(chatty_pair) = {
    .name = "chatty_pair",
    .looks_for = "processes that take turns with a message each time and little work between: two of them, "
                 "or one that serves many",
    .erlang = "send several items in one message, or let one process do both parts; a server that does so "
              "little can be a table or a counter (ets:update_counter/3, counters), which needs no message",
    .elixir = "send several items in one message (Stream.chunk_every), or let one process do both parts; a "
              "server that does so little can be a table or a counter (:ets.update_counter/3, :counters), "
              "which needs no message",
    .of_work = true,
    .of_requests = true,
    .find = find,
};

enum { FEWEST = 5000, SHORT_NS = 10000 };

struct pair {
    const struct sb_traffic *there, *back;
    int64_t gain, turn_ns, turns;
};

static void
look_at(const struct sb_why *w, const struct sb_traffic *e, bool *with, struct pair *best)
{
    int64_t fewest = sb_why_fewest(w, FEWEST);
    if (e->count < fewest || e->sender >= e->receiver)
        return;
    const struct sb_traffic *back = sb_evidence_edge(&w->x, e->receiver, e->sender);
    const struct sb_actor *a = &w->x.actor[e->sender], *b = &w->x.actor[e->receiver];
    if (!back || back->count < fewest || a->service || b->service || a->n == 0 || b->n == 0)
        return;
    struct sb_dealings both = {0};
    with[e->sender] = with[e->receiver] = true;
    sb_dealings_add(&both, &w->x, e->sender, with, NULL);
    sb_dealings_add(&both, &w->x, e->receiver, with, NULL);
    with[e->sender] = with[e->receiver] = false;
    int64_t turn = both.work_ns / (e->count + back->count), gain = both.alone_ns / 2;
    bool alternate = 3 * both.slices >= e->count + back->count;
    struct sb_why_threads t = sb_threads_of(w->x.profile);
    if ((double)turn < (double)SHORT_NS * sb_threads_slowdown(&t) && alternate && gain > best->gain)
        *best = (struct pair){e, back, gain, turn, e->count + back->count};
}

/* A server and those that it answers. Their messages fill the schedulers, so each costs less than where two processes
 * wait for each other. */
struct crowd {
    int64_t server, clients, messages;
    struct sb_dealings all;
};
enum { FEWEST_OF_CLIENT = 500, SHORT_IN_CROWD_NS = 3000 };

static struct crowd
crowd_of(const struct sb_why *w, int64_t server, bool *is_server, bool *with)
{
    struct crowd c = {.server = server};
    int64_t fewest = sb_why_fewest(w, FEWEST_OF_CLIENT);
    for (uint32_t i = w->x.pairs[server]; i < w->x.pairs[server + 1]; i++) {
        const struct sb_traffic *to = &w->x.edge[i], *from = sb_evidence_edge(&w->x, to->receiver, server);
        if (!from || to->count < fewest || from->count < fewest)
            continue;
        with[to->receiver] = true;
        c.clients++;
        c.messages += to->count + from->count;
    }
    bool chats = c.clients > 1 && c.messages >= 2 * sb_why_fewest(w, FEWEST);
    is_server[server] = true;
    if (chats)
        sb_dealings_add(&c.all, &w->x, server, with, NULL);
    for (uint32_t i = w->x.pairs[server]; i < w->x.pairs[server + 1]; i++) {
        if (chats && with[w->x.edge[i].receiver])
            sb_dealings_add(&c.all, &w->x, w->x.edge[i].receiver, is_server, NULL);
        with[w->x.edge[i].receiver] = false;
    }
    is_server[server] = false;
    return c;
}

static void
find_crowd(struct sb_why *w, bool *with)
{
    bool *is_server = SB_NEW_N(w->arena, bool, w->x.n_actors + 1);
    struct crowd best = {0};
    struct sb_why_threads t = sb_threads_of(w->x.profile);
    double most = (double)SHORT_IN_CROWD_NS * sb_threads_slowdown(&t);
    SB_EACH_PRESENT (&w->x, id) {
        if (w->awaits.clients[id] < 2 || w->x.actor[id].service || sb_why_has(w, id))
            continue;
        struct crowd c = crowd_of(w, id, is_server, with);
        bool chats = c.all.slices > 0 && 3 * c.all.slices >= c.messages &&
                     (double)c.all.work_ns < most * (double)c.messages;
        if (chats && c.all.share_ns > best.all.share_ns)
            best = c;
    }
    if (best.server == 0)
        return;
    struct sb_finding f = {
        .process = best.server,
        .gain = {0, best.all.share_ns / 2, best.all.share_ns},
        .confidence = "medium",
        .evidence = "SELECT who(sender), who(receiver), count FROM message_edge WHERE sender = {process} OR "
                    "receiver = {process} ORDER BY count DESC LIMIT 20",
    };
    sb_why_put(
        w, f, "%s and %s processes exchanged %s messages and took turns, with %s of work for each message",
        sb_why_who(w, best.server), sb_words_count(w->arena, best.clients),
        sb_words_count(w->arena, best.messages), sb_words_ns(w->arena, best.all.work_ns / best.messages));
}

static void
find(struct sb_why *w)
{
    struct pair best = {0};
    bool *with = SB_NEW_N(w->arena, bool, w->x.n_actors + 1); /* all false between two uses */
    find_crowd(w, with);
    for (size_t i = 0; i < w->x.n_edges; i++)
        look_at(w, &w->x.edge[i], with, &best);
    if (best.gain == 0)
        return;
    const char *a = sb_why_who(w, best.there->sender), *b = sb_why_who(w, best.there->receiver);
    struct sb_finding f = {
        .process = best.there->sender,
        .with = best.there->receiver,
        .subject = sb_words(w->arena, "%s and %s", a, b),
        .gain = {0, best.gain,
                 sb_least(2 * best.gain, sb_why_headroom(w)) > best.gain
                     ? sb_least(2 * best.gain, sb_why_headroom(w))
                     : best.gain},
        .confidence = "medium",
        .evidence = "SELECT count, total_words FROM message_edge WHERE sender IN ({process}, {with}) AND "
                    "receiver IN ({process}, {with})",
    };
    sb_why_put(w, f, "%s and %s exchanged %s messages and took turns, with %s of work for each message", a, b,
               sb_words_count(w->arena, best.turns), sb_words_ns(w->arena, best.turn_ns));
}
