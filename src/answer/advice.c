/*
 * What to look at next: the findings with the largest gains, the function with the most time of its own if calls were
 * traced, and as rows `note` what distorts the times. If there is neither, rows `nothing` show what is known of the run
 * and where the time went.
 */
#include "answer/advice.h"
#include "answer/summary_row.h"
#include "why/findings.h"

enum { MATERIAL = SB_MATERIAL, SHOWN = 5 };

struct looking {
    const struct sb_ask *ask;
    const struct sb_facts *f;
    const struct sb_findings *found;
};

static struct sb_str
human(const struct looking *x, int64_t ns)
{
    return sb_facts_human(x->ask, ns, SB_U_NS);
}

/* ---- findings ---- */

/* The estimate, or the upper bound where there is none; SB_NULL: unknown. */
static int64_t
gain_of(const struct sb_finding *f)
{
    return f->gain_ns != SB_NULL ? f->gain_ns : f->high_ns;
}

/* The estimate is no more than an upper bound. */
static bool
is_bound(const struct sb_finding *f)
{
    return f->gain_ns == SB_NULL || (f->low_ns == 0 && f->gain_ns == f->high_ns);
}

static struct sb_str
gain_words(const struct looking *x, const struct sb_finding *f)
{
    int64_t gain = gain_of(f);
    if (gain == SB_NULL)
        return SB_STR("what a cure saves is unknown");
    return sb_arena_printf(x->ask->arena, "a cure saves %s %.*s%s", is_bound(f) ? "at most" : "about",
                           SB_STR_ARG(human(x, gain)), f->is_simulated ? " in a replay" : "");
}

/* Findings of unknown gain come after the others. */
static size_t
put_findings(const struct looking *x, struct sb_table *t)
{
    size_t shown = 0;
    for (size_t i = 0; i < x->found->n && shown < SHOWN; i++) {
        const struct sb_finding *f = &x->found->finding[i];
        int64_t gain = gain_of(f);
        if (gain == SB_NULL && f->rule->about_run)
            continue;
        struct sb_str text =
            sb_arena_printf(x->ask->arena, "%.*s: %.*s", SB_STR_ARG(f->title), SB_STR_ARG(gain_words(x, f)));
        sb_summary_put(t, "look", gain == SB_NULL ? SB_NULL : sb_facts_ppm(gain, x->f->span_ns), SB_U_PPM,
                       text, SB_STR("strobe report P findings"));
        shown++;
    }
    return shown;
}

/* What all gains and times are to be read with, such as that other programs took the cores. */
static void
put_about_times(const struct looking *x, struct sb_table *t)
{
    for (size_t i = 0; i < x->found->n; i++)
        if (x->found->finding[i].rule->about_times)
            sb_summary_put(t, "note", SB_NULL, SB_U_PPM, x->found->finding[i].title,
                           SB_STR("strobe report P findings"));
}

/* ---- the function with the most time of its own ---- */

/* The time saved if the schedulers have this much less work; idle time stays. */
static int64_t
without(const struct sb_facts *f, int64_t work_ns)
{
    double all = (double)f->together->work_ns, busy = (double)(f->span_ns - f->together->at_level_ns[0]);
    return all > 0 && work_ns > 0 ? (int64_t)(busy * ((double)work_ns < all ? (double)work_ns / all : 1)) : 0;
}

static bool
put_function(const struct looking *x, struct sb_table *t, size_t *shown, struct sb_err *e)
{
    struct sb_table top;
    SB_TRY(sb_sql_ask(
        x->ask->sql,
        SB_STR("SELECT mfa, own_ns, calls FROM function WHERE mfa NOT IN ('suspend', 'garbage_collect') AND "
               "calls > 0 ORDER BY own_ns DESC LIMIT 1"),
        NULL, 0, NULL, x->ask->arena, &top, e));
    if (top.n_rows == 0 || top.column[1].type != SB_INT || top.cell[1].i == SB_NULL)
        return true;
    struct sb_str mfa = top.cell[0].s;
    int64_t gain = x->f->has_running ? without(x->f, top.cell[1].i) : top.cell[1].i;
    if (gain < x->f->span_ns / MATERIAL)
        return true;
    struct sb_str text = sb_arena_printf(
        x->ask->arena, "%.*s took %.*s itself, summed over processes, in %.*s calls",
        SB_STR_ARG(sb_elixir_name(mfa, x->ask->q->elixir, x->ask->arena)),
        SB_STR_ARG(human(x, top.cell[1].i)), SB_STR_ARG(sb_facts_human(x->ask, top.cell[2].i, SB_U_COUNT)));
    sb_summary_put(t, "look", sb_facts_ppm(gain, x->f->span_ns), SB_U_PPM, text,
                   sb_arena_printf(x->ask->arena, "strobe report P callers \"%.*s\"", SB_STR_ARG(mfa)));
    ++*shown;
    return true;
}

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
        text = sb_arena_printf(a, "%.*s%s%.*s (%.*s)", SB_STR_ARG(text), i == 0 ? "most work was in " : ", ",
                               SB_STR_ARG(who), SB_STR_ARG(human(x, c[3].i)));
    }
    return text;
}

static void
put_line(struct sb_table *t, struct sb_str text, const char *see)
{
    if (text.n > 0)
        sb_summary_put(t, "nothing", SB_NULL, SB_U_PPM, text, sb_str_of(see));
}

/* What is known of the run although no gain can be given, such as that all schedulers were at work. */
static void
put_notes(const struct looking *x, struct sb_table *t)
{
    for (size_t i = 0; i < x->found->n; i++)
        if (x->found->finding[i].rule->about_run)
            put_line(t, x->found->finding[i].title, "strobe report P findings");
}

/* A node that mostly waits has nothing to be cured. Of processes that were not recorded it is unknown. */
static struct sb_str
waits(const struct looking *x)
{
    int64_t idle = x->f->together->at_level_ns[0];
    return 2 * idle < x->f->span_ns || x->f->together->left_out > 0
               ? SB_STR("")
               : sb_arena_printf(
                     x->ask->arena,
                     "nothing was at work for %.*s of %.*s: all waited for requests, replies or timers",
                     SB_STR_ARG(human(x, idle)), SB_STR_ARG(human(x, x->f->span_ns)));
}

static bool
put_nothing(const struct looking *x, struct sb_table *t, struct sb_err *e)
{
    struct sb_table groups;
    const struct sb_ask *ask = x->ask;
    SB_TRY(sb_sql_ask(
        ask->sql,
        SB_STR("SELECT processes, entry, representative, run_ns + coalesce(dirty_ns, 0) FROM process_group "
               "WHERE run_ns > 0 ORDER BY 4 DESC LIMIT 3"),
        NULL, 0, NULL, ask->arena, &groups, e));
    const char *why =
        x->f->schedulers < 1
            ? "the gain from more parallelism is unknown: the number of schedulers is not in the trace"
        : x->found->is_known
            ? "no cause was found whose cure would save 5 % of the program's time"
            : "causes were not looked for, since no function outside OTP and Elixir was seen";
    put_line(t, sb_str_of(why), "strobe report P processes");
    put_notes(x, t);
    put_line(t, waits(x), "strobe report P why");
    put_line(t, most_work(x, &groups), "strobe report P processes");
    return true;
}

bool
sb_advice_put(const struct sb_ask *ask, const struct sb_facts *f, struct sb_table *t, struct sb_err *e)
{
    struct looking x = {.ask = ask, .f = f, .found = sb_findings_of(ask->profile, e)};
    if (!x.found)
        return false;
    if (!f->timed || f->span_ns <= 0)
        return true;
    size_t shown = put_findings(&x, t);
    SB_TRY(put_function(&x, t, &shown, e));
    if (shown > 0)
        put_about_times(&x, t);
    else if (f->has_running)
        SB_TRY(put_nothing(&x, t, e));
    sb_summary_group(t, SB_SUMMARY_LOOK);
    return true;
}
