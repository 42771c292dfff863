/*
 * Each rule says how much of the run it concerns, as a share of 1; the five that concern most are told. A
 * rule asks one statement: a value, the whole it is a part of, and the process it is about. What each one
 * finds is a place to look, not a verdict.
 */
#include "answer/advice.h"
#include "answer/funnel.h"
#include "answer/summary_row.h"
#include <stdlib.h>

struct finding {
    double share, weight;
    struct sb_str text, see;
};

struct rule {
    double at_least;  /* share from which on it is worth telling */
    double weight;    /* how much such a share concerns the run as a whole */
    const char *sql;  /* value, whole, process or function, further number */
    const char *text; /* %1 who, %2 share, %3 value, %4 further number */
    const char *see;  /* %1 its pid */
    enum sb_unit value, further;
};

/* sum of a column of process as a part of `whole`, and the process that leads in it */
#define LEADER(column, whole)                                                                                \
    "SELECT s.sum, " whole ", p.id, s.most FROM stats('process', '" column                                   \
    "') s JOIN process p ON p.rowid = s.most_row"
#define SUM(column) "(SELECT coalesce(sum, 0) FROM stats('process', '" column "'))"

static const struct rule rules[] = {
    {0.02, 1, LEADER("runnable_low_ns", SUM("run_ns") " + s.sum"),
     "%2 of the time that processes could have run they waited for a scheduler; most of all %1, for %4",
     "strobe report P processes --sort runnable_low", SB_U_NS, SB_U_NS},
    {0.05, 0.8,
     "SELECT s.most, s.sum, p.id, s.most FROM stats('process', 'run_ns') s JOIN process p ON p.rowid = "
     "s.most_row",
     "%1 did %2 of all work: %3", "strobe report P waits --process %1", SB_U_NS, SB_U_NS},
    {0.03, 1, LEADER("gc_ns", SUM("run_ns")),
     "garbage collection took %2 of the run time; most of all in %1: %4", "strobe report P gc", SB_U_NS,
     SB_U_NS},
    {0.02, 0.3,
     "SELECT s.most, s.sum, e.receiver, e.latency_ns / nullif(e.matched, 0) FROM stats('message_edge', "
     "'latency_ns') s JOIN "
     "message_edge e ON e.rowid = s.most_row",
     "%2 of the time messages lay unread they lay before %1, %4 each on average",
     "strobe report P messages --process %1", SB_U_NS, SB_U_NS},
    {0.05, 0.2,
     "SELECT s.most, s.sum, e.sender, e.count FROM stats('message_edge', 'total_words') s JOIN message_edge "
     "e ON e.rowid = "
     "s.most_row",
     "%1 sends %2 of all words, to one process: %3 words in %4 messages",
     "strobe report P messages --sort total_words", SB_U_WORDS, SB_U_COUNT},
    {0.10, 0.5,
     "SELECT s.sum, s.sum + " SUM("run_ns") " + " SUM("runnable_ns") " + " SUM("wait_ns") " + " SUM(
         "dirty_ns") " + " SUM("handover_ns") ", NULL, NULL FROM stats('process', 'unknown_ns') s",
     "what processes did is unknown for %2 of their lives: they were not seen to run, or records are missing",
     "strobe report P loss", SB_U_NS, SB_U_NS},
    {0.02, 0.8, LEADER("dirty_ns", SUM("run_ns") " + s.sum"),
     "%2 of the work was on dirty schedulers; most of all %1: %4", "strobe report P processes --sort dirty",
     SB_U_NS, SB_U_NS},
    {0.05, 0.6,
     "SELECT s.most, p.receives, p.id, p.receives FROM stats('process', 'max_queue') s JOIN process p ON "
     "p.rowid = "
     "s.most_row WHERE s.most >= 100",
     "the mailbox of %1 held up to %3 messages at a time, of %4 in all",
     "strobe report P processes --sort max_queue", SB_U_COUNT, SB_U_COUNT},
    {0.20, 0.3, LEADER("migrations", SUM("slices")),
     "%2 of all stays began on another scheduler than the last; most often %1: %4",
     "strobe report P migrations", SB_U_COUNT, SB_U_COUNT},
    {0.02, 0.9,
     "SELECT max(total), (SELECT sum(own_ns) FROM function WHERE mfa NOT IN ('suspend', 'garbage_collect')), "
     "mfa, calls "
     "FROM (SELECT own_ns AS total, mfa, calls FROM function WHERE mfa NOT IN ('suspend', "
     "'garbage_collect'))",
     "%1 took %2 of the time in traced functions: %3 in %4 calls", "strobe report P callers \"%1\"", SB_U_NS,
     SB_U_COUNT},
};

static struct sb_str
put_in(const struct sb_ask *ask, const char *pattern, const struct sb_str part[4])
{
    struct sb_out to;
    sb_out_to_memory(&to);
    for (const char *c = pattern; *c; c++) {
        if (c[0] == '%' && c[1] >= '1' && c[1] <= '4')
            sb_out_str(&to, part[*++c - '1']);
        else
            sb_out_char(&to, *c);
    }
    struct sb_str s = sb_arena_str(ask->arena, (struct sb_str){to.buf, to.n});
    sb_out_abandon(&to);
    return s;
}

static struct sb_str
pid_of(const struct sb_ask *ask, int64_t process)
{
    const struct sb_profile *p = ask->profile;
    if (process < 1 || (uint64_t)process > sb_profile_rows(p, SB_T_process))
        return SB_STR("");
    struct sb_str pid =
        sb_profile_text(p, sb_profile_cell(p, SB_T_process, SB_C_process__pid, (uint64_t)process - 1));
    return sb_arena_printf(ask->arena, "'%.*s'", SB_STR_ARG(pid));
}

static bool
try_rule(const struct sb_ask *ask, const struct rule *rule, struct finding *out, struct sb_err *e)
{
    struct sb_table t;
    out->share = out->weight = 0;
    SB_TRY(sb_sql_ask(ask->sql, sb_str_of(rule->sql), NULL, 0, NULL, ask->arena, &t, e));
    if (t.n_rows == 0 || t.column[0].type != SB_INT || t.column[1].type != SB_INT)
        return true;
    int64_t value = t.cell[0].i, whole = t.cell[1].i;
    if (value == SB_NULL || whole == SB_NULL || whole <= 0 || value <= 0 ||
        (double)value < rule->at_least * (double)whole)
        return true;
    bool is_text = t.column[2].type == SB_TEXT;
    int64_t further = t.column[3].type == SB_INT ? t.cell[3].i : SB_NULL;
    struct sb_str who =
        is_text ? sb_elixir_name(t.cell[2].s, ask->q->elixir, ask->arena) : sb_facts_who(ask, t.cell[2].i);
    double share = (double)value / (double)whole;
    struct sb_str part[4] = {who, sb_arena_printf(ask->arena, "%.0f %%", 100 * share),
                             sb_facts_human(ask, value, rule->value),
                             sb_facts_human(ask, further, rule->further)};
    out->text = put_in(ask, rule->text, part);
    part[0] = is_text ? t.cell[2].s : pid_of(ask, t.cell[2].i);
    out->see = put_in(ask, rule->see, part);
    out->share = share;
    out->weight = share * rule->weight;
    return true;
}

static struct finding
serial(const struct sb_ask *ask, const struct sb_facts *f)
{
    struct finding out = {0};
    if (f->serial_process == SB_NULL || f->span_ns <= 0 || f->schedulers < 2)
        return out;
    out.share = (double)f->serial_share_ns / (double)f->span_ns;
    out.weight = out.share;
    out.text = sb_arena_printf(
        ask->arena,
        "%.*s was alone at work for %.0f %% of the time, while the other schedulers had nothing "
        "to do",
        SB_STR_ARG(sb_facts_who(ask, f->serial_process)), 100 * out.share);
    out.see = sb_arena_printf(ask->arena, "strobe report P processes --process %.*s",
                              SB_STR_ARG(pid_of(ask, f->serial_process)));
    return out;
}

/* Many wait for one: nothing else keeps a program of many processes from using many cores so well. */
static bool
funnel(const struct sb_ask *ask, const struct sb_facts *f, struct finding *out, struct sb_err *e)
{
    struct sb_funnel one;
    *out = (struct finding){0};
    SB_TRY(sb_funnel_find(ask, &one, e));
    if (one.process == SB_NULL || one.waiters < 3 || one.lives_ns <= 0 || f->span_ns <= 0)
        return true;
    double share = (double)one.waited_ns / (double)one.lives_ns;
    share = share < 1 ? share : 1;
    if (share < 0.1)
        return true;
    out->share = share;
    out->weight = share + 0.5; /* leads whatever else there is */
    out->text = sb_arena_printf(
        ask->arena,
        "%lld processes spent %s%.0f %% of their time waiting for %.*s, which was itself at work for "
        "%.0f %% of the time",
        (long long)one.waiters, one.is_sample ? "about " : "", 100 * share,
        SB_STR_ARG(sb_facts_who(ask, one.process)), 100 * (double)one.busy_ns / (double)f->span_ns);
    out->see = sb_arena_printf(ask->arena, "strobe report P messages --process %.*s",
                               SB_STR_ARG(pid_of(ask, one.process)));
    return true;
}

static int
by_weight(const void *x, const void *y)
{
    const struct finding *a = x, *b = y;
    return (a->weight < b->weight) - (a->weight > b->weight);
}

bool
sb_advice_put(const struct sb_ask *ask, const struct sb_facts *f, struct sb_table *t, struct sb_err *e)
{
    enum { RULES = sizeof rules / sizeof rules[0], TOLD = 5 };
    struct finding found[RULES + 2];
    for (size_t i = 0; i < RULES; i++)
        SB_TRY(try_rule(ask, &rules[i], &found[i], e));
    found[RULES] = serial(ask, f);
    SB_TRY(funnel(ask, f, &found[RULES + 1], e));
    qsort(found, RULES + 2, sizeof found[0], by_weight);
    for (size_t i = 0; i < TOLD && found[i].weight > 0.01; i++)
        sb_summary_put(t, "look", (int64_t)(found[i].share * 1e6), SB_U_PPM, found[i].text, found[i].see);
    return true;
}
