#include "why/find/finding.h"

SB_RULE(compiling_tests) = {
    .name = "compiling_tests",
    .looks_for = "files that are compiled while the tests of ExUnit run, with little else at work",
    .erlang = "divide the test file that takes longest, since files compile side by side; move what tests "
              "share to modules that are compiled once, such as those in test/support",
    .find = find,
};

struct compiling {
    int64_t files, longest, longest_ns; /* process.id that compiles the file that took longest */
    int64_t worker, alone_ns;           /* that worked alone for longest; all together */
    struct sb_ranges at;
};

static bool
starts(const struct sb_why *w, int64_t entry, const char *with)
{
    return sb_str_starts(sb_profile_text(w->x.profile, entry), sb_str_of(with));
}

/* A process of the parallel compiler has a file, and a process of elixir_erl_compiler each module in it. */
static void
add(const struct sb_why *w, int64_t id, struct compiling *c)
{
    const struct sb_actor *a = &w->x.actor[id];
    bool file = starts(w, a->entry, "'Elixir.Kernel.ParallelCompiler'");
    if (a->work_ns <= 0 || (!file && !starts(w, a->entry, "elixir_erl_compiler:")))
        return;
    c->alone_ns += a->alone_ns;
    if (c->worker == 0 || a->alone_ns > w->x.actor[c->worker].alone_ns)
        c->worker = id;
    int64_t from = a->start == SB_NULL || a->start < w->x.t0 ? w->x.t0 : a->start,
            to = a->end == SB_NULL ? w->x.t1 : sb_least(a->end, w->x.t1);
    if (!file || to <= from)
        return;
    c->files++;
    sb_ranges_add(&c->at, from, to);
    if (to - from > c->longest_ns) {
        c->longest = id;
        c->longest_ns = to - from;
    }
}

static void
find(struct sb_why *w)
{
    struct compiling c = {0};
    bool exunit = false;
    for (size_t i = 0; i < w->tests.n; i++)
        exunit |= w->tests.at[i].framework == SB_FRAMEWORK_EXUNIT;
    if (!exunit)
        return;
    SB_EACH_PRESENT (&w->x, id)
        add(w, id, &c);
    sb_ranges_unite(&c.at);
    int64_t all_ns = sb_ranges_ns(&c.at), gain = sb_why_spread(w, c.alone_ns);
    SB_VEC_FREE(&c.at);
    if (c.files == 0)
        return;
    struct sb_finding f = {
        .process = c.worker,
        .gain = {0, gain, gain},
        .confidence = "medium",
        .evidence = sb_words(w->arena,
                             "SELECT who(id), start, end, run_ns FROM process WHERE entry LIKE "
                             "'''Elixir.Kernel.ParallelCompiler''%%' AND end > %lld ORDER BY run_ns DESC",
                             (long long)w->x.t0),
    };
    sb_why_put(w, f,
               "%lld file%s %s compiled after the first test had begun, for %s of %s; the longest took %s",
               (long long)c.files, c.files == 1 ? "" : "s", c.files == 1 ? "was" : "were",
               sb_words_ns(w->arena, all_ns), sb_words_ns(w->arena, w->x.span_ns),
               sb_words_ns(w->arena, c.longest_ns));
}
