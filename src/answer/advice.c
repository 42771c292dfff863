/*
 * What to look at next: only causes that cost 5 % of the run or more, each with the largest possible gain. A
 * rule without enough data gives no advice. If no rule applies, a row `nothing` shows where the time went.
 */
#include "answer/advice.h"
#include "answer/bottleneck.h"
#include "answer/gc_copied.h"
#include "answer/summary_row.h"
#include <stdlib.h>

enum { MATERIAL = 20 /* a twentieth of the span */, TOLD = 5 };

struct finding {
    int64_t gain_ns; /* upper bound; 0: nothing found */
    struct sb_str text, see;
};

struct looking {
    const struct sb_ask *ask;
    const struct sb_facts *f;
    int64_t server; /* process.id that the first rule found */
};

static struct sb_str
human(const struct looking *x, int64_t ns)
{
    return sb_facts_human(x->ask, ns, SB_U_NS);
}

/* The time saved if work that one process does alone is spread over all schedulers. */
static int64_t
shared(const struct sb_facts *f, int64_t alone_ns)
{
    return f->schedulers > 1 ? alone_ns - alone_ns / f->schedulers : 0;
}

/* The time saved if the schedulers have this much less work; idle time stays. */
static int64_t
without(const struct sb_facts *f, int64_t work_ns)
{
    double all = (double)f->together->work_ns, busy = (double)(f->span_ns - f->together->at_level_ns[0]);
    return all > 0 && work_ns > 0 ? (int64_t)(busy * ((double)work_ns < all ? (double)work_ns / all : 1)) : 0;
}

/* ---- rules ---- */

/* The time saved if all schedulers share the work of a process that has more than its part. Unlike time alone, it does
 * not depend on when other programs took the cores. */
static int64_t
above_its_part(const struct sb_facts *f, int64_t work_ns)
{
    int64_t part = f->together->work_ns / f->schedulers;
    return work_ns > part ? work_ns - part : 0;
}

static bool
server(struct looking *x, struct finding *out, struct sb_err *e)
{
    const struct sb_facts *f = x->f;
    struct sb_bottleneck one;
    (void)e;
    if (!f->has_running || f->schedulers < 2)
        return true;
    sb_bottleneck_find(x->ask, f->program->span_ns - f->program->at_level_ns[0], &one);
    if (one.process == SB_NULL || one.lives_ns <= 0)
        return true;
    x->server = one.process;
    int64_t alone_ns = f->program->alone_ns[one.process], by_alone = shared(f, alone_ns),
            by_work = above_its_part(f, one.work_ns);
    out->gain_ns = by_alone > by_work ? by_alone : by_work;
    struct sb_str why =
        by_alone > by_work
            ? sb_arena_printf(x->ask->arena, "for %.*s it was at work alone with nobody else ready",
                              SB_STR_ARG(human(x, alone_ns)))
            : sb_arena_printf(x->ask->arena, "it did %.0f %% of all work, %.*s, one request at a time",
                              100 * (double)one.work_ns / (double)f->together->work_ns,
                              SB_STR_ARG(human(x, one.work_ns)));
    out->text =
        sb_arena_printf(x->ask->arena,
                        "%lld processes waited for %.*s, %s%.0f %% of their time on average; %.*s: sharing "
                        "its work gains up to %.*s",
                        (long long)one.waiters, SB_STR_ARG(sb_facts_who(x->ask, one.process)),
                        one.is_sample ? "about " : "", 100 * (double)one.waited_ns / (double)one.lives_ns,
                        SB_STR_ARG(why), SB_STR_ARG(human(x, out->gain_ns)));
    out->see = sb_arena_printf(x->ask->arena, "strobe report P messages --process %.*s",
                               SB_STR_ARG(sb_facts_process(x->ask, one.process)));
    return true;
}

static bool
alone(struct looking *x, struct finding *out, struct sb_err *e)
{
    int64_t ns = 0, who = x->f->has_running ? sb_parallel_most_alone(x->f->program, &ns) : 0;
    (void)e;
    if (who == 0 || who == x->server)
        return true;
    out->gain_ns = shared(x->f, ns);
    out->text = sb_arena_printf(
        x->ask->arena,
        "%.*s was at work alone for %.*s, with nobody else ready: dividing its work gains up "
        "to %.*s",
        SB_STR_ARG(sb_facts_who(x->ask, who)), SB_STR_ARG(human(x, ns)), SB_STR_ARG(human(x, out->gain_ns)));
    out->see = sb_arena_printf(x->ask->arena, "strobe report P processes --process %.*s",
                               SB_STR_ARG(sb_facts_process(x->ask, who)));
    return true;
}

static bool
collecting(struct looking *x, struct finding *out, struct sb_err *e)
{
    struct sb_gc_copied kept;
    (void)e;
    if (!x->f->has_running || x->f->gc_ns == SB_NULL)
        return true;
    sb_gc_copied_find(x->ask->profile, x->ask->arena, &kept);
    out->gain_ns = without(x->f, kept.ns);
    out->text = sb_arena_printf(
        x->ask->arena,
        "garbage collection spent %.*s on data that lived on, summed over processes, %.*s of it in "
        "%.*s (all collections: %.*s): less live data or a larger heap gains up to %.*s",
        SB_STR_ARG(human(x, kept.ns)), SB_STR_ARG(human(x, kept.process_ns)),
        SB_STR_ARG(sb_facts_who(x->ask, kept.process)), SB_STR_ARG(human(x, kept.all_ns)),
        SB_STR_ARG(human(x, out->gain_ns)));
    out->see = SB_STR("strobe report P gc");
    return true;
}

/* A supervisor waits for each child's init before it starts the next. */
static bool
started_in_turn(struct looking *x, struct finding *out, struct sb_err *e)
{
    struct sb_table t;
    SB_TRY(sb_sql_ask(
        x->ask->sql,
        SB_STR(
            "SELECT process, count, total_ns, total_ns - max_ns FROM wait WHERE count > 1 AND function LIKE "
            "'proc_lib:sync_start%' ORDER BY 4 DESC LIMIT 1"),
        NULL, 0, NULL, x->ask->arena, &t, e));
    if (t.n_rows == 0)
        return true;
    out->gain_ns = t.cell[3].i;
    out->text =
        sb_arena_printf(x->ask->arena,
                        "%.*s started %lld processes one after the other and waited %.*s for their init: "
                        "starting at once gains up to %.*s",
                        SB_STR_ARG(sb_facts_who(x->ask, t.cell[0].i)), (long long)t.cell[1].i,
                        SB_STR_ARG(human(x, t.cell[2].i)), SB_STR_ARG(human(x, out->gain_ns)));
    out->see = sb_arena_printf(x->ask->arena, "strobe report P waits --process %.*s",
                               SB_STR_ARG(sb_facts_process(x->ask, t.cell[0].i)));
    return true;
}

static bool
function(struct looking *x, struct finding *out, struct sb_err *e)
{
    struct sb_table t;
    SB_TRY(sb_sql_ask(
        x->ask->sql,
        SB_STR("SELECT mfa, own_ns, calls FROM function WHERE mfa NOT IN ('suspend', 'garbage_collect') AND "
               "calls > 0 ORDER BY own_ns DESC LIMIT 1"),
        NULL, 0, NULL, x->ask->arena, &t, e));
    if (t.n_rows == 0 || t.column[1].type != SB_INT || t.cell[1].i == SB_NULL)
        return true;
    struct sb_str mfa = t.cell[0].s;
    out->gain_ns = x->f->has_running ? without(x->f, t.cell[1].i) : t.cell[1].i;
    out->text = sb_arena_printf(
        x->ask->arena, "%.*s took %.*s itself, summed over processes, in %.*s call%s",
        SB_STR_ARG(sb_elixir_name(mfa, x->ask->q->elixir, x->ask->arena)), SB_STR_ARG(human(x, t.cell[1].i)),
        SB_STR_ARG(sb_facts_human(x->ask, t.cell[2].i, SB_U_COUNT)), t.cell[2].i == 1 ? "" : "s");
    out->see = sb_arena_printf(x->ask->arena, "strobe report P callers \"%.*s\"", SB_STR_ARG(mfa));
    return true;
}

static bool (*const rules[])(struct looking *x, struct finding *out, struct sb_err *e) = {
    server, alone, collecting, started_in_turn, function,
};
enum { RULES = sizeof rules / sizeof *rules };

/* ---- no advice: where the time went ---- */

static struct sb_str
most_work(const struct looking *x, const struct sb_table *groups)
{
    struct sb_str text = SB_STR("");
    struct sb_arena *a = x->ask->arena;
    for (size_t i = 0; i < groups->n_rows; i++) {
        const union sb_cell *c = &groups->cell[i * 4];
        struct sb_str who = c[0].i > 1 && c[1].s.n > 0
                                ? sb_arena_printf(a, "%lld processes of %.*s", (long long)c[0].i,
                                                  SB_STR_ARG(sb_elixir_name(c[1].s, x->ask->q->elixir, a)))
                                : sb_facts_who(x->ask, c[2].i);
        text =
            sb_arena_printf(a, "%.*s%s%.*s (%.*s)", SB_STR_ARG(text), i == 0 ? "; most work was in " : ", ",
                            SB_STR_ARG(who), SB_STR_ARG(human(x, c[3].i)));
    }
    return text;
}

static bool
put_nothing(struct looking *x, struct sb_table *t, struct sb_err *e)
{
    struct sb_table groups;
    const struct sb_ask *ask = x->ask;
    SB_TRY(sb_sql_ask(
        ask->sql,
        SB_STR("SELECT processes, entry, representative, run_ns + coalesce(dirty_ns, 0) FROM process_group "
               "WHERE run_ns > 0 ORDER BY 4 DESC LIMIT 3"),
        NULL, 0, NULL, ask->arena, &groups, e));
    const char *why =
        x->f->schedulers > 0
            ? "no single cause was found that costs 5 % of the run"
            : "the gain from more parallelism is unknown: the number of schedulers is not in the trace";
    struct sb_str work = most_work(x, &groups);
    sb_summary_put(t, "nothing", SB_NULL, SB_U_PPM,
                   sb_arena_printf(ask->arena, "%s%.*s", why, SB_STR_ARG(work)),
                   SB_STR("strobe report P processes"));
    return true;
}

static int
by_gain(const void *x, const void *y)
{
    const struct finding *a = x, *b = y;
    return (a->gain_ns < b->gain_ns) - (a->gain_ns > b->gain_ns);
}

bool
sb_advice_put(const struct sb_ask *ask, const struct sb_facts *f, struct sb_table *t, struct sb_err *e)
{
    struct looking x = {.ask = ask, .f = f};
    struct finding found[RULES] = {0};
    size_t told = 0;
    if (!f->timed || f->span_ns <= 0)
        return true;
    for (size_t i = 0; i < RULES; i++)
        SB_TRY(rules[i](&x, &found[i], e));
    qsort(found, RULES, sizeof found[0], by_gain);
    for (; told < RULES && told < TOLD && found[told].gain_ns >= f->span_ns / MATERIAL; told++)
        sb_summary_put(t, "look", sb_facts_ppm(found[told].gain_ns, f->span_ns), SB_U_PPM, found[told].text,
                       found[told].see);
    if (told == 0 && f->has_running)
        SB_TRY(put_nothing(&x, t, e));
    sb_summary_group(t, SB_SUMMARY_LOOK);
    return true;
}
