#include "why/find/finding.h"

SB_RULE(burst) = {
    .name = "burst",
    .looks_for = "a server of a program that mostly waits for requests gets more at once than it can serve, "
                 "so that they stay in its mailbox for many times the time that it takes to serve one",
    .erlang =
        "answer reads in the caller, from ETS or persistent_term; share the requests among several servers, "
        "chosen by key; take several requests at a time; or let the callers come at different times",
    .elixir =
        "answer reads in the caller, from ETS or :persistent_term; share the requests with "
        "PartitionSupervisor; take several requests at a time; or let the callers come at different times",
    .of_requests = true,
    .find = find,
};

enum {
    FEWEST = 20, /* requests of a burst */
    TIMES = 10,  /* the wait in the mailbox, of the service */
    SHORTEST_NS = 500000
};

struct bursts {
    int64_t n, requests, ns, longest_mailbox;
};
struct busy { /* a stretch in which there was always a request that had no reply yet */
    int64_t requests, longest_mailbox, longest_service, service_ns;
    int64_t busy_ns;        /* part of service_ns in which the server was not ready for a scheduler */
    int64_t open_ns, until; /* a request had no reply; to this moment */
};

static void
add(struct busy *b, const struct sb_trip *t)
{
    int64_t mailbox = t->begin - t->sent, service = t->replied - t->begin;
    b->requests++;
    b->service_ns += service;
    b->busy_ns += t->work_ns + t->waiting_ns;
    b->open_ns += t->replied - (t->sent > b->until ? t->sent : b->until);
    b->until = t->replied;
    b->longest_mailbox = mailbox > b->longest_mailbox ? mailbox : b->longest_mailbox;
    b->longest_service = service > b->longest_service ? service : b->longest_service;
}

/* Requests behind one that takes most of the time are no burst, and neither are those of a server that waits for a
 * scheduler all the while. */
static bool
is_burst(const struct busy *b, const struct sb_server_row *s)
{
    return b->requests >= FEWEST && b->longest_mailbox >= TIMES * s->service[0] &&
           b->service_ns >= 2 * b->longest_service && 4 * b->busy_ns >= b->open_ns;
}

/* A pause that is shorter than the waits does not end a burst. */
static struct bursts
bursts_of(const struct sb_server_row *s, const struct sb_trip *trip)
{
    struct bursts found = {0};
    SB_SCOPED struct sb_ranges busy = {0};
    int64_t pause = s->mailbox[1];
    size_t at = 0, n = (size_t)s->replies;
    for (size_t i = 0; i < n; i++)
        if (trip[i].sent != SB_NULL)
            sb_ranges_add(&busy, trip[i].sent, trip[i].replied + pause);
    sb_ranges_unite(&busy);
    for (size_t i = 0; i < busy.n; i++) {
        struct busy b = {.until = SB_NULL};
        for (; at < n && trip[at].replied < busy.at[i].to; at++)
            if (trip[at].sent != SB_NULL)
                add(&b, &trip[at]);
        if (!is_burst(&b, s))
            continue;
        found.n++;
        found.requests += b.requests;
        found.longest_mailbox =
            b.longest_mailbox > found.longest_mailbox ? b.longest_mailbox : found.longest_mailbox;
        found.ns += busy.at[i].to - busy.at[i].from - pause;
    }
    return found;
}

static void
put(struct sb_why *w, const struct sb_server_row *s, const struct bursts *b)
{
    bool lost =
        sb_why_lost_cores(w); /* requests then stay in the mailbox while another program has the core */
    struct sb_finding f = {
        .process = s->process,
        .gain = {SB_NULL, SB_NULL, SB_NULL},
        .confidence = lost ? "low" : "medium",
        .evidence = "SELECT path, who(client) AS client, r.clients, count, p50_ns, p99_ns, max_ns, "
                    "mailbox_p99_ns, service_p50_ns FROM request r JOIN server ON process = server WHERE "
                    "server = {process} ORDER BY count DESC",
    };
    sb_why_put(w, f,
               "callers of %s waited up to %s in its mailbox (99th percentile) for %s of service (median): "
               "%s of its %s requests came in %lld bursts, which took %d %% of the time%s",
               sb_why_who(w, s->process), sb_words_ns(w->arena, s->mailbox[1]),
               sb_words_ns(w->arena, s->service[0]), sb_words_count(w->arena, b->requests),
               sb_words_count(w->arena, s->latency.count), (long long)b->n, sb_percent(b->ns, w->x.span_ns),
               lost ? "; other programs took cores, so a part may be the wait of the server for one" : "");
}

/* A helper of one process is no server that many ask at once, however much its client asks ahead. */
static void
find(struct sb_why *w)
{
    if (2 * sb_level_within(&w->x.level, SB_LEVEL_IDLE, w->x.t0, w->x.t1) < w->x.span_ns)
        return;
    for (size_t i = 0; i < w->servers.n; i++) {
        const struct sb_server_row *s = &w->servers.at[i];
        if (s->clients < 2 || w->x.actor[s->process].service != SB_SERVICE_NONE ||
            sb_why_has(w, s->process) || s->mailbox[1] < SHORTEST_NS || s->mailbox[1] < TIMES * s->service[0])
            continue;
        struct bursts b = bursts_of(s, w->servers.trips.at + s->first);
        if (b.n >= 2 && b.longest_mailbox >= s->mailbox[1] && 2 * b.ns <= w->x.span_ns &&
            100 * b.requests >= 2 * s->latency.count)
            put(w, s, &b);
    }
}
