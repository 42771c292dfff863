#include "why/find/finding.h"
#include "profile/scan_row.h"

SB_RULE(sleeping_tests) = {
    .name = "sleeping_tests",
    .looks_for =
        "tests, or what prepares them, that wait for a timeout, for the message of a timer, or for a "
        "server that waits itself, while nothing else is at work",
    .erlang = "wait for the event instead of for a time: for a message or a monitor in a receive, or call "
              "the server, which answers when it is done; lower timeouts that a test has to wait for; "
              "section latency of the report says what servers wait for",
    .elixir =
        "wait for the event instead of for a time: assert_receive, a monitor, or a call to the server, which "
        "answers when it is done; lower the timeouts that refute_receive and others have to wait for; "
        "section latency of the report says what servers wait for",
    .find = find,
};

static const struct sb_cure one_each = {
    .where = "tests stand in the queue of a server that they share",
    .erlang =
        "start a server, such as a connection, for each test in its setup, or several and let each test "
        "take one that is free",
    .elixir =
        "start a server, such as a connection, for each test with start_supervised in its setup, or several "
        "and let each test take one that is free, as of a pool",
};

static const struct sb_cure of_starts = {
    .where = "tests wait for what each of them starts",
    .erlang =
        "start it once for all tests that can share it, in init_per_suite or init_per_group, or in the setup "
        "around them",
    .elixir =
        "start it once for all tests of a module that can share it, in setup_all, or in test_helper.exs",
};

enum { SHORT_NS = 10000000 /* the shortest sleep that counts */, FEWEST_STARTS = 3 };

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
    int64_t tests, setups, ns, longest_ns; /* setups: setup_all of ExUnit */
    int64_t fixtures_ns;                   /* of ns, setup and cleanup beside the tests */
    int64_t starts_ns;                     /* of ns, for processes that the waiting ones started */
    const struct sb_test *longest;
    int32_t function; /* of it */
    int64_t whom;     /* process.id that it waits for, 0: unknown */
    struct sb_ranges at;
};

static bool
starts(const struct sb_why *w, int64_t process, const struct sb_step *s)
{
    return s->wait == SB_WAIT_ASKED && w->x.actor[s->waker].parent == process;
}

static bool
is_nap(const struct sb_why *w, const struct naps *n, int64_t process, const struct sb_step *s)
{
    if (s->wait != n->wait || s->wait == SB_WAIT_TIMER)
        return s->wait == n->wait;
    return s->wait == SB_WAIT_ASKED
               ? starts(w, process, s) || (w->x.actor[s->waker].is_program && w->awaits.clients[s->waker] > 0)
               : !sb_is_otp(sb_evidence_text(&w->x, s->out));
}

static int64_t
add_naps(const struct sb_why *w, struct naps *n, const struct sb_fixture *f, int32_t *function, int64_t *most)
{
    int64_t all = 0;
    size_t before = n->at.n;
    const struct sb_actor *a = &w->x.actor[f->process];
    const struct sb_step *s = sb_evidence_step_at(&w->x, f->process, f->from_ns),
                         *end = w->x.step + a->first + a->n;
    for (s = s ? s : w->x.step + a->first; s < end && s->start < f->to_ns; s++) {
        int64_t from = s->start + s->dur, ns = sb_least(s->wait_ns, f->to_ns - from);
        if (!is_nap(w, n, f->process, s) || from < f->from_ns || from >= f->to_ns)
            continue;
        sb_ranges_add(&n->at, from, from + ns);
        all += ns;
        n->starts_ns += starts(w, f->process, s) ? ns : 0;
        *function = ns > *most ? s->out : *function;
        *most = ns > *most ? ns : *most;
    }
    if (n->wait != SB_WAIT_OUTSIDE || all == 0 || !owns_port(w, f->process))
        return all;
    n->at.n = before;
    return 0;
}

static void
add_test(const struct sb_why *w, const struct sb_test *t, struct naps *n)
{
    int32_t function = 0;
    int64_t most = 0, fixtures_ns = 0, starts_ns = n->starts_ns;
    size_t before = n->at.n;
    struct sb_fixture test = {t->process, t->from_ns, t->to_ns, false};
    int64_t all = add_naps(w, n, &test, &function, &most);
    for (size_t i = 0; i < t->n_fixtures; i++)
        fixtures_ns += add_naps(w, n, &t->fixture[i], &function, &most);
    all += fixtures_ns;
    if (all < SHORT_NS) {
        n->at.n = before;
        n->starts_ns = starts_ns;
        return;
    }
    *(t->is_setup ? &n->setups : &n->tests) += 1;
    n->ns += all;
    n->fixtures_ns += fixtures_ns;
    if (all <= n->longest_ns)
        return;
    n->longest = t;
    n->longest_ns = all;
    n->whom = 2 * fixtures_ns > all ? 0 : t->waits_for;
    n->function = n->wait == SB_WAIT_TIMER ? t->sleeps_in : function;
}

static const char *
count_of(const struct sb_why *w, const struct naps *n)
{
    const char *tests = sb_words(w->arena, "%s test%s", sb_words_count(w->arena, n->tests),
                                 n->tests == 1 ? "" : "s"),
               *setups = sb_words(w->arena, "setup_all of %s module%s", sb_words_count(w->arena, n->setups),
                                  n->setups == 1 ? "" : "s");
    return n->setups == 0 ? tests : n->tests == 0 ? setups : sb_words(w->arena, "%s and %s", tests, setups);
}

/* Which part of that is setup or cleanup. */
static const char *
fixtures_of(const struct sb_why *w, const struct naps *n)
{
    const char *setup = n->wait == SB_WAIT_TIMER && n->tests > 0 ? ", setup included" : "";
    if (n->fixtures_ns == 0)
        return setup;
    bool exunit = n->longest->framework == SB_FRAMEWORK_EXUNIT;
    return sb_words(w->arena, "%s, %s of it in %s", exunit ? setup : "",
                    sb_words_ns(w->arena, n->fixtures_ns),
                    exunit ? "on_exit" : "setup and cleanup around them");
}

/* The server that most tests wait for in the queue of others: more would serve them at the same time. */
static const struct sb_server_row *
queue_of(const struct sb_why *w, const struct naps *n)
{
    for (size_t i = 0; i < w->servers.n && n->whom > 0; i++) {
        const struct sb_server_row *s = &w->servers.at[i];
        if (s->process == n->whom && s->clients > 1 && s->latency.count > 0 &&
            s->latency.mailbox_ns > s->latency.service_ns)
            return s;
    }
    return NULL;
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
    bool starts_own = 2 * n.starts_ns > n.ns;
    if (n.tests + n.setups == 0 || (starts_own && n.tests < FEWEST_STARTS))
        return;
    bool sleeps = wait == SB_WAIT_TIMER, asks = wait == SB_WAIT_ASKED;
    int64_t once_ns = starts_own ? idle_ns / n.tests : 0; /* one start remains */
    const struct sb_server_row *queue = asks && !starts_own ? queue_of(w, &n) : NULL;
    struct sb_finding f = {
        .subject = "tests",
        .with = asks ? n.whom : 0,
        .cure = starts_own ? &of_starts
                : queue    ? &one_each
                           : NULL,
        .gain = {0, idle_ns - once_ns, idle_ns - once_ns},
        .confidence = starts_own ? "medium" : "high", /* whether tests can share it, no trace shows */
        .evidence =
            sleeps ? sb_words(
                         w->arena,
                         "SELECT name, module, file, line, sleep_ns, fixture_sleep_ns, sleeps_in FROM test "
                         "WHERE sleep_ns + fixture_sleep_ns >= %d ORDER BY sleep_ns + fixture_sleep_ns DESC",
                         SHORT_NS)
                   : "SELECT name, module, file, line, wait_ns, who(waits_for) FROM test ORDER BY wait_ns "
                     "DESC LIMIT 10",
    };
    const char *of =
        n.ns > w->x.span_ns ? "in all" : sb_words(w->arena, "of %s", sb_words_ns(w->arena, w->x.span_ns));
    const char *whom = sleeps       ? ""
                       : starts_own ? " for processes that they started"
                       : asks       ? " for servers that waited themselves"
                                    : " for messages that no process sent, such as those of timers";
    sb_why_put(w, f, "%s %s %s %s%s%s; the longest, %s, for %s %s%s", count_of(w, &n),
               sleeps ? "slept" : "waited", sb_words_ns(w->arena, n.ns), of, whom, fixtures_of(w, &n),
               sb_why_test_name(w, n.longest), sb_words_ns(w->arena, n.longest_ns),
               asks && n.whom > 0 ? sb_words(w->arena, "for %s", sb_why_who(w, n.whom))
                                  : sb_words(w->arena, "in %s", sb_why_function(w, n.function)),
               queue ? sb_words(w->arena, ", where a request stood in the queue for %s of %s on average",
                                sb_words_ns(w->arena, queue->latency.mailbox_ns),
                                sb_words_ns(w->arena, queue->latency.mailbox_ns + queue->latency.service_ns))
                     : "");
}

static void
find(struct sb_why *w)
{
    find_naps(w, SB_WAIT_TIMER);
    find_naps(w, SB_WAIT_OUTSIDE);
    find_naps(w, SB_WAIT_ASKED);
}
