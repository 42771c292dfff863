#include "why/find/finding.h"
#include "profile/scan_row.h"

SB_RULE(sleeping_tests) = {
    .name = "sleeping_tests",
    .looks_for =
        "tests, or what prepares them, that wait for a timeout, for the message of a timer, or for a "
        "server that waits itself, while nothing else is at work",
    .erlang = "wait for the event instead of for a time: for a message or a monitor in a receive, or call "
              "the server, which answers when it is done; lower timeouts that a test has to wait for; strobe "
              "report P latency says what servers wait for",
    .elixir =
        "wait for the event instead of for a time: assert_receive, a monitor, or a call to the server, which "
        "answers when it is done; lower the timeouts that refute_receive and others have to wait for; "
        "strobe report P latency says what servers wait for",
    .find = find,
};

enum { SHORT_NS = 10000000 /* the shortest sleep that counts */ };

/* Messages of a port come to its owner. */
static bool
owns_port(const struct sb_why *w, int64_t process)
{
    bool owns = false;
    SB_SCAN(s, w->x.profile, port, owner);
    for (size_t i = 0; sb_scan_row(&s, &i); i++)
        owns |= s.value[owner][i] == process;
    return owns;
}

/* What a test waits for while nothing is at work. */
struct naps {
    enum sb_wait
        wait; /* a timeout; in its own code a message that no process sent; the reply of a server that waits */
    int64_t tests, ns, longest_ns;
    const struct sb_test *longest;
    int32_t function; /* of it */
    struct sb_ranges at;
};

static bool
is_nap(const struct sb_why *w, const struct naps *n, const struct sb_step *s)
{
    if (s->wait != n->wait || s->wait == SB_WAIT_TIMER)
        return s->wait == n->wait;
    return s->wait == SB_WAIT_ASKED ? w->x.actor[s->waker].is_program && w->awaits.clients[s->waker] > 0
                                    : !sb_is_otp(sb_evidence_text(&w->x, s->out));
}

static void
add_test(const struct sb_why *w, const struct sb_test *t, struct naps *n)
{
    int64_t all = 0, most = 0;
    int32_t function = 0;
    size_t before = n->at.n;
    SB_EACH_STEP (&w->x, t->process, s) {
        int64_t from = s->start + s->dur, ns = sb_least(s->wait_ns, t->to_ns - from);
        if (!is_nap(w, n, s) || from < t->from_ns || from >= t->to_ns)
            continue;
        sb_ranges_add(&n->at, from, from + ns);
        all += ns;
        function = ns > most ? s->out : function;
        most = ns > most ? ns : most;
    }
    if (all < SHORT_NS || (n->wait == SB_WAIT_OUTSIDE && owns_port(w, t->process))) {
        n->at.n = before;
        return;
    }
    n->tests++;
    n->ns += all;
    if (all <= n->longest_ns)
        return;
    n->longest = t;
    n->longest_ns = all;
    n->function = n->wait == SB_WAIT_TIMER ? t->sleeps_in : function;
}

/* The process of a test bears no name of the test's, and EUnit runs all tests of a group in one. */
static const char *
who_of(const struct sb_why *w, const struct sb_test *t)
{
    struct sb_str pid = sb_words_cell(w->x.profile, t->process, SB_C_process__pid);
    const char *name = t->name.n > 0 ? sb_words(w->arena, "\"%.*s\"", SB_STR_ARG(t->name))
                                     : sb_words(w->arena, "in %.*s", SB_STR_ARG(pid)),
               *of = t->module.n > 0 ? sb_words(w->arena, " of %.*s", SB_STR_ARG(t->module)) : "";
    return t->file.n > 0
               ? sb_words(w->arena, "%s%s (%.*s:%lld)", name, of, SB_STR_ARG(t->file), (long long)t->line)
               : sb_words(w->arena, "%s%s", name, of);
}

static void
find_naps(struct sb_why *w, enum sb_wait wait)
{
    struct naps n = {.wait = wait};
    for (size_t i = 0; i < w->tests.n; i++)
        add_test(w, &w->tests.at[i], &n);
    sb_ranges_unite(&n.at);
    int64_t idle_ns = sb_ranges_within(&n.at, &w->x.level, SB_LEVEL_IDLE);
    SB_VEC_FREE(&n.at);
    if (n.tests == 0)
        return;
    bool sleeps = wait == SB_WAIT_TIMER, asks = wait == SB_WAIT_ASKED;
    struct sb_finding f = {
        .subject = "tests",
        .with = asks ? n.longest->waits_for : 0,
        .gain = {0, idle_ns, idle_ns},
        .confidence = "high",
        .evidence =
            sleeps ? sb_words(w->arena,
                              "SELECT name, module, file, line, sleep_ns, sleeps_in FROM test WHERE "
                              "sleep_ns >= %d ORDER BY sleep_ns DESC",
                              SHORT_NS)
                   : "SELECT name, module, file, line, wait_ns, who(waits_for) FROM test ORDER BY wait_ns "
                     "DESC LIMIT 10",
    };
    const char *of =
        n.ns > w->x.span_ns ? "in all" : sb_words(w->arena, "of %s", sb_words_ns(w->arena, w->x.span_ns));
    sb_why_put(w, f, "%s test%s %s %s %s%s; the longest, %s, for %s %s", sb_words_count(w->arena, n.tests),
               n.tests == 1 ? "" : "s", sleeps ? "slept" : "waited", sb_words_ns(w->arena, n.ns), of,
               sleeps ? ", setup included"
               : asks ? " for servers that waited themselves"
                      : " for messages that no process sent, such as those of timers",
               who_of(w, n.longest), sb_words_ns(w->arena, n.longest_ns),
               asks && n.longest->waits_for > 0
                   ? sb_words(w->arena, "for %s", sb_why_who(w, n.longest->waits_for))
                   : sb_words(w->arena, "in %s", sb_why_function(w, n.function)));
}

static void
find(struct sb_why *w)
{
    find_naps(w, SB_WAIT_TIMER);
    find_naps(w, SB_WAIT_OUTSIDE);
    find_naps(w, SB_WAIT_ASKED);
}
