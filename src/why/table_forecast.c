/* forecast(cores, low_ns, ns, high_ns, exposure, ...). */
#include "why/forecast.h"
#include "why/why.h"
#include <stdlib.h>

static void *open_rows(struct sb_sql *q, const struct sb_sql_arg *arg, struct sb_err *e);
static bool next_row(void *rows, union sb_cell *cell, enum sb_type *type);
static void close_rows(void *rows);

static const struct sb_column columns[] = {
    {"cores", SB_INT, SB_U_COUNT, "normal schedulers, each on a core of its own"},
    {"low_ns", SB_INT, SB_U_NS, "lower end: no schedule is faster, or the usual error of a replay below ns"},
    {"ns", SB_INT, SB_U_NS,
     "a replay of the recorded work without the cost of tracing; where exposure is some or high, with the "
     "cost of messages between cores; NULL: unknown, and note says why"},
    {"high_ns", SB_INT, SB_U_NS, "upper end: with costs of messages that grow with the cores"},
    {"exposure", SB_TEXT, SB_U_NONE, "low, some or high: to contention that one trace cannot show"},
    {"speedup", SB_REAL, SB_U_NONE, "ns on one core, divided by ns"},
    {"work_ns", SB_INT, SB_U_NS, "of all processes; the same in all rows"},
    {"span_ns", SB_INT, SB_U_NS, "the longest chain of work and waits; the same in all rows"},
    {"burdened_ns", SB_INT, SB_U_NS,
     "that chain with the cost of messages between cores; the same in all rows"},
    {"recorded_ns", SB_INT, SB_U_NS,
     "length of the recorded run up to the end of the program; the same in all rows"},
    {"note", SB_TEXT, SB_U_NONE, "what limits the forecast; the same in all rows"},
};

const struct sb_computed sb_why_forecast = {
    .name = "forecast",
    .doc = "what the run would take on other numbers of cores, as it is or with a change, as in "
           "forecast('1,2,4', 'WHAT=2;...', 'SERVER=4;...', 'A -> B;...')",
    .column = columns,
    .n_columns = sizeof columns / sizeof columns[0],
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
    const struct sb_forecast_row *row = &r->f.row[r->i];
    cell[0].i = row->cores;
    cell[1].i = row->low_ns;
    cell[2].i = row->ns;
    cell[3].i = row->high_ns;
    cell[4].s = sb_exposure_name(r->f.exposure);
    cell[5].f = sb_forecast_speedup(&r->f, r->i++);
    cell[6].i = r->f.work_ns;
    cell[7].i = r->f.span_ns;
    cell[8].i = r->f.burdened_ns;
    cell[9].i = r->f.recorded_ns;
    cell[10].s = r->note;
    return true;
}

static void
close_rows(void *rows)
{
    struct rows *r = rows;
    sb_arena_close(&r->arena);
    free(r);
}
