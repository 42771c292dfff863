#include "why/find/finding.h"

SB_RULE(serial_tests) = {
    .name = "serial_tests",
    .looks_for = "modules of tests that ExUnit runs one at a time",
    .erlang = "use ExUnit.Case, async: true in modules that share no state with others",
    .find = find,
};

/* Modules that ran one after another. One that begins later than AFTER_NS after the end of the one before may have been
 * compiled until then. */
enum { AFTER_NS = 5000000 };
struct modules {
    int64_t n, longest, sum_ns;
    int64_t from_ns, to_ns; /* of them all */
};

static int64_t
start_of(const struct sb_why *w, int64_t id)
{
    int64_t start = w->x.actor[id].start;
    return start == SB_NULL || (w->x.is_cut && start < w->x.t0) ? w->x.t0 : start;
}

static int64_t
length_of(const struct sb_why *w, int64_t id)
{
    int64_t end = w->x.actor[id].end;
    return sb_least(end == SB_NULL ? w->x.t1 : end, w->x.t1) - start_of(w, id);
}

/* Keeps the longest run of modules; tests, and so their modules, are in order of time. */
static struct modules
find_modules(const struct sb_why *w)
{
    struct modules best = {0}, m = {0};
    int64_t last = 0;
    for (size_t i = 0; i < w->tests.n; i++) {
        const struct sb_test *t = &w->tests.at[i];
        if (t->framework != SB_FRAMEWORK_EXUNIT || t->suite < 1 || t->suite == last)
            continue;
        int64_t ns = length_of(w, t->suite), from = start_of(w, t->suite);
        if (m.n > 0 && (from < m.to_ns || from > m.to_ns + AFTER_NS))
            m = (struct modules){0};
        last = t->suite;
        m = (struct modules){m.n + 1, m.n == 0 || ns > length_of(w, m.longest) ? last : m.longest,
                             m.sum_ns + ns, m.n == 0 ? from : m.from_ns, from + ns};
        best = m.sum_ns > best.sum_ns ? m : best;
    }
    return best;
}

static int64_t
work_within(const struct sb_why *w, const struct modules *m)
{
    int64_t ns = 0;
    for (size_t i = 0; i < w->tests.n; i++)
        ns += w->tests.at[i].from_ns >= m->from_ns && w->tests.at[i].to_ns <= m->to_ns
                  ? w->tests.at[i].work_ns
                  : 0;
    return ns;
}

/* ExUnit runs two modules a scheduler at once, unless it is told otherwise. */
static int64_t
least_length(const struct sb_why *w, const struct modules *m)
{
    int64_t least = length_of(w, m->longest), cases = m->sum_ns / (2 * w->x.schedulers),
            work = work_within(w, m) / w->x.schedulers;
    least = cases > least ? cases : least;
    return work > least ? work : least;
}

static const char *
name_of(const struct sb_why *w, int64_t suite)
{
    for (size_t i = 0; i < w->tests.n; i++)
        if (w->tests.at[i].suite == suite && w->tests.at[i].module.n > 0)
            return sb_words(w->arena, "%.*s", SB_STR_ARG(w->tests.at[i].module));
    return sb_why_who(w, suite);
}

static void
find(struct sb_why *w)
{
    struct modules m = find_modules(w);
    if (m.n < 2)
        return;
    int64_t gain = m.sum_ns - least_length(w, &m);
    struct sb_finding f = {
        .subject = "tests",
        .gain = {0, gain, gain},
        .confidence = "medium",
        .evidence = "SELECT module, count(*), min(start), sum(dur), sum(work_ns) FROM test GROUP BY 1 ORDER "
                    "BY 4 DESC",
    };
    sb_why_put(w, f, "%lld modules of tests ran one at a time for %s; the longest, %s, took %s",
               (long long)m.n, sb_words_ns(w->arena, m.sum_ns), name_of(w, m.longest),
               sb_words_ns(w->arena, length_of(w, m.longest)));
}
