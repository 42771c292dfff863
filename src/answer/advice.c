/*
 * What to look at next: the findings with the largest gains, the function with the most time of its own if calls were
 * traced, and as rows `note` what distorts the times. If there is neither, rows `nothing` show what is known of the run
 * and where the time went.
 */
#include "answer/facts.h"
#include "answer/hot.h"
#include "answer/on_cpu.h"
#include "answer/summary_row.h"
#include "why/find/findings.h"

enum { MATERIAL = SB_MATERIAL, SHOWN = 5 };

struct looking {
    const struct sb_ask *ask;
    const struct sb_facts *f;
    const struct sb_findings *found;
};

static const char *
human(const struct looking *x, int64_t ns)
{
    return sb_words_ns(x->ask->arena, ns);
}

/* The part of the run that findings are about. */
static int64_t
basis_ns(const struct looking *x)
{
    return x->f->program->span_ns > 0 ? x->f->program->span_ns : x->f->span_ns;
}

/* ---- findings ---- */

/* Findings of unknown gain come after the others. */
static size_t
put_findings(const struct looking *x, struct sb_table *t, int64_t *gains)
{
    size_t shown = 0;
    for (size_t i = 0; i < x->found->n && shown < SHOWN; i++) {
        const struct sb_finding *f = &x->found->finding[i];
        int64_t gain = sb_bounded_value(f->gain);
        if (gain == SB_NULL && f->rule->about_run)
            continue;
        sb_summary_put(t,
                       (struct sb_summary_fact){"look",
                                                gain == SB_NULL ? SB_NULL : sb_facts_ppm(gain, basis_ns(x)),
                                                SB_U_PPM, "strobe report P findings"},
                       "%s: %s", f->title,
                       sb_bounded_gain(x->ask->arena, f->gain, f->call_ns, f->is_simulated, f->in_cpu, true));
        sb_summary_put(t, (struct sb_summary_fact){"cure", SB_NULL, SB_U_PPM, "strobe report P findings"},
                       "%s", sb_finding_cure(f, x->ask->q->elixir));
        *gains += gain == SB_NULL ? 0 : gain;
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
            sb_summary_put(t, (struct sb_summary_fact){"note", SB_NULL, SB_U_PPM, "strobe report P findings"},
                           "%s", x->found->finding[i].title);
}

/* Events cost the program time, and a program with many events and little work between them runs far longer. */
static bool
put_tracing(const struct looking *x, struct sb_table *t, struct sb_err *e)
{
    enum { NOTABLE = 10 };
    const struct sb_ask *ask = x->ask;
    int64_t cost, run = x->f->run_ns, dirty = x->f->dirty_ns,
                  ran = run == SB_NULL || dirty == SB_NULL ? run : run + dirty;
    SB_TRY(sb_facts_tracing(ask, &cost, e));
    struct sb_on_cpu c;
    sb_on_cpu_find(ask->profile, x->f->range.from_ns, x->f->range.to_ns, ask->arena, &c);
    int64_t cpu = c.schedulers.cpu_ns;
    bool had_less = cpu != SB_NULL && cpu < ran && 10 * (c.to - c.from) > 9 * x->f->span_ns;
    ran = had_less ? cpu : ran; /* the cost is CPU time, and processes also ran while others had their core */
    if (cost == SB_NULL || ran <= 0 || cost < ran / NOTABLE)
        return true;
    sb_summary_put(t,
                   (struct sb_summary_fact){"note", sb_facts_ppm(cost < ran ? cost : ran, ran), SB_U_PPM,
                                            "strobe report P summary"},
                   "recording took about %s of the %s (%s%s of %s): the program takes less without it, "
                   "and what causes many events looks costlier than it is",
                   cost < ran ? sb_words(ask->arena, "%lld %%", (long long)(100 * cost / ran)) : "all",
                   had_less ? "CPU time of the schedulers" : "time that processes ran",
                   cost < ran ? "" : "by an estimate ", sb_words_ns(ask->arena, cost),
                   sb_words_ns(ask->arena, ran));
    return true;
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
    SB_TRY(sb_answer_sql(x->ask,
                         "SELECT mfa, own_ns, calls FROM function WHERE mfa NOT IN ('suspend', "
                         "'garbage_collect') AND calls > 0 ORDER BY own_ns DESC LIMIT 1",
                         &top, e));
    if (top.n_rows == 0 || top.column[1].type != SB_INT || top.cell[1].i == SB_NULL)
        return true;
    struct sb_str mfa = top.cell[0].s;
    int64_t gain = x->f->has_running ? without(x->f, top.cell[1].i) : top.cell[1].i;
    if (gain < x->f->span_ns / MATERIAL)
        return true;
    sb_summary_put(t,
                   (struct sb_summary_fact){
                       "look", sb_facts_ppm(gain, basis_ns(x)), SB_U_PPM,
                       sb_words(x->ask->arena, "strobe report P callers \"%.*s\"", SB_STR_ARG(mfa))},
                   "%.*s took %s itself, summed over processes, in %s calls",
                   SB_STR_ARG(sb_elixir_name(mfa, x->ask->q->elixir, x->ask->arena)), human(x, top.cell[1].i),
                   sb_words_count(x->ask->arena, top.cell[2].i));
    ++*shown;
    return true;
}

/* ---- no advice: where the time went ---- */

/* The processes that worked most while the program ran, by entry; those that load code are one. `id` is the one of a
 * group that worked most, as SQLite takes it from the row of max(ns). An entry without a name
 * of its own, as `erlang:apply/2` of a fun, says too little to join processes of different parents. */
static bool
find_groups(const struct looking *x, struct sb_table *groups, struct sb_err *e)
{
    const struct sb_program *part = &x->f->part;
    bool whole = part->from_ns == SB_NULL || part->from_ns >= part->to_ns;
    const struct sb_sql_value range[] = {{":from", false, whole ? 0 : part->from_ns, {0}},
                                         {":to", false, whole ? x->f->span_ns : part->to_ns, {0}}};
    return sb_sql_ask(x->ask->sql,
                      SB_STR("SELECT count(*), iif(loads, NULL, entry), iif(loads, 0, id), sum(ns), max(ns), "
                             "sum(gc_ns), sum(gc_count) FROM (SELECT p.id, p.entry, p.gc_ns, p.gc_count, "
                             "iif(p.entry LIKE 'erlang:apply/%', p.group_id, coalesce(p.entry, p.group_id)) "
                             "AS alike, s.total_ns AS ns, p.name IN " SB_FACTS_LOADERS
                             " OR p.entry LIKE 'code_server:%handle_on_load/%' AS loads FROM "
                             "slice_by('process', :from, :to) s JOIN process p ON p.id = s.key WHERE "
                             "s.total_ns > 0) GROUP BY iif(loads, 0, alike) ORDER BY 4 DESC LIMIT 3"),
                      range, 2, NULL, x->ask->arena, groups, e);
}

static const char *
group_name(const struct looking *x, const union sb_cell *c)
{
    struct sb_arena *a = x->ask->arena;
    if (c[2].i == 0)
        return "the loading of code";
    if (c[0].i == 1 || c[1].s.n == 0)
        return sb_facts_who(x->ask, c[2].i);
    return sb_words(a, "%s processes of %.*s%s%s", sb_words_count(a, c[0].i),
                    SB_STR_ARG(sb_elixir_name(c[1].s, x->ask->q->elixir, a)),
                    10 * c[4].i > 9 * c[3].i ? ", nearly all in " : "",
                    10 * c[4].i > 9 * c[3].i ? sb_facts_who(x->ask, c[2].i) : "");
}

static int64_t
entry_of(const struct looking *x, int64_t process)
{
    return process < 1 ? SB_NULL : SB_CELL(x->ask->profile, process, entry, (uint64_t)process - 1);
}

/* A collection includes the cost of its two events. Of a range of time the collections are unknown. */
static const char *
collected(const struct looking *x, const union sb_cell *c, double event_ns)
{
    enum { NOTABLE = 4 };
    double gc = x->f->range.is_part || c[5].i == SB_NULL ? 0 : (double)c[5].i - 2 * event_ns * (double)c[6].i;
    return NOTABLE * gc < (double)c[3].i
               ? ""
               : sb_words(x->ask->arena, ", %d %% of it garbage collection", sb_percent((int64_t)gc, c[3].i));
}

/* ", of it Json.escape/1 53 %, garbage collection 19 % by 77 samples: within 12 points": of the processes of a group;
 * empty: there are too few samples, or no function stands out */
static const char *
hot_of(const struct looking *x, const union sb_cell *c)
{
    struct sb_vm_samples v;
    sb_facts_samples(x->ask, x->f, &v);
    uint32_t *is_in = SB_NEW_N(x->ask->arena, uint32_t, v.all->n_samples + 1);
    for (size_t i = 0; c[2].i > 0 && i < v.all->n_samples; i++) {
        int64_t id = v.all->sample[i].process;
        bool is_alike = c[0].i > 1 && c[1].s.n > 0 && id > 0 && entry_of(x, id) == entry_of(x, c[2].i);
        is_in[i] = id == c[2].i || is_alike;
    }
    v = sb_vm_samples_in(&v, is_in, true);
    const char *text = sb_hot_functions(x->ask, &v);
    return *text ? sb_words(x->ask->arena, ", of it %s by %s", text, sb_hot_error(x->ask, &v)) : "";
}

static const char *
most_work(const struct looking *x, const struct sb_table *groups, double event_ns)
{
    const char *text = "";
    for (size_t i = 0; i < groups->n_rows; i++) {
        const union sb_cell *c = &groups->cell[i * groups->n_columns];
        if (MATERIAL * c[3].i < x->f->together->work_ns)
            break;
        const char *of_it = i == 0 ? hot_of(x, c) : "";
        text = sb_words(x->ask->arena, "%s%s%s (%s%s)", text, i == 0 ? "most work was in " : ", ",
                        group_name(x, c), human(x, c[3].i), *of_it ? of_it : collected(x, c, event_ns));
    }
    return text;
}

static void
put_line(struct sb_table *t, const char *text, const char *see)
{
    if (*text)
        sb_summary_put(t, (struct sb_summary_fact){"nothing", SB_NULL, SB_U_PPM, see}, "%s", text);
}

/* What is known of the run although no gain can be given, such as that all schedulers were at work; `nothing`, unless
 * one of that says what set the length of the program. */
static void
put_notes(const struct looking *x, struct sb_table *t, const char *nothing)
{
    for (size_t i = 0; i < x->found->n; i++) {
        const struct sb_rule *r = x->found->finding[i].rule;
        nothing = r->about_run && r->about_times && !r->of_run ? "" : nothing;
    }
    put_line(t, nothing, "strobe report P processes");
    for (size_t i = 0; i < x->found->n; i++)
        if (x->found->finding[i].rule->about_run)
            put_line(t, x->found->finding[i].title, "strobe report P findings");
}

/* "for 993 ms of 1.20 s of the program", the part of the run that findings are about; empty below a half of it */
static const char *
mostly(const struct looking *x, int64_t ns)
{
    const struct sb_parallel *s = x->f->program;
    return 2 * ns < s->span_ns || s->left_out > 0
               ? ""
               : sb_words(x->ask->arena, "for %s of %s%s", human(x, ns), human(x, s->span_ns),
                          s == x->f->together ? "" : " of the program");
}

/* A node that mostly waits has nothing to be cured. Of processes that were not recorded it is unknown. */
static const char *
waits(const struct looking *x)
{
    const char *when = x->found->is_known && x->found->pieces == 0 ? mostly(x, x->found->idle_ns) : "";
    return !*when ? when
                  : sb_words(x->ask->arena,
                             "nothing was at work or ready %s: all waited for requests, replies or timers",
                             when);
}

/* That no cause was found does not mean that the run was parallel. */
static const char *
alone(const struct looking *x)
{
    const char *when = mostly(x, x->f->program->serial.low);
    return !*when || x->f->schedulers < 2
               ? ""
               : sb_words(x->ask->arena, "one was at work and nobody else was ready %s", when);
}

/* "; looked for in 20 pieces, 4.21 s of its 33.7 s" */
static const char *
parts(const struct looking *x)
{
    const struct sb_findings *f = x->found;
    return f->pieces == 0 ? ""
                          : sb_words(x->ask->arena, "; looked for in %zu pieces of it, %s of its %s",
                                     f->pieces, human(x, f->covered_ns), human(x, f->run_ns));
}

/* A finding is about the processes that worked most. */
static bool
is_found(const struct looking *x, const union sb_cell *c)
{
    for (size_t i = 0; i < x->found->n; i++) {
        int64_t id = x->found->finding[i].process;
        if (id == c[2].i || (id > 0 && c[2].i > 0 && entry_of(x, id) == entry_of(x, c[2].i)))
            return true;
    }
    return false;
}

/* Beside findings, only what these do not say. */
static bool
put_most_work(const struct looking *x, struct sb_table *t, bool beside, struct sb_err *e)
{
    struct sb_table groups;
    int64_t cost;
    SB_TRY(find_groups(x, &groups, e) && sb_facts_tracing(x->ask, &cost, e));
    double event_ns = cost == SB_NULL || x->f->events < 1 ? 0 : (double)cost / (double)x->f->events;
    if (beside && groups.n_rows > 0 && is_found(x, groups.cell) && !*collected(x, groups.cell, event_ns))
        return true;
    put_line(t, most_work(x, &groups, event_ns), "strobe report P processes");
    return true;
}

static bool
put_nothing(const struct looking *x, struct sb_table *t, struct sb_err *e)
{
    const char *why =
        x->f->schedulers < 1
            ? "the gain from more parallelism is unknown: the number of schedulers is not in the trace"
        : x->found->is_known
            ? sb_words(x->ask->arena, "no cause was found whose cure would save 5 %% of the program's time%s",
                       parts(x))
            : "causes were not looked for, since no function outside OTP and Elixir was seen";
    put_notes(x, t, why);
    put_line(t, alone(x), "strobe report P activity");
    put_line(t, waits(x), "strobe report P why");
    return put_most_work(x, t, false, e);
}

bool
sb_advice_put(const struct sb_ask *ask, const struct sb_facts *f, struct sb_table *t, struct sb_err *e)
{
    struct looking x = {.ask = ask, .f = f, .found = sb_findings_of(ask->profile, e)};
    if (!x.found)
        return false;
    if (!f->timed || f->span_ns <= 0)
        return true;
    size_t before = t->n_rows, shown;
    int64_t gains = 0;
    put_about_times(&x, t);
    shown = put_findings(&x, t, &gains);
    SB_TRY(put_function(&x, t, &shown, e));
    if (shown == 0)
        t->n_rows = before;
    if (shown == 0 && f->has_running)
        SB_TRY(put_nothing(&x, t, e));
    else if (f->has_running && 2 * gains < basis_ns(&x)) /* what they save is the lesser part */
        SB_TRY(put_most_work(&x, t, true, e));
    SB_TRY(put_tracing(&x, t, e));
    sb_summary_group(t, SB_SUMMARY_LOOK);
    return true;
}
