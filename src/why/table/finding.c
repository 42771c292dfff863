/* The table finding(rank, rule, subject, title, gain_low_ns, gain_ns, gain_high_ns, confidence, evidence, fix,
 * fix_elixir, process, gain_source, call_p99_ns, gain_in). */
#include "why/find/findings.h"
#include "why/table/columns.h"

static bool next_row(void *rows, union sb_cell *cell);

#define COLUMN(name, type, unit, value, words) {#name, SB_##type, SB_U_##unit, words},
static const struct sb_column columns[] = {
#include "why/table/finding.def"
};
#undef COLUMN

const struct sb_computed sb_why_finding = {
    .name = "finding",
    .doc = "what holds the program back, by gain; gains are by a replay of the run, or bounds",
    SB_OF_FINDINGS(columns, next_row),
};

static bool
next_row(void *rows, union sb_cell *cell)
{
    struct sb_findings_rows *r = rows;
    if (r->next == r->all->n)
        return false;
    const struct sb_finding *f = &r->all->finding[r->next++];
#define COLUMN(name, type, unit, value, words) (cell++)->SB_CELL_##type = value;
#include "why/table/finding.def"
#undef COLUMN
    return true;
}
