#include "why/find/finding.h"

SB_RULE(call_timeouts) = {
    .name = "call_timeouts",
    .looks_for = "calls whose caller gives up before the reply comes, while the server still does the work",
    .erlang = "keep the server free: return {noreply, State} and answer with gen_server:reply/2, or share "
              "its work; do not repeat a call that timed out, since the server serves the first one too; "
              "where the work takes that long, raise the timeout of gen_server:call/3",
    .elixir = "keep the server free: return {:noreply, state} and answer with GenServer.reply/2, or share "
              "its work; do not repeat a call that timed out, since the server serves the first one too; "
              "where the work takes that long, raise the timeout of GenServer.call/3",
    .needs_all = true,
    .of_requests = true,
    .find = find,
};

enum { FEWEST = 5 /* where other work goes on meanwhile */ };

typedef SB_VEC(struct sb_await) calls; /* that ended with their timeout */

static void
put(struct sb_why *w, const struct sb_await *c, size_t n)
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
    struct sb_finding f = {
        .process = c->server,
        .gain = {stood ? 0 : SB_NULL, stood ? idle : SB_NULL, stood ? all : SB_NULL},
        .confidence = "medium",
        .evidence = sb_words(w->arena,
                             "SELECT who(process), start, wait_ns FROM gap WHERE cause = 'timeout' AND "
                             "process = %d ORDER BY wait_ns DESC LIMIT 20",
                             c->client),
    };
    sb_why_put(w, f,
               "at least %s to %s timed out: %s waited %s%s and gave up; nothing was at work for %s of that",
               many, sb_why_who(w, c->server), who, sb_words_ns(w->arena, sum / (int64_t)n),
               n == 1 ? "" : " a call on average", sb_words_ns(w->arena, idle));
}

static void
find(struct sb_why *w)
{
    SB_SCOPED calls v = {0};
    for (size_t i = 0; i < w->awaits.n; i++)
        if (w->awaits.at[i].gave_up)
            *SB_PUSH(&v) = w->awaits.at[i];
    for (size_t i = 0, to; i < v.n; i = to) {
        for (to = i + 1; to < v.n && v.at[to].server == v.at[i].server;)
            to++;
        put(w, &v.at[i], to - i);
    }
}
