/* One reading of a running node: its schedulers, processes and groups of processes, in a table of three parts. */
#include "answer/reading.h"
#include <stdlib.h>

/* The node is a column of its own in front of the others, where there are several. */
#define COLUMN(id, ...) {__VA_ARGS__},
static const struct sb_column columns[] = {
    {"node", SB_TEXT, SB_U_NONE, "name of the node"},
#include "answer/reading.def"
    {0},
};
#undef COLUMN

static const struct sb_answer reading = {
    .name = "reading",
    .title = "One reading of a running node",
    .order = "core_ppm",
    .column = columns,
};

void
sb_reading_init(struct sb_table *t, struct sb_arena *a)
{
    sb_table_init(t, a, columns + 1, SB_READING_COLUMNS);
}

static const struct part {
    const char *kind, *title, *narrow, *hide;
} parts[] = {
    {"scheduler", "Schedulers", "name,core_ppm,gc_ppm,slices",
     "kind,dirty_ppm,sends,receives,mailbox,memory,processes,entry,pid,interval_ns"},
    {"process", "Processes", "name,core_ppm,slices,sends,receives,mailbox,memory,pid",
     "kind,dirty_ppm,processes,entry,interval_ns"},
    {"group", "Groups", "name,core_ppm,gc_ppm,slices,sends,receives,processes",
     "kind,dirty_ppm,mailbox,memory,entry,pid,interval_ns"},
};

/* ---- several nodes: those of each in one table, which is ordered and limited as that of one is */

static void
add_rows(struct sb_table *to, const struct sb_reading *of, const char *kind)
{
    const struct sb_table *t = &of->table;
    for (size_t r = 0; r < t->n_rows; r++) {
        const union sb_cell *from = &t->cell[r * t->n_columns];
        if (!sb_str_eq(from[SB_READING_KIND].s, sb_str_of(kind)))
            continue;
        union sb_cell *row = sb_table_row(to);
        row[0].s = of->node;
        memcpy(row + 1, from, sizeof *from * t->n_columns);
    }
}

/* The largest first; then by node, and by what the table of a node orders by. */
static int
compare(const void *pa, const void *pb, void *ctx)
{
    const union sb_cell *a = pa, *b = pb;
    size_t by = *(const size_t *)ctx;
    if (a[by].i != b[by].i)
        return a[by].i < b[by].i ? 1 : -1;
    int c = sb_str_cmp(a[0].s, b[0].s);
    c = c ? c : sb_str_cmp(a[1 + SB_READING_PID].s, b[1 + SB_READING_PID].s);
    return c ? c : sb_str_cmp(a[1 + SB_READING_ENTRY].s, b[1 + SB_READING_ENTRY].s);
}

void
sb_reading_of_nodes(struct sb_table *to, struct sb_arena *a, const struct sb_reading *of, size_t n,
                    enum sb_reading_column sort, uint64_t limit)
{
    size_t by = 1 + (size_t)sort;
    sb_table_init(to, a, columns, 1 + SB_READING_COLUMNS);
    for (size_t p = 0; p < sizeof parts / sizeof *parts; p++) {
        size_t first = to->n_rows;
        for (size_t i = 0; i < n; i++)
            add_rows(to, &of[i], parts[p].kind);
        size_t rows = to->n_rows - first, width = to->n_columns;
        if (p == 0 || rows == 0)
            continue;
        qsort_r(to->cell + first * width, rows, width * sizeof *to->cell, compare, &by);
        if (limit > 0 && rows > limit)
            to->n_rows = first + limit;
    }
}

/* ---- text: a table for each part */

/* The rows of one part. Values show their unit, so the header of the memory omits it. */
static void
select_rows(const struct sb_table *t, const char *kind, struct sb_table *of)
{
    size_t n = t->n_columns, own = n - SB_READING_COLUMNS;
    struct sb_column *column = SB_NEW_N(t->arena, struct sb_column, n);
    memcpy(column, t->column, sizeof *column * n);
    column[own + SB_READING_MEMORY].name = "memory";
    sb_table_init(of, t->arena, column, n);
    for (size_t r = 0; r < t->n_rows; r++) {
        const union sb_cell *from = &t->cell[r * n];
        if (sb_str_eq(from[own + SB_READING_KIND].s, sb_str_of(kind)))
            memcpy(sb_table_row(of), from, sizeof *from * n);
    }
}

static void
write_part(const struct sb_ask *ask, const struct sb_table *t, const struct part *p, size_t width,
           struct sb_out *out)
{
    struct sb_answer shown = reading;
    struct sb_table of, text;
    struct sb_str unknown;
    shown.narrow =
        t->n_columns == SB_READING_COLUMNS ? p->narrow : sb_arena_printf(t->arena, "node,%s", p->narrow).p;
    shown.hide = p->hide;
    select_rows(t, p->kind, &of);
    of.title = sb_str_of(p->title);
    sb_answer_text(&shown, ask, &of, width, &text, &unknown);
    sb_table_write(&text, SB_FORMAT_TEXT, out);
    if (of.n_rows > 0 && unknown.n > 0)
        sb_out_printf(out, "-- unknown, and not shown: %.*s\n", SB_STR_ARG(unknown));
}

void
sb_reading_write(const struct sb_question *q, const struct sb_table *t, int64_t interval_ns, size_t width,
                 struct sb_out *out)
{
    const struct sb_ask ask = {.q = q, .arena = t->arena};
    sb_out_printf(out, "A reading of %s\n", sb_human(interval_ns, SB_U_NS).text);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        sb_out_char(out, '\n');
        write_part(&ask, t, &parts[i], width, out);
    }
}
