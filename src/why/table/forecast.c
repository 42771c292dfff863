/* forecast(cores, low_ns, ns, high_ns, exposure, ...). */
#include "why/predict/forecast_rows.h"
#include "why/why.h"
#include <stdlib.h>

static void *open_rows(struct sb_sql *q, const struct sb_sql_arg *arg, struct sb_err *e);
static bool next_row(void *rows, union sb_cell *cell, enum sb_type *type);
static void close_rows(void *rows);

const struct sb_computed sb_why_forecast = {
    .name = "forecast",
    .doc = "what the run would take on other numbers of cores, as it is or with a change, as in "
           "forecast('1,2,4', 'WHAT=2;...', 'SERVER=4;...', 'A -> B;...')",
    .column = sb_forecast_columns,
    .n_columns = SB_FORECAST_COLUMNS,
    .arg = {"counts", "faster", "split", "free"},
    .open = open_rows,
    .next = next_row,
    .close = close_rows,
};

struct rows {
    struct sb_arena arena;
    struct sb_forecast f;
    struct sb_str note;
    size_t i;
};

static bool
fill(struct rows *r, const struct sb_profile *p, const struct sb_sql_arg *arg, struct sb_err *e)
{
    struct sb_what_if w;
    struct sb_what_if_text text = {arg[0].s, arg[1].s, arg[2].s, arg[3].s};
    SB_TRY(sb_what_if_read(&w, p, &text, &r->arena, e) && sb_forecast_make(&r->f, p, &w, e));
    r->note = sb_forecast_note(&r->f, p, &r->arena);
    return true;
}

static void *
open_rows(struct sb_sql *q, const struct sb_sql_arg *arg, struct sb_err *e)
{
    struct rows *r = sb_realloc_or_die(NULL, sizeof *r);
    *r = (struct rows){.i = 0};
    sb_arena_init(&r->arena);
    if (fill(r, sb_sql_profile(q), arg, e))
        return r;
    close_rows(r);
    return NULL;
}

static bool
next_row(void *rows, union sb_cell *cell, enum sb_type *type)
{
    (void)type;
    struct rows *r = rows;
    if (r->i == r->f.n)
        return false;
    sb_forecast_fill(cell, &r->f, r->i++, r->note);
    return true;
}

static void
close_rows(void *rows)
{
    struct rows *r = rows;
    sb_arena_close(&r->arena);
    free(r);
}
