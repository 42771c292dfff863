#include "why/find/finding.h"
#include "base/order.h"

SB_RULE(unanswered) = {
    .name = "unanswered",
    .looks_for = "waits that end with their timeout, though others in the same function are answered: whom "
                 "they have asked is dead or does not answer",
    .erlang = "find out why it does not answer; monitor it, or note its timeouts, and leave it out for a "
              "while rather than ask it each time; choose a shorter timeout, a few times what an answer "
              "takes",
    .of_requests = true,
    .find = find,
};

enum {
    FEWEST = 5,              /* timeouts, and answers */
    LEAST_NS = 10 * 1000000, /* of a timeout of a socket */
    STEP_NS = 10 * 1000000,  /* which is a multiple of that */
    SOCKET_PERCENT = 80      /* so many of the long waits end right after it */
};

struct asked { /* a wait of a process that had asked somebody since its wait before */
    int64_t group, from, ns;
    int32_t out, client; /* text; process.id */
    int32_t peer;        /* process.id that was asked, or that answered; 0: a socket */
    bool timed_out;      /* no socket shows that */
};
struct written { /* to a socket that the process has opened */
    int64_t owner, at;
};
struct reading {
    struct sb_why *w;
    SB_VEC(struct asked) asked;
    SB_VEC(struct written) written;
    enum place { OTHER, SOCKET, MESSAGES } * place; /* by text */
};

SB_ORDER(by_owner, struct written, SB_UP(owner) ?: SB_UP(at))
SB_ORDER(by_place, struct asked, SB_UP(group) ?: SB_UP(out) ?: SB_UP(peer) ?: SB_UP(ns))

/* On sockets that the process opened: the owner of an accepted one may wait for the next request. */
static void
read_writes(struct reading *r)
{
    const struct sb_sockets *v = &r->w->sockets;
    for (size_t i = 0; i < v->n_runs; i++) {
        int64_t of = v->run[i].port;
        if (v->run[i].does == SB_SOCKET_WRITES && v->owner[of] > 0 && v->kind[of] != SB_SOCKET_ACCEPTED)
            *SB_PUSH(&r->written) = (struct written){v->owner[of], v->run[i].start};
    }
    if (r->written.n > 0)
        SB_SORT(&r->written, by_owner);
}

static bool
has_written(const struct reading *r, int64_t id, int64_t from, int64_t to)
{
    size_t lo = 0, hi = r->written.n;
    const struct written *v = r->written.at;
    SB_SEARCH(lo, hi, v[mid].owner < id || (v[mid].owner == id && v[mid].at < from));
    return lo < r->written.n && v[lo].owner == id && v[lo].at < to;
}

/* Whether there may be such waits at all, and where. A call that times out is for call_timeouts. */
static bool
find_places(struct reading *r)
{
    const struct sb_why *w = r->w;
    int64_t socket = 0, messages = 0;
    SB_EACH_PRESENT (&w->x, id)
        SB_EACH_STEP (&w->x, id, s) {
            struct sb_str at = sb_evidence_text(&w->x, s->out);
            bool is_socket = s->wait == SB_WAIT_OUTSIDE && s->wait_ns >= LEAST_NS &&
                             sb_str_starts(at, SB_STR("prim_inet:recv"));
            if (!is_socket &&
                (s->wait != SB_WAIT_TIMER || sb_is_sleep(at) || sb_is_call(at) || sb_is_loop(at)))
                continue;
            r->place[s->out] = is_socket ? SOCKET : MESSAGES;
            socket += is_socket;
            messages += !is_socket;
        }
    if (socket >= FEWEST)
        read_writes(r);
    return socket >= FEWEST || messages >= FEWEST;
}

static void
read_process(struct reading *r, int64_t id)
{
    const struct sb_evidence *x = &r->w->x;
    int64_t woke = x->t0;
    SB_EACH_STEP (x, id, s) {
        int64_t from = s->start + s->dur;
        int32_t peer = 0;
        bool asked = false, timed_out = s->wait == SB_WAIT_TIMER;
        if (s->wait == SB_WAIT_NONE)
            continue;
        if (r->place[s->out] == SOCKET && s->wait == SB_WAIT_OUTSIDE)
            asked = has_written(r, id, woke, from);
        else if (r->place[s->out] == MESSAGES && (timed_out || s->wait == SB_WAIT_ASKED)) {
            peer = timed_out ? sb_evidence_sent_last(x, id, woke, from) : s->waker;
            asked = peer > 0 && (!timed_out || sb_evidence_asks(x, id, peer));
        }
        if (asked)
            *SB_PUSH(&r->asked) =
                (struct asked){x->actor[id].group, from, s->wait_ns, s->out, (int32_t)id, peer, timed_out};
        woke = from + s->wait_ns;
    }
}

/* One finding for waits of processes that were started alike, for the same peer, in the same function. */
static void
put(struct sb_why *w, const struct asked *a, size_t n, size_t answers, const char *how)
{
    SB_SCOPED struct sb_ranges waits = {0};
    SB_SCOPED SB_VEC(int64_t) clients = {0};
    int64_t ns = 0;
    for (size_t i = 0; i < n; i++) {
        *SB_PUSH(&clients) = a[i].client;
        sb_ranges_add(&waits, a[i].from, a[i].from + a[i].ns);
        ns += a[i].ns;
    }
    sb_ranges_unite(&waits);
    qsort(clients.at, n, sizeof *clients.at, sb_by_number);
    int64_t processes = 1, spare = sb_ranges_within(&waits, &w->x.level, SB_LEVEL_SPARE);
    for (size_t i = 1; i < n; i++)
        processes += clients.at[i] != clients.at[i - 1];
    struct sb_finding f = {
        .process = a->client,
        .with = a->peer,
        .gain = {0, sb_least(spare, sb_why_headroom(w)), sb_ranges_ns(&waits)},
        .confidence = a->peer > 0 ? "medium" : "low",
        .evidence =
            "SELECT who(process), function, count, total_ns, max_ns FROM wait WHERE process IN (SELECT "
            "p.id FROM process p JOIN process q ON p.group_id = q.group_id WHERE q.id = {process}) "
            "ORDER BY max_ns DESC LIMIT 20",
    };
    sb_why_put(w, f, "%s waits of %s%s, in %s, ended after %s each%s; %s other waits there were answered",
               sb_words_count(w->arena, (int64_t)n),
               processes == 1
                   ? ""
                   : sb_words(w->arena, "%s processes, such as ", sb_words_count(w->arena, processes)),
               sb_why_who(w, a->client), sb_why_function(w, a->out), sb_words_ns(w->arena, ns / (int64_t)n),
               how, sb_words_count(w->arena, (int64_t)answers));
}

/* Waits of a group in a function, for answers of processes: those that timed out, of a peer that has answered none. */
static void
look_at_messages(struct sb_why *w, const struct asked *a, size_t n)
{
    size_t answers = 0;
    for (size_t i = 0; i < n; i++)
        answers += !a[i].timed_out;
    for (size_t i = 0, to; i < n; i = to) {
        bool is_silent = true;
        for (to = i; to < n && a[to].peer == a[i].peer; to++)
            is_silent &= a[to].timed_out;
        const struct sb_actor *peer = &w->x.actor[a[i].peer];
        if (is_silent && to - i >= FEWEST && answers >= FEWEST)
            put(w, &a[i], to - i, answers,
                sb_words(
                    w->arena, " by their timeout: %s, which they had asked, %s", sb_why_who(w, a[i].peer),
                    peer->end != SB_NULL && peer->end < a[i].from ? "was dead" : "answered none of them"));
    }
}

/* Those for answers from sockets, by length. The trace does not tell a timeout from data, but the lengths do: the long
 * ones end within a twenty-fifth after a round time, and nothing comes between them and the short ones. */
static void
look_at_sockets(struct sb_why *w, const struct asked *a, size_t n)
{
    size_t first = 0, last = n;
    while (2 * a[first].ns < a[n - 1].ns)
        first++;
    int64_t timeout = a[first + (n - first) / 2].ns / STEP_NS * STEP_NS;
    while (last > first && a[last - 1].ns > timeout + timeout / 25)
        last--;
    size_t long_ones = n - first;
    while (first < last && a[first].ns < timeout)
        first++;
    if (timeout >= LEAST_NS && last - first >= FEWEST && 100 * (last - first) >= SOCKET_PERCENT * long_ones &&
        n - long_ones >= FEWEST)
        put(w, &a[first], last - first, n - long_ones,
            sb_words(w->arena,
                     ", as a timeout of %s does: they had written to sockets that they had opened, and "
                     "probably got no answer",
                     sb_words_ns(w->arena, timeout)));
}

static void
find(struct sb_why *w)
{
    struct reading r = {
        .w = w, .place = SB_NEW_N(w->arena, enum place, (uint64_t)sb_profile_texts(w->x.profile) + 1)};
    if (find_places(&r))
        SB_EACH_PRESENT (&w->x, id)
            if (w->x.actor[id].service == SB_SERVICE_NONE)
                read_process(&r, id);
    if (r.asked.n > 0)
        SB_SORT(&r.asked, by_place);
    for (size_t i = 0, to; i < r.asked.n; i = to) {
        const struct asked *a = &r.asked.at[i];
        for (to = i + 1; to < r.asked.n && r.asked.at[to].group == a->group && r.asked.at[to].out == a->out;)
            to++;
        (r.place[a->out] == SOCKET ? look_at_sockets : look_at_messages)(w, a, to - i);
    }
    SB_VEC_FREE(&r.asked);
    SB_VEC_FREE(&r.written);
}
