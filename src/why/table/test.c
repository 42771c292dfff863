/* test(name, file, line, module, start, dur, work_ns, ...). */
#include "why/find/findings.h"
#include "why/why.h"

static bool next_row(void *rows, union sb_cell *cell, enum sb_type *type);

static const struct sb_column columns[] = {
    {"name", SB_TEXT, SB_U_NONE, "name of the test; NULL: the trace does not show it"},
    {"file", SB_TEXT, SB_U_NONE, "source file, from a mark of Strobe.Formatter"},
    {"line", SB_INT, SB_U_NONE, "line in that file"},
    {"module", SB_TEXT, SB_U_NONE, "module of the test; NULL: the trace does not show it"},
    {"start", SB_INT, SB_U_AT_NS, ""},
    {"dur", SB_INT, SB_U_NS, "its setup included, where that runs in the process of the test"},
    {"work_ns", SB_INT, SB_U_NS, "on a scheduler"},
    {"wait_ns", SB_INT, SB_U_NS, "waiting for a message, a port or the end of a process"},
    {"sleep_ns", SB_INT, SB_U_NS, "waiting until a timeout elapsed"},
    {"state", SB_TEXT, SB_U_NONE, "passed, failed, skipped or invalid, from a mark"},
    {"process", SB_INT, SB_U_ID, "process.id that ran it"},
    {"waits_for", SB_INT, SB_U_ID, "process.id that ended most of wait_ns"},
    {"sleeps_in", SB_TEXT, SB_U_NONE, "function of most of sleep_ns"},
};

const struct sb_computed sb_why_test = {
    .name = "test",
    .doc = "tests of ExUnit, Common Test and EUnit by start, and what the time of their processes was",
    .column = columns,
    .n_columns = sizeof columns / sizeof columns[0],
    .open = sb_findings_rows,
    .next = next_row,
    .close = free,
};

static struct sb_str
known(struct sb_str s)
{
    return s.n > 0 ? s : (struct sb_str){0};
}

static bool
next_row(void *rows, union sb_cell *cell, enum sb_type *type)
{
    (void)type;
    struct sb_findings_rows *r = rows;
    if (r->next == r->all->tests.n)
        return false;
    const struct sb_test *t = &r->all->tests.at[r->next++];
    cell[0].s = known(t->name);
    cell[1].s = known(t->file);
    cell[2].i = t->line;
    cell[3].s = known(t->module);
    cell[4].i = t->from_ns;
    cell[5].i = t->to_ns - t->from_ns;
    cell[6].i = t->work_ns;
    cell[7].i = t->wait_ns;
    cell[8].i = t->sleep_ns;
    cell[9].s = known(t->state);
    cell[10].i = t->process;
    cell[11].i = t->waits_for > 0 ? t->waits_for : SB_NULL;
    cell[12].s = known(t->sleeps_in_text);
    return true;
}
