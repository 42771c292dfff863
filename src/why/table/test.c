/* test(name, file, line, module, start, dur, work_ns, ...). */
#include "why/find/findings.h"
#include "why/table/columns.h"

static bool next_row(void *rows, union sb_cell *cell);

#define COLUMN(name, type, unit, value, words) {#name, SB_##type, SB_U_##unit, words},
static const struct sb_column columns[] = {
#include "why/table/test.def"
};
#undef COLUMN

const struct sb_computed sb_why_test = {
    .name = "test",
    .doc = "tests of ExUnit, Common Test and EUnit by start, and what the time of their processes was",
    SB_OF_FINDINGS(columns, next_row),
};

static struct sb_str
known(struct sb_str s)
{
    return s.n > 0 ? s : (struct sb_str){0};
}

static bool
next_row(void *rows, union sb_cell *cell)
{
    struct sb_findings_rows *r = rows;
    if (r->next == r->all->tests.n)
        return false;
    const struct sb_test *t = &r->all->tests.at[r->next++];
#define COLUMN(name, type, unit, value, words) (cell++)->SB_CELL_##type = value;
#include "why/table/test.def"
#undef COLUMN
    return true;
}
