#include "why/find/finding.h"
#include "base/order.h"

SB_RULE(call_timeouts) = {
    .name = "call_timeouts",
    .looks_for = "calls whose caller gives up before the reply comes, while the server still does the work",
    .erlang =
        "keep the server free: return {noreply, State} and answer with gen_server:reply/2, or share its "
        "work; do not repeat a call that timed out, since the server serves the first one too; where the "
        "work takes that long, raise the timeout of gen_server:call/3",
    .elixir =
        "keep the server free: return {:noreply, state} and answer with GenServer.reply/2, or share its "
        "work; do not repeat a call that timed out, since the server serves the first one too; where the "
        "work takes that long, raise the timeout of GenServer.call/3",
    .needs_all = true,
    .find = find,
};

enum { FEWEST = 5 /* where other work goes on meanwhile */ };

struct given_up { /* a call that ended with its timeout */
    int32_t server, client;
    int64_t from, to;
};
typedef SB_VEC(struct given_up) calls;

SB_ORDER(by_server, struct given_up, SB_UP(server) ?: SB_UP(client) ?: SB_UP(from))

/* A call sends its request last, and then waits in gen:do_call. */
static void
read_calls(const struct sb_why *w, int64_t client, calls *v)
{
    uint32_t at = w->x.outbox[client], end = w->x.outbox[client + 1];
    SB_EACH_STEP (&w->x, client, s) {
        int64_t from = s->start + s->dur;
        while (at < end && w->x.letter[w->x.by_sender[at]].sent <= from)
            at++;
        if (s->wait != SB_WAIT_TIMER || at == w->x.outbox[client] ||
            !sb_str_starts(sb_evidence_text(&w->x, s->out), SB_STR("gen:do_call/")))
            continue;
        const struct sb_letter *request = &w->x.letter[w->x.by_sender[at - 1]];
        if (request->receiver > 0)
            *SB_PUSH(v) =
                (struct given_up){request->receiver, (int32_t)client, request->sent, from + s->wait_ns};
    }
}

static void
put(struct sb_why *w, const struct given_up *c, size_t n)
{
    SB_SCOPED struct sb_ranges waits = {0};
    int64_t clients = 0, sum = 0;
    for (size_t i = 0; i < n; i++) {
        clients += i == 0 || c[i].client != c[i - 1].client;
        sum += c[i].to - c[i].from;
        sb_ranges_add(&waits, c[i].from, c[i].to);
    }
    sb_ranges_unite(&waits);
    int64_t idle = sb_ranges_within(&waits, &w->x.level, SB_LEVEL_IDLE), all = sb_ranges_ns(&waits);
    bool stood = sb_why_is_material(w, idle);
    if (!stood && n < FEWEST)
        return;
    const char *many =
        n == 1 ? "1 call" : sb_words(w->arena, "%s calls", sb_words_count(w->arena, (int64_t)n));
    const char *who = clients == 1 ? sb_why_who(w, c->client)
                                   : sb_words(w->arena, "%s processes", sb_words_count(w->arena, clients));
    sb_why_put(
        w,
        (struct sb_finding){
            .process = c->server,
            .title = sb_words(
                w->arena,
                "at least %s to %s timed out: %s waited %s%s and gave up; nothing was at work for %s of that",
                many, sb_why_who(w, c->server), who, sb_words_ns(w->arena, sum / (int64_t)n),
                n == 1 ? "" : " a call on average", sb_words_ns(w->arena, idle)),
            .gain = {stood ? 0 : SB_NULL, stood ? idle : SB_NULL, stood ? all : SB_NULL},
            .confidence = "medium",
            .evidence = sb_words(w->arena,
                                 "SELECT who(process), start, wait_ns FROM gap WHERE cause = 'timeout' "
                                 "AND process = %d ORDER BY wait_ns DESC LIMIT 20",
                                 c->client),
        });
}

static void
find(struct sb_why *w)
{
    SB_SCOPED calls v = {0};
    for (uint64_t id = 1; id < w->x.n_actors; id++)
        if (w->x.actor[id].timeouts > 0)
            read_calls(w, (int64_t)id, &v);
    SB_SORT(&v, by_server);
    for (size_t i = 0, to; i < v.n; i = to) {
        for (to = i + 1; to < v.n && v.at[to].server == v.at[i].server;)
            to++;
        put(w, &v.at[i], to - i);
    }
}
