#include "why/find/finding.h"

SB_RULE(runtime_compilation) = {
    .name = "runtime_compilation",
    .looks_for = "modules that the program compiles while it runs",
    .erlang = "compile each module once and keep it, or at build time; where only data changes, keep it in "
              "persistent_term or ETS instead of in the code of a module",
    .elixir = "define each module once, or at build time by a macro; where only data changes, keep it in "
              ":persistent_term or ETS instead of in the code of a module",
    .find = find,
};

/*
 * compile:forms/2 and the end of a module of Elixir start a process each for one module. What a build does is left
 * out: compile:file/2 reads a source, for which the compiler starts a process of epp, and Elixir compiles the files of
 * a project and of its command line in processes of its own.
 */
enum { FEWEST = 20 };

static bool
starts(const struct sb_why *w, int64_t process, const char *with)
{
    return process > 0 &&
           sb_str_starts(sb_profile_text(w->x.profile, w->x.actor[process].entry), sb_str_of(with));
}

static bool
compiles(const struct sb_why *w, int64_t id)
{
    const struct sb_actor *a = &w->x.actor[id];
    return a->start != SB_NULL && a->start >= w->x.t0 && a->end != SB_NULL && a->parent > 0 &&
           a->parent < w->x.n_actors && w->x.actor[a->parent].is_program && sb_why_is_compiler(w, id) &&
           !starts(w, a->parent, "'Elixir.Kernel.");
}

struct compiled {
    int64_t n, *of, most; /* modules: all, by the process that had them compiled, and the one that had most */
    struct sb_ranges at;
};

/* Whoever had a module compiled loads it, and purges the one before. */
static void
add_loading(const struct sb_why *w, struct compiled *c)
{
    for (size_t i = 0; i < w->awaits.n; i++) {
        const struct sb_await *a = &w->awaits.at[i];
        if (a->is_request && c->of[a->client] > 0 && w->x.actor[a->server].service == SB_SERVICE_CODE)
            sb_ranges_add(&c->at, a->from, a->to);
    }
}

static void
find(struct sb_why *w)
{
    struct compiled c = {.of = SB_NEW_N(w->arena, int64_t, w->x.n_actors)};
    uint8_t *reads = SB_NEW_N(w->arena, uint8_t, w->x.n_actors);
    SB_EACH_PRESENT (&w->x, id)
        if (starts(w, id, "epp:") && w->x.actor[id].parent > 0)
            reads[w->x.actor[id].parent] = 1;
    SB_EACH_PRESENT (&w->x, id) {
        const struct sb_actor *a = &w->x.actor[id];
        if (reads[id] || !compiles(w, id))
            continue;
        c.n++;
        c.most = ++c.of[a->parent] > c.of[c.most] ? a->parent : c.most;
        sb_ranges_add(&c.at, a->start, sb_least(a->end, w->x.t1));
    }
    add_loading(w, &c);
    sb_ranges_unite(&c.at);
    int64_t ns = sb_ranges_ns(&c.at), quiet = sb_ranges_within(&c.at, &w->x.level, SB_LEVEL_QUIET);
    SB_VEC_FREE(&c.at);
    if (c.n < FEWEST)
        return;
    int64_t others = c.n - c.of[c.most];
    struct sb_finding f = {
        .process = c.most,
        .gain = {0, quiet, ns},
        .confidence = "high",
        .evidence = "SELECT who(parent), count(*), sum(\"end\" - start) AS ns FROM process WHERE entry LIKE "
                    "'compile:%' OR entry LIKE 'elixir_erl_compiler:%' GROUP BY parent ORDER BY ns DESC",
    };
    sb_why_put(w, f,
               "%s had %s modules compiled while it ran%s: a module was being compiled or loaded for %s, %d "
               "%% of the time",
               sb_why_who(w, c.most), sb_words_count(w->arena, c.of[c.most]),
               others ? sb_words(w->arena, ", and other processes %s", sb_words_count(w->arena, others)) : "",
               sb_words_ns(w->arena, ns), sb_percent(ns, w->x.span_ns));
}
