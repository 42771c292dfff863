/* The table finding(rank, rule, subject, title, gain_low_ns, gain_ns, gain_high_ns, confidence, evidence, fix,
 * fix_elixir, process, gain_source). */
#include "why/find/findings.h"
#include "why/why.h"

static bool next_row(void *rows, union sb_cell *cell, enum sb_type *type);

static const struct sb_column columns[] = {
    {"rank", SB_INT, SB_U_NONE, "1 gains most"},
    {"rule", SB_TEXT, SB_U_NONE, "kind of fault; FINDINGS.md has a section for each"},
    {"subject", SB_TEXT, SB_U_NONE, "process, function, pair or resource"},
    {"title", SB_TEXT, SB_U_NONE, "what happened"},
    {"gain_low_ns", SB_INT, SB_U_NS, "lower bound of the time that a cure saves; NULL: unknown"},
    {"gain_ns", SB_INT, SB_U_NS, "estimate of that time; NULL: unknown"},
    {"gain_high_ns", SB_INT, SB_U_NS, "upper bound of that time; NULL: unknown"},
    {"confidence", SB_TEXT, SB_U_NONE, "high, medium or low"},
    {"evidence", SB_TEXT, SB_U_NONE, "a query that shows it"},
    {"fix", SB_TEXT, SB_U_NONE, "cure, in terms of Erlang"},
    {"fix_elixir", SB_TEXT, SB_U_NONE, "cure, in terms of Elixir"},
    {"process", SB_INT, SB_U_ID, "process.id of the subject, if it is a process"},
    {"gain_source", SB_TEXT, SB_U_NONE, "replay: simulated with the cure; trace: a bound"},
};

const struct sb_computed sb_why_finding = {
    .name = "finding",
    .doc = "what holds the program back, by gain; gains are by a replay of the run, or bounds",
    .column = columns,
    .n_columns = sizeof columns / sizeof columns[0],
    .open = sb_findings_rows,
    .next = next_row,
    .close = free,
};

static bool
next_row(void *rows, union sb_cell *cell, enum sb_type *type)
{
    (void)type;
    struct sb_findings_rows *r = rows;
    if (r->next == r->all->n)
        return false;
    const struct sb_finding *f = &r->all->finding[r->next++];
    cell[0].i = (int64_t)r->next;
    cell[1].s = sb_str_of(f->rule->name);
    cell[2].s = sb_str_of(f->subject);
    cell[3].s = sb_str_of(f->title);
    cell[4].i = f->gain.low;
    cell[5].i = f->gain.ns;
    cell[6].i = f->gain.high;
    cell[7].s = sb_str_of(f->confidence);
    cell[8].s = sb_str_of(f->evidence);
    cell[9].s = sb_str_of(f->rule->erlang);
    cell[10].s = sb_str_of(f->rule->elixir);
    cell[11].i = f->process > 0 ? f->process : SB_NULL;
    cell[12].s = f->is_simulated ? SB_STR("replay") : SB_STR("trace");
    return true;
}
