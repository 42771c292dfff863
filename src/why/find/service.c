#include "why/find/finding.h"
#include "why/run/threads.h"

enum { FEWEST = 50 /* requests: fewer are no flood, whatever they wait for */ };

struct served {
    int64_t busiest, servers, requests, clients;
    struct sb_ranges waits, costs; /* of clients; both sides, with their work */
};

/* The messages that the client sent to processes of that kind. */
static int64_t
requests_of(const struct sb_why *w, int64_t client, enum sb_service kind)
{
    int64_t n = 0;
    for (uint32_t i = w->x.outbox[client]; i < w->x.outbox[client + 1]; i++)
        n += w->x.actor[w->x.letter[w->x.by_sender[i]].receiver].service == kind;
    return n;
}

/* The client writes the request, waits, is scheduled in and takes the reply. Its work counts up to the length of the
 * wait: what is longer is its own. */
static void
add_costs(const struct sb_why *w, int64_t client, enum sb_service kind, struct sb_ranges *costs)
{
    SB_EACH_STEP (&w->x, client, s) {
        bool waits = s->wait != SB_WAIT_NONE && s->waker > 0 && w->x.actor[s->waker].service == kind;
        int64_t end = s->start + s->dur;
        if (waits)
            sb_ranges_add(costs, end - sb_least(s->dur, s->wait_ns), s->end);
    }
}

static void
collect(const struct sb_why *w, enum sb_service kind, struct served *s)
{
    int64_t most = 0;
    uint8_t *waited = SB_NEW_N(w->arena, uint8_t, w->x.n_actors + 1);
    SB_EACH_PRESENT (&w->x, id) {
        if (w->x.actor[id].service != kind)
            continue;
        int64_t n = 0;
        for (uint32_t i = w->awaits.first[id]; i < w->awaits.first[id + 1]; i++) {
            const struct sb_await *a = &w->awaits.at[i];
            if (!a->is_request || w->x.actor[a->client].service != SB_SERVICE_NONE)
                continue;
            sb_ranges_add(&s->waits, a->from, a->to);
            s->requests += waited[a->client] ? 0 : requests_of(w, a->client, kind);
            if (!waited[a->client])
                add_costs(w, a->client, kind, &s->costs);
            s->clients += !waited[a->client];
            waited[a->client] = 1;
            n++;
        }
        if (n > 0)
            sb_slices_of(&w->x, id, &s->costs);
        s->servers += n > 0;
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
void
sb_service_put(struct sb_why *w, enum sb_service kind, const char *what)
{
    struct served s = {0};
    collect(w, kind, &s);
    int64_t waited = sb_ranges_ns(&s.waits), quiet = sb_ranges_within(&s.waits, &w->x.level, SB_LEVEL_QUIET);
    int64_t most = sb_ranges_ns(&s.costs);
    SB_VEC_FREE(&s.waits);
    SB_VEC_FREE(&s.costs);
    if (s.requests < sb_why_fewest(w, FEWEST))
        return;
    struct sb_why_threads t = sb_threads_of(w->x.profile);
    double slower = sb_why_lost_cores(w) ? sb_threads_slowdown(&t) : 1;
    struct sb_finding f = {
        .process = s.busiest,
        .gain = {0, (int64_t)((double)quiet / slower), most > waited ? most : waited},
        .confidence = "high",
        .evidence = "SELECT who(process), start, wait_ns FROM gap WHERE waker = {process} ORDER BY wait_ns "
                    "DESC LIMIT 10",
    };
    sb_why_put(w, f, "%s %s waited for the %s, %s, in %s requests: somebody waited for %d %% of the time",
               sb_words_count(w->arena, s.clients), s.clients == 1 ? "process" : "processes", what,
               servers(w, &s), sb_words_count(w->arena, s.requests), sb_percent(waited, w->x.span_ns));
}
