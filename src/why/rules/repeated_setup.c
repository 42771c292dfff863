#include "why/find/finding.h"

SB_RULE(repeated_setup) = {
    .name = "repeated_setup",
    .looks_for = "work that is done again to prepare each test",
    .erlang =
        "do it once for all tests that can share it: {setup, ...} around them in place of {foreach, ...} of "
        "EUnit, init_per_suite or init_per_group in place of init_per_testcase",
    .elixir = "do it once for all tests of a module that can share it, in setup_all in place of setup",
    .find = find,
};

enum { FEWEST = 3, SHORT_NS = 10000000 /* tests, and the shortest setup that counts */ };

struct setups {
    int64_t tests, longest_ns, shortest_ns;
    const struct sb_test *longest;
    struct sb_ranges at;
};

/* What sleeps has a rule of its own. */
static void
add(const struct sb_test *t, struct setups *s)
{
    if (t->is_setup || t->setup_ns == SB_NULL || t->setup_ns < SHORT_NS ||
        2 * t->fixture_sleep_ns > t->setup_ns)
        return;
    for (size_t i = 0; i < t->n_fixtures; i++)
        if (!t->fixture[i].is_cleanup)
            sb_ranges_add(&s->at, t->fixture[i].from_ns, t->fixture[i].to_ns);
    s->shortest_ns = s->tests++ == 0 ? t->setup_ns : sb_least(t->setup_ns, s->shortest_ns);
    if (t->setup_ns > s->longest_ns) {
        s->longest = t;
        s->longest_ns = t->setup_ns;
    }
}

static void
find(struct sb_why *w)
{
    struct setups s = {0};
    for (size_t i = 0; i < w->tests.n; i++)
        add(&w->tests.at[i], &s);
    sb_ranges_unite(&s.at);
    int64_t ns = sb_ranges_ns(&s.at);
    SB_VEC_FREE(&s.at);
    if (s.tests < FEWEST)
        return;
    struct sb_finding f = {
        .subject = "tests",
        .gain = {0, SB_NULL, ns - sb_least(s.shortest_ns, ns)},
        .confidence = "medium",
        .evidence = "SELECT name, module, setup_ns, dur FROM test ORDER BY setup_ns DESC LIMIT 20",
    };
    sb_why_put(w, f, "%s tests were prepared one by one, for %s of %s; the longest setup, of %s, took %s",
               sb_words_count(w->arena, s.tests), sb_words_ns(w->arena, ns),
               sb_words_ns(w->arena, w->x.span_ns), sb_why_test_name(w, s.longest),
               sb_words_ns(w->arena, s.longest_ns));
}
