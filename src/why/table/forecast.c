/* forecast(cores, low_ns, ns, high_ns, exposure, ...). */
#include "why/predict/forecast_rows.h"
#include "why/why.h"

SB_COMPUTED(sb_why_forecast) = {
    .name = "forecast",
    .doc = "what the run would take on other numbers of cores, as it is or with a change, as in "
           "forecast('1,2,4', 'WHAT=2;...', 'SERVER=4;...', 'A -> B;...')",
    .column = sb_forecast_columns,
    .n_columns = SB_FORECAST_COLUMNS,
    .arg = {"counts", "faster", "split", "free"},
    .open = open_rows,
    .next = next_row,
};

struct rows {
    struct sb_forecast f;
    struct sb_str note;
    size_t i;
};

static void *
open_rows(const struct sb_computation *c, struct sb_err *e)
{
    struct rows *r = SB_NEW(c->arena, struct rows);
    struct sb_what_if w;
    struct sb_what_if_text text = {c->arg[0].s, c->arg[1].s, c->arg[2].s, c->arg[3].s};
    if (!sb_what_if_read(&w, c->profile, &text, c->arena, e) || !sb_forecast_make(&r->f, c->profile, &w, e))
        return NULL;
    r->note = sb_forecast_note(&r->f, c->profile, c->arena);
    return r;
}

static bool
next_row(void *rows, union sb_cell *cell)
{
    struct rows *r = rows;
    if (r->i == r->f.n)
        return false;
    sb_forecast_fill(cell, &r->f, r->i++, r->note);
    return true;
}
