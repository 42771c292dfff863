#include "why/find/finding.h"

SB_RULE(broker) = {
    .name = "broker",
    .looks_for = "one process through which all messages of many senders go to many receivers",
    .erlang = "let the senders look up the receiver (ETS, pg, Registry) and send to it themselves, or start "
              "a broker for each topic",
    .elixir = "let the senders look up the receiver (Registry, :pg, ETS) and send to it themselves, or start "
              "a broker for each topic",
    .serializes = true,
    .of_work = true,
    .of_requests = true,
    .find = find,
};

enum { FEWEST = 1000, MANY = 3 };

struct hub {
    int64_t in, through; /* messages: those that it got, and that it passed on */
    int64_t from, to;    /* the numbers of peers */
};

/* A server answers those that ask; a broker sends to others. */
static void
count_edges(const struct sb_why *w, struct hub *of)
{
    for (size_t i = 0; i < w->x.n_edges; i++) {
        const struct sb_traffic *e = &w->x.edge[i], *back = sb_evidence_edge(&w->x, e->receiver, e->sender);
        int64_t passed = e->count - (back ? sb_least(back->count, e->count) : 0);
        of[e->receiver].in += e->count;
        of[e->receiver].from += e->count >= 10;
        of[e->sender].through += passed;
        of[e->sender].to += passed >= 10;
    }
}

static void
put(struct sb_why *w, int64_t id, const struct hub *h)
{
    const struct sb_actor *a = &w->x.actor[id];
    SB_SCOPED struct sb_ranges work = {0};
    sb_slices_of(&w->x, id, &work);
    int64_t spare = sb_ranges_within(&work, &w->x.level, SB_LEVEL_SPARE);
    struct sb_finding f = {
        .process = id,
        .gain = {sb_why_spread(w, a->alone_ns) / 2, sb_why_serial_gain(w, a->work_ns, spare),
                 sb_why_serial_most(w, a->work_ns)},
        .split = (uint32_t)w->x.schedulers,
        .bound = sb_why_serial_words(w, a->work_ns, spare),
        .confidence = "high",
        .evidence = "SELECT who(sender), who(receiver), count FROM message_edge WHERE {process} IN (sender, "
                    "receiver) ORDER BY count DESC LIMIT 20",
    };
    sb_why_put(w, f,
               "%s passed %s messages from %s processes on to %s others and was at work %d %% of the time",
               sb_why_who(w, id), sb_words_count(w->arena, h->through), sb_words_count(w->arena, h->from),
               sb_words_count(w->arena, h->to), sb_percent(a->work_ns, w->x.span_ns));
}

static void
find(struct sb_why *w)
{
    struct hub *of = SB_NEW_N(w->arena, struct hub, w->x.n_actors + 1);
    count_edges(w, of);
    SB_EACH_PRESENT (&w->x, id) {
        const struct hub *h = &of[id];
        if (h->in < sb_why_fewest(w, FEWEST) || h->from < MANY || h->to < MANY ||
            w->x.actor[id].service != SB_SERVICE_NONE || 5 * w->x.actor[id].work_ns < 2 * w->x.span_ns)
            continue;
        if (2 * h->through >= h->in)
            put(w, id, h);
    }
}
