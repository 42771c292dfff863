#include "why/find/finding.h"

SB_RULE(own_work) = {
    .name = "own_work",
    .looks_for = "a server of a program that mostly waits for requests does other work now and then, such as "
                 "that of a timer, and those who ask it meanwhile wait for many times the time of a request",
    .erlang = "do that work in a process of its own, or in pieces: a message to itself after each lets "
              "requests between",
    .elixir = "do that work in a process of its own, such as a Task, or in pieces: a message to itself after "
              "each lets requests between",
    .of_requests = true,
    .find = find,
};

enum {
    FEWEST = 5, /* stretches of other work */
    TIMES = 10, /* the 99th percentile, of the median; a stretch, of the median of the service */
    SHORTEST_NS = 500000
};

struct other { /* stretches of work of a server that had begun before the request which is answered next */
    int64_t n, ns;
    int64_t unclear;            /* as long ones that began later: the request may be long itself */
    int64_t delayed;            /* requests that came in a stretch */
    int64_t delayed_ns, all_ns; /* from the sending to the reply: theirs, and those of all */
    int32_t function;           /* in which most slices of the stretches ended; 0: unknown */
    int64_t lead;               /* of that function over the others */
};

static void
see(const struct sb_why *w, const struct sb_step *s, struct other *o)
{
    if (s->out <= 0 || sb_is_loop(sb_evidence_text(&w->x, s->out)))
        return;
    o->lead += s->out == o->function ? 1 : -1;
    if (o->lead < 0 || o->function == 0) {
        o->function = s->out;
        o->lead = 1;
    }
}

struct stretch {
    const struct sb_step *first, *end;
    int64_t from, ns;
};

/* The work up to `to` without a wait before it; `at` goes on to the step that contains `to`. */
static struct stretch
stretch_before(const struct sb_step **at, const struct sb_step *end, int64_t from, int64_t to)
{
    struct stretch x = {*at, *at, from, 0};
    for (; *at < end && (*at)->start < to; ++*at) {
        int64_t start = (*at)->start > x.from ? (*at)->start : x.from, stop = (*at)->start + (*at)->dur;
        x.end = *at + 1;
        x.ns += sb_least(stop, to) > start ? sb_least(stop, to) - start : 0;
        if (stop >= to)
            break;
        if ((*at)->wait != SB_WAIT_NONE)
            x = (struct stretch){*at + 1, *at + 1, stop + (*at)->wait_ns, 0};
    }
    return x;
}

/* A request may be fetched while the work goes on, so that only its sending tells that the work is not for it. */
static struct other
other_work(const struct sb_why *w, const struct sb_server_row *s)
{
    const struct sb_actor *a = &w->x.actor[s->process];
    const struct sb_trip *trip = w->servers.trips.at + s->first;
    const struct sb_step *at = w->x.step + a->first, *end = at + a->n;
    struct other o = {0};
    int64_t free_from = w->x.t0, until = SB_NULL; /* the last stretch; before it there is none */
    for (int64_t i = 0; i < s->replies; i++) {
        struct stretch x = stretch_before(&at, end, free_from, trip[i].replied);
        free_from = trip[i].replied > free_from ? trip[i].replied : free_from;
        if (trip[i].sent == SB_NULL)
            continue;
        bool is_long = x.ns >= SHORTEST_NS && x.ns >= TIMES * s->service[0];
        o.unclear += is_long && trip[i].sent <= x.from;
        if (is_long && trip[i].sent > x.from) {
            o.n++;
            o.ns += x.ns;
            for (const struct sb_step *k = x.first; k < x.end; k++)
                see(w, k, &o);
            until = trip[i].replied;
        }
        int64_t ns = trip[i].replied - trip[i].sent;
        bool is_delayed = ns >= SHORTEST_NS && until != SB_NULL && trip[i].sent < until;
        o.delayed += is_delayed;
        o.delayed_ns += is_delayed ? ns : 0;
        o.all_ns += ns;
    }
    return o;
}

static void
put(struct sb_why *w, const struct sb_server_row *s, const struct other *o)
{
    struct sb_finding f = {
        .process = s->process,
        .gain = {SB_NULL, SB_NULL, SB_NULL},
        .confidence = sb_why_lost_cores(w) ? "low" : "medium",
        .evidence = "SELECT out_function, count(*) AS slices, sum(dur) AS ns, max(dur) AS longest FROM slice "
                    "WHERE process = {process} GROUP BY 1 ORDER BY 3 DESC",
    };
    const char *in = o->function > 0
                         ? sb_words(w->arena, ", seen most in %s%s", sb_why_function(w, o->function),
                                    sb_why_called_by(w, o->function))
                         : "",
               *gc = 2 * w->x.actor[s->process].gc_ns > o->ns
                         ? sb_words(w->arena, "; it collected garbage for %s in all",
                                    sb_words_ns(w->arena, w->x.actor[s->process].gc_ns))
                         : "";
    sb_why_put(
        w, f,
        "%s of %s requests to %s waited %s each on average while it did work that answers none of them, "
        "%s times, %s each on average%s; half of its replies take at most %s%s",
        sb_words_count(w->arena, o->delayed), sb_words_count(w->arena, s->latency.count),
        sb_why_who(w, s->process), sb_words_ns(w->arena, o->delayed_ns / o->delayed),
        sb_words_count(w->arena, o->n), sb_words_ns(w->arena, o->ns / o->n), in,
        sb_words_ns(w->arena, s->latency.round_trip[0]), gc);
}

static void
find(struct sb_why *w)
{
    if (2 * sb_level_within(&w->x.level, SB_LEVEL_IDLE, w->x.t0, w->x.t1) < w->x.span_ns)
        return;
    for (size_t i = 0; i < w->servers.n; i++) {
        const struct sb_server_row *s = &w->servers.at[i];
        int64_t p99 = s->latency.round_trip[1];
        if (w->x.actor[s->process].service != SB_SERVICE_NONE || sb_why_has(w, s->process) ||
            p99 < SHORTEST_NS || p99 < TIMES * s->latency.round_trip[0])
            continue;
        struct other o = other_work(w, s);
        if (o.n >= FEWEST && o.n >= 4 * o.unclear && 2 * o.delayed_ns >= o.all_ns &&
            100 * o.delayed >= s->latency.count)
            put(w, s, &o);
    }
}
