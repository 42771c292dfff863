#include "why/find/finding.h"

static void find(struct sb_why *w);

const struct sb_rule sb_rule_sleeping_tests = {
    .name = "sleeping_tests",
    .looks_for =
        "tests, or what prepares them, that wait until a timeout elapses while nothing else is at work",
    .erlang =
        "wait for the event instead of for a time: for a message or a monitor in a receive, or call the "
        "server, which answers when it is done; lower timeouts that a test has to wait for",
    .elixir =
        "wait for the event instead of for a time: assert_receive, a monitor, or a call to the server, which "
        "answers when it is done; lower the timeouts that refute_receive and others have to wait for",
    .find = find,
};

enum { SHORT_NS = 10000000 /* the shortest sleep that counts */ };

static void
add_sleeps(const struct sb_why *w, const struct sb_test *t, struct sb_ranges *sleeps)
{
    SB_EACH_STEP (&w->x, t->process, s) {
        int64_t from = s->start + s->dur;
        if (s->wait == SB_WAIT_TIMER && from >= t->from_ns && from < t->to_ns)
            sb_ranges_add(sleeps, from, sb_least(from + s->wait_ns, t->to_ns));
    }
}

/* The process of a test bears no name of the test's, and EUnit runs all tests of a group in one. */
static const char *
who_of(const struct sb_why *w, const struct sb_test *t)
{
    struct sb_str pid =
        sb_profile_text(w->x.profile, sb_profile_cell(w->x.profile, SB_T_process, SB_C_process__pid,
                                                      (uint64_t)t->process - 1));
    const char *name = t->name.n > 0 ? sb_words(w->arena, "\"%.*s\"", SB_STR_ARG(t->name))
                                     : sb_words(w->arena, "in %.*s", SB_STR_ARG(pid)),
               *of = t->module.n > 0 ? sb_words(w->arena, " of %.*s", SB_STR_ARG(t->module)) : "";
    return t->file.n > 0
               ? sb_words(w->arena, "%s%s (%.*s:%lld)", name, of, SB_STR_ARG(t->file), (long long)t->line)
               : sb_words(w->arena, "%s%s", name, of);
}

static void
find(struct sb_why *w)
{
    struct sb_ranges sleeps = {0};
    const struct sb_test *most = NULL;
    int64_t n = 0, slept_ns = 0;
    for (size_t i = 0; i < w->tests.n; i++) {
        const struct sb_test *t = &w->tests.at[i];
        if (t->sleep_ns < SHORT_NS)
            continue;
        n++;
        slept_ns += t->sleep_ns;
        most = !most || t->sleep_ns > most->sleep_ns ? t : most;
        add_sleeps(w, t, &sleeps);
    }
    sb_ranges_unite(&sleeps);
    int64_t idle_ns = sb_ranges_within(&sleeps, &w->x.level, SB_LEVEL_IDLE);
    SB_VEC_FREE(&sleeps);
    if (n == 0)
        return;
    sb_why_put(
        w, (struct sb_finding){
               .subject = "tests",
               .title = sb_words(w->arena,
                                 "%lld test%s slept %s of %s, setup included; the longest, %s, for %s in %s",
                                 (long long)n, n == 1 ? "" : "s", sb_words_ns(w->arena, slept_ns),
                                 sb_words_ns(w->arena, w->x.span_ns), who_of(w, most),
                                 sb_words_ns(w->arena, most->sleep_ns), sb_why_text(w, most->sleeps_in)),
               .gain = {0, idle_ns, idle_ns},
               .confidence = "high",
               .evidence = sb_words(w->arena,
                                    "SELECT name, module, file, line, sleep_ns, sleeps_in FROM "
                                    "test WHERE sleep_ns >= %d ORDER BY sleep_ns DESC",
                                    SHORT_NS),
           });
}
