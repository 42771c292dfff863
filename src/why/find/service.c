#include "why/find/finding.h"
#include "why/run/threads.h"

enum { FEWEST = 50 /* requests: fewer are no flood, whatever they wait for */ };

static const char *const words[] = {
    [SB_SERVICE_FILE] = "file service",
    [SB_SERVICE_OUTPUT] = "output",
    [SB_SERVICE_CODE] = "code server",
    [SB_SERVICE_TIMER] = "timer server",
};

struct served {
    int64_t busiest, servers, requests, clients;
    struct sb_ranges waits, costs; /* of clients; both sides, with their work */
    int64_t work_ns;               /* that may not be there without the requests */
};

/* Of that kind of service, and started alike: file_server_2 is not like the process of a file, nor is its cure. */
static bool
is_like(const struct sb_why *w, int64_t id, const struct sb_actor *a)
{
    return w->x.actor[id].service == a->service && w->x.actor[id].entry == a->entry;
}

/* The messages that the client sent to processes like that. */
static int64_t
requests_of(const struct sb_why *w, int64_t client, const struct sb_actor *a)
{
    int64_t n = 0;
    for (uint32_t i = w->x.outbox[client]; i < w->x.outbox[client + 1]; i++)
        n += is_like(w, w->x.letter[w->x.by_sender[i]].receiver, a);
    return n;
}

/* A tool, the compilers of a build or another service asks as it does, whatever the program would change. */
static bool
is_of_program(const struct sb_why *w, int64_t client)
{
    const struct sb_actor *a = &w->x.actor[client];
    bool compiles = w->is_build && !a->is_program && sb_why_is_compiler(w, client);
    return a->service == SB_SERVICE_NONE && !sb_why_is_tool(w, client) && !compiles;
}

/* The client writes the request, waits, is scheduled in and takes the reply. Its work counts up to the length of the
 * wait: what is longer is its own. */
static void
add_costs(const struct sb_why *w, int64_t client, const struct sb_actor *a, struct served *of)
{
    int64_t waited_ns = 0;
    SB_EACH_STEP (&w->x, client, s) {
        bool waits = s->wait != SB_WAIT_NONE && s->waker > 0 && is_like(w, s->waker, a);
        int64_t end = s->start + s->dur, before_ns = sb_least(s->dur, s->wait_ns);
        of->work_ns += sb_least(s->dur, waited_ns + (waits ? before_ns : 0));
        waited_ns = waits ? s->wait_ns : 0;
        if (waits)
            sb_ranges_add(&of->costs, end - before_ns, s->end);
    }
}

static void
collect(const struct sb_why *w, const struct sb_actor *like, bool *seen, struct served *s)
{
    int64_t most = 0;
    uint8_t *waited = SB_NEW_N(w->arena, uint8_t, w->x.n_actors + 1);
    SB_EACH_PRESENT (&w->x, id) {
        if (!is_like(w, id, like))
            continue;
        int64_t n = 0;
        seen[id] = true;
        for (uint32_t i = w->awaits.first[id]; i < w->awaits.first[id + 1]; i++) {
            const struct sb_await *a = &w->awaits.at[i];
            if (!a->is_request || !is_of_program(w, a->client))
                continue;
            sb_ranges_add(&s->waits, a->from, a->to);
            s->requests += waited[a->client] ? 0 : requests_of(w, a->client, like);
            if (!waited[a->client])
                add_costs(w, a->client, like, s);
            s->clients += !waited[a->client];
            waited[a->client] = 1;
            n++;
        }
        if (n > 0)
            sb_slices_of(&w->x, id, &s->costs);
        s->servers += n > 0;
        s->work_ns += w->x.actor[id].work_ns;
        if (n > most) {
            most = n;
            s->busiest = id;
        }
    }
    sb_ranges_unite(&s->waits);
    sb_ranges_unite(&s->costs);
}

/* "file_server_2 <0.60.0>, and 3 others like it" */
static const char *
servers(const struct sb_why *w, const struct served *s)
{
    const char *who = sb_why_who(w, s->busiest);
    if (s->servers < 2)
        return who;
    return s->servers == 2 ? sb_words(w->arena, "%s, and one other like it", who)
                           : sb_words(w->arena, "%s, and %s others like it", who,
                                      sb_words_count(w->arena, s->servers - 1));
}

/* The time with at most one process at work while another waits: schedulers were free for it. Where other programs took
 * cores, the waits would have been shorter by as much as all work. The bound is of the run as it was. */
static void
put(struct sb_why *w, const struct sb_actor *like, bool *seen, int64_t fewest, const struct sb_cure *cure)
{
    struct served s = {0};
    collect(w, like, seen, &s);
    int64_t waited = sb_ranges_ns(&s.waits), quiet = sb_ranges_within(&s.waits, &w->x.level, SB_LEVEL_QUIET);
    int64_t both = sb_ranges_ns(&s.costs) > waited ? sb_ranges_ns(&s.costs) : waited;
    int64_t others = (w->x.work_ns - s.work_ns) / w->x.schedulers;
    bool is_busy = others > 0 && w->x.span_ns - others < both;
    SB_VEC_FREE(&s.waits);
    SB_VEC_FREE(&s.costs);
    if (s.requests < sb_why_fewest(w, fewest))
        return;
    struct sb_why_threads t = sb_threads_of(w->x.profile);
    double slower = sb_why_lost_cores(w) ? sb_threads_slowdown(&t) : 1;
    struct sb_finding f = {
        .process = s.busiest,
        .gain = {0, (int64_t)((double)quiet / slower), is_busy ? w->x.span_ns - others : both},
        .confidence = "high",
        .cure = cure,
        .evidence = "SELECT who(process), count(*) AS waits, sum(wait_ns) AS waited FROM gap WHERE waker = "
                    "{process} GROUP BY 1 ORDER BY 2 DESC LIMIT 10",
    };
    sb_why_put(
        w, f, "%s %s waited for the %s, %s, in %s requests: somebody waited for %s, %d %% of the time; %s %s",
        sb_words_count(w->arena, s.clients), s.clients == 1 ? "process" : "processes", words[like->service],
        servers(w, &s), sb_words_count(w->arena, s.requests), sb_words_ns(w->arena, waited),
        sb_percent(waited, w->x.span_ns),
        is_busy ? "for all other work the schedulers need" : "with the work of both sides that is",
        sb_words_ns(w->arena, is_busy ? others : both));
}

void
sb_service_put(struct sb_why *w, enum sb_service kind, int64_t fewest, const struct sb_cure *cure)
{
    bool *seen = SB_NEW_N(w->arena, bool, w->x.n_actors + 1);
    SB_EACH_PRESENT (&w->x, id)
        if (w->x.actor[id].service == kind && w->awaits.clients[id] > 0 && !seen[id])
            put(w, &w->x.actor[id], seen, fewest ? fewest : FEWEST, cure);
}
