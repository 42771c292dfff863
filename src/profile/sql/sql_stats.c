/* stats(table, column): sum, minimum and maximum of a column of numbers, and the row of the maximum. */
#include "base/arena.h"
#include "profile/sql/sql_module.h"
#include "profile/stats.h"

static const struct sb_column columns[] = {
    {"n", SB_INT, SB_U_COUNT, "rows that are not NULL"},
    {"sum", SB_INT, SB_U_NONE, ""},
    {"least", SB_INT, SB_U_NONE, ""},
    {"most", SB_INT, SB_U_NONE, ""},
    {"most_row", SB_INT, SB_U_NONE, "rowid of the first row with the most"},
};

SB_COMPUTED(sb_sql_stats) = {
    .name = "stats",
    .doc = "stats(table, column): sum, least and most of a column of numbers, natively",
    .column = columns,
    .n_columns = sizeof columns / sizeof columns[0],
    .arg = {"of_table", "of_column"},
    .n_required = 2,
    .open = open_rows,
    .next = next_row,
};

struct rows {
    struct sb_stats s;
    bool done;
};

static void *
open_rows(const struct sb_computation *c, struct sb_err *e)
{
    enum sb_tab t;
    int col = sb_schema_table(c->arg[0].s, &t) ? sb_schema_column(t, c->arg[1].s) : -1;
    if (col < 0 || sb_schema[t].column[col].type == SB_TEXT) {
        sb_err_set(e, SB_ERR_USAGE, "no column of numbers is called %.*s.%.*s", SB_STR_ARG(c->arg[0].s),
                   SB_STR_ARG(c->arg[1].s));
        return NULL;
    }
    struct rows *r = SB_NEW(c->arena, struct rows);
    *r = (struct rows){sb_profile_stats(c->profile, t, (unsigned)col), false};
    return r;
}

static bool
next_row(void *rows, union sb_cell *cell)
{
    struct rows *r = rows;
    if (r->done)
        return false;
    r->done = true;
    cell[0].i = (int64_t)r->s.n;
    cell[1].i = r->s.sum;
    cell[2].i = r->s.least;
    cell[3].i = r->s.most;
    cell[4].i = r->s.n ? (int64_t)r->s.most_row + 1 : SB_NULL;
    return true;
}
