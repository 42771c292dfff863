#include "why/find/alike.h"
#include "why/find/finding.h"
#include "why/run/grants.h"
#include "base/sort.h"
#include "profile/scan_row.h"
#include <stdlib.h>

extern const struct sb_rule sb_rule_own_work;

SB_RULE(convoy) = {
    .name = "convoy",
    .looks_for =
        "a server that holds its callers while it waits itself, for another server, a port or a sleep",
    .erlang = "return {noreply, State} and answer with gen_server:reply/2 when the result is there, or let "
              "the caller ask the last server",
    .elixir = "return {:noreply, state} and answer with GenServer.reply/2 when the result is there, or let "
              "the caller ask the last server",
    .serializes = true,
    .of_requests = true,
    .find = find,
};

static const struct sb_cure of_one = {
    .where = "it waits for one port, or for one process that has work all the time",
    .erlang = "start several of what it waits for (external programs, connections, workers) and share the "
              "requests among them, or ask it less often, for several requests at once; to answer later "
              "({noreply, State}) helps only if what it waits for takes several requests at a time",
};

static const struct sb_cure at_its_start = {
    .where = "it has just started",
    .erlang = "get what it waits for in init or handle_continue in parallel, or let callers come when it is "
              "ready",
    .elixir = "get what it waits for in init or handle_continue in parallel (Task.async_stream), or let "
              "callers come when it is ready",
};

struct queued {
    struct sb_alike alike; /* by the time held */
    int64_t spare;         /* what of that a cure may save beside the work of others */
    struct sb_ranges held;
    bool starts, asks;
    const char *itself, *confidence; /* where, or for whom, the server waited */
    bool is_for_one;                 /* port, or process with work all the time */
};

struct asked { /* the servers that a process waited for */
    int64_t n, ns, most, most_ns;
};

static struct asked
asked_by(const struct sb_why *w, int64_t server)
{
    struct asked a = {0};
    int64_t *of = sb_zeroed_or_die(w->x.n_actors, sizeof *of);
    SB_EACH_STEP (&w->x, server, s) {
        if (s->wait != SB_WAIT_ASKED || w->awaits.clients[s->waker] == 0)
            continue;
        a.n += of[s->waker] == 0;
        a.ns += s->asked_ns;
        of[s->waker] += s->asked_ns;
        if (of[s->waker] > a.most_ns) {
            a.most_ns = of[s->waker];
            a.most = s->waker;
        }
    }
    free(of);
    return a;
}

/* Where a chain of servers that wait for each other ends: the last one works, or waits for something else. */
static int64_t
end_of_chain(const struct sb_why *w, int64_t server)
{
    enum { LONGEST = 8 };
    for (int i = 0; i < LONGEST; i++) {
        SB_SCOPED struct sb_ranges queue = {0};
        sb_awaits_of(&w->awaits, server, &queue);
        int64_t waited = sb_ranges_ns(&queue);
        struct asked next = asked_by(w, server);
        if (next.most == 0 || 2 * next.most_ns < waited)
            break;
        server = next.most;
    }
    return server;
}

static const char *
whom(const struct sb_why *w, const struct asked *a, struct queued *q)
{
    const char *name = sb_why_who(w, a->most);
    if (2 * a->most_ns < a->ns)
        return sb_words(w->arena, "for %s processes, %s longest", sb_words_count(w->arena, a->n), name);
    int64_t last = end_of_chain(w, a->most), work = sb_work_within(&w->x, last, &q->held),
            held = sb_ranges_ns(&q->held);
    q->is_for_one = 2 * work >= held;
    return sb_words(
        w->arena, "for %s%s%s", name,
        last == a->most ? "" : sb_words(w->arena, ", which waited for %s in turn", sb_why_who(w, last)),
        q->is_for_one ? sb_words(w->arena, "%s at work %d %% of that time",
                                 last == a->most ? ", which was" : "; that one was", sb_percent(work, held))
                      : "");
}

/* "for its port #Port<0.8> ": the one that ran most, and at least once in two of so many waits; NULL: none did. */
static const char *
port_of(const struct sb_why *w, int64_t process, int64_t waits)
{
    int64_t most = waits / 2, text = SB_NULL;
    SB_SCAN(s, w->x.profile, port, owner, runs, name);
    for (size_t i = 0; sb_scan_row(&s, &i); i++)
        if (s.value[owner][i] == process && s.value[runs][i] > most) {
            most = s.value[runs][i];
            text = s.value[name][i];
        }
    return text != SB_NULL
               ? sb_words(w->arena, "for its port %.*s ", SB_STR_ARG(sb_profile_text(w->x.profile, text)))
               : NULL;
}

/* The function in which it waited longest outside the loop of a behaviour, and for which port; NULL: it is unknown. */
static const char *
waited_most(const struct sb_why *w, int64_t server, struct queued *q)
{
    int64_t *ns = SB_NEW_N(w->arena, int64_t, (uint64_t)sb_profile_texts(w->x.profile) + 1);
    int32_t best = 0;
    int64_t waits = 0, outside_ns = 0;
    SB_EACH_STEP (&w->x, server, s) {
        if (s->wait == SB_WAIT_NONE || s->out <= 0 || sb_is_loop(sb_evidence_text(&w->x, s->out)))
            continue;
        ns[s->out] += s->wait_ns;
        best = ns[s->out] > ns[best] ? s->out : best;
        outside_ns += s->wait == SB_WAIT_OUTSIDE ? s->wait_ns : 0;
        waits += s->wait == SB_WAIT_OUTSIDE;
    }
    const char *port = 2 * outside_ns >= sb_ranges_ns(&q->held) ? port_of(w, server, waits) : NULL;
    q->is_for_one = port != NULL;
    return best > 0 ? sb_words(w->arena, "%sin %s", port ? port : "", sb_why_function(w, best)) : NULL;
}

/* A server that waits in its loop may have taken the requests, and yet answer one at a time: the replies then come at
 * equal distances, however many are asked for. Returns that distance; 0: they do not, or come all at once. */
static int64_t
distance_of_replies(const struct sb_why *w, int64_t id)
{
    enum { FEWEST = 20, LITTLE = 10 /* times as much waiting as work */ };
    const struct sb_server_row *s = NULL;
    for (size_t i = 0; i < w->servers.n; i++)
        s = w->servers.at[i].process == id ? &w->servers.at[i] : s;
    if (!s || s->replies < FEWEST || s->service[0] < LITTLE * s->work[0])
        return 0;
    const struct sb_trip *trip = w->servers.trips.at + s->first;
    int64_t n = s->replies - 1, *apart = SB_NEW_N(w->arena, int64_t, n);
    for (int64_t i = 0; i < n; i++)
        apart[i] = trip[i + 1].replied - trip[i].replied;
    sb_sort_signed(apart, (size_t)n);
    int64_t usual = apart[n / 2], mean = (trip[n].replied - trip[0].replied) / n;
    return 2 * apart[n / 20] >= usual && mean <= 2 * usual && s->service[0] >= 2 * usual ? usual : 0;
}

/* The part of the ranges before it first waited in its loop: it could take no request, whatever it returns. */
static int64_t
at_start(const struct sb_why *w, int64_t server, const struct sb_ranges *held)
{
    const struct sb_actor *a = &w->x.actor[server];
    int64_t ns = 0, loop = a->start;
    SB_EACH_STEP (&w->x, server, s) {
        loop = s->start + s->dur;
        if (s->wait != SB_WAIT_NONE && sb_is_loop(sb_evidence_text(&w->x, s->out)))
            break;
    }
    for (size_t i = 0; i < held->n && a->start > a->watched_ns; i++)
        ns += sb_range_part(held->at[i], a->start, loop);
    return ns;
}

/* "kept its 12 callers in a queue for 1.2 s while it waited itself"; of several alike at least one of them did */
static const char *
kept(const struct sb_why *w, const struct queued *q, int64_t ns, size_t more)
{
    const char *who = sb_why_who(w, q->alike.id), *time = sb_words_ns(w->arena, ns);
    return more == 0
               ? sb_words(w->arena, "%s kept its %s callers in a queue for %s while it waited itself", who,
                          sb_words_count(w->arena, w->awaits.clients[q->alike.id]), time)
               : sb_words(w->arena,
                          "%s and %s more like it kept callers in queues while they waited themselves, at "
                          "least one of them for %s",
                          who, sb_words_count(w->arena, (int64_t)more), time);
}

/* One finding for servers that are alike. */
static void
put(struct sb_why *w, struct queued *q, size_t n)
{
    for (size_t i = 1; i < n; i++)
        for (size_t k = 0; k < q[i].held.n; k++)
            *SB_PUSH(&q->held) = q[i].held.at[k];
    sb_ranges_unite(&q->held);
    int64_t ns = n == 1 ? q->alike.most : sb_ranges_ns(&q->held), spare = q->spare;
    if (n > 1)
        spare = q->asks ? ns : sb_ranges_within(&q->held, &w->x.level, SB_LEVEL_SPARE);
    /* Without the queue each caller may still wait for its own requests, and the next server may have a queue too. */
    int64_t callers = w->awaits.clients[q->alike.id], high = sb_least(ns, sb_why_headroom(w)),
            most = sb_least(ns - ns / callers, high);
    struct sb_finding f = {
        .process = q->alike.id,
        .gain = {0, sb_least(spare - spare / callers, most), high},
        .confidence = q->confidence,
        .cure = q->starts       ? &at_its_start
                : q->is_for_one ? &of_one
                                : NULL,
        .of_few_calls = q->starts,
        .evidence = "SELECT function, count, total_ns FROM wait WHERE process = {process}",
    };
    sb_why_put(w, f, "%s, mostly %s%s", kept(w, q, ns, n - 1), q->itself,
               q->starts ? "; it had just started and not yet waited for a request (init or handle_continue)"
                         : "");
}

/* Clients of a process that hands out turns, or work, wait for each other: see small_pool. One that itself waits for
 * servers hands out none. False: there is no queue to speak of. */
static bool
look_at(struct sb_why *w, int64_t id, struct queued *q)
{
    SB_SCOPED struct sb_ranges queue = {0};
    sb_awaits_queued(&w->awaits, id, &queue);
    int64_t waited = sb_ranges_ns(&queue);
    if (!sb_why_is_material(w, waited))
        return false;
    sb_held_of(&w->x, &w->awaits, id, &q->held);
    sb_ranges_cut(&q->held, &queue);
    int64_t ns = sb_ranges_ns(&q->held), spare = sb_ranges_within(&q->held, &w->x.level, SB_LEVEL_SPARE);
    struct asked a = asked_by(w, id);
    q->asks = a.most > 0 && 2 * a.ns >= waited;
    if (q->asks && 2 * a.most_ns >= a.ns && w->x.actor[a.most].service != SB_SERVICE_NONE &&
        sb_why_has(w, a.most))
        return false; /* what it asks of the service too often is told already */
    q->itself = q->asks ? whom(w, &a, q) : waited_most(w, id, q);
    int64_t apart = 2 * ns < waited ? distance_of_replies(w, id) : 0;
    q->starts = apart == 0 && 2 * at_start(w, id, &q->held) >= ns;
    q->confidence = apart == 0 ? "medium" : "low";
    if (apart > 0) {
        q->is_for_one = false;
        ns = spare = waited;
        q->itself =
            sb_words(w->arena,
                     "for messages and timers: it answered one at a time, each %s after the one before, "
                     "which may be on purpose",
                     sb_words_ns(w->arena, apart));
    }
    q->alike = sb_alike(w->x.actor, id, ns);
    q->spare = q->asks ? ns : spare;
    return 2 * ns >= waited && q->itself && (q->asks || sb_grants_of(&w->x, id).clients == 0);
}

static void
find(struct sb_why *w)
{
    SB_VEC(struct queued) v = {0};
    SB_EACH_PRESENT (&w->x, id) {
        struct queued q = {0};
        if (w->awaits.clients[id] < 2 || w->x.actor[id].service != SB_SERVICE_NONE ||
            sb_why_has_alike(w, id, &sb_rule_own_work) || !look_at(w, id, &q))
            SB_VEC_FREE(&q.held);
        else
            *SB_PUSH(&v) = q;
    }
    SB_EACH_ALIKE (&v, from, to)
        put(w, &v.at[from], to - from);
    for (size_t i = 0; i < v.n; i++)
        SB_VEC_FREE(&v.at[i].held);
    SB_VEC_FREE(&v);
}
