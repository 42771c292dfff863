#include "cli/ask/query_tables.h"
#include "base/nearest.h"
#include "why/why.h"

enum { TABLE, COLUMN, TYPE, UNIT, DOC };

static bool
is_table(const union sb_cell *row)
{
    return row[COLUMN].s.p == NULL;
}

static const union sb_cell *
row_at(const struct sb_table *t, size_t i)
{
    return t->cell + i * t->n_columns;
}

/* Keeps the rows of one table. */
static bool
choose(struct sb_table *all, struct sb_str table, struct sb_table *chosen, struct sb_err *e)
{
    struct sb_nearest near = sb_nearest_to(table);
    sb_table_init(chosen, all->arena, all->column, all->n_columns);
    for (size_t i = 0; i < all->n_rows; i++) {
        const union sb_cell *row = row_at(all, i);
        sb_nearest_offer(&near, row[TABLE].s);
        if (sb_str_eq(row[TABLE].s, table))
            memcpy(sb_table_row(chosen), row, all->n_columns * sizeof *row);
    }
    return chosen->n_rows > 0 ||
           sb_err_set(e, SB_ERR_USAGE, "no table '%.*s'%s", SB_STR_ARG(table), sb_nearest_hint(&near));
}

/* A heading for each table, with its columns below it. */
static void
write_text(const struct sb_table *t, struct sb_out *out)
{
    for (size_t i = 0; i < t->n_rows;) {
        const union sb_cell *head = row_at(t, i++);
        struct sb_table columns;
        sb_out_printf(out, "%.*s: %.*s\n", SB_STR_ARG(head[TABLE].s), SB_STR_ARG(head[DOC].s));
        sb_table_init(&columns, t->arena, t->column + COLUMN, t->n_columns - COLUMN);
        for (; i < t->n_rows && !is_table(row_at(t, i)); i++)
            memcpy(sb_table_row(&columns), row_at(t, i) + COLUMN, columns.n_columns * sizeof *head);
        sb_table_write_text(&columns, out);
        sb_out_z(out, i < t->n_rows ? "\n" : "");
    }
}

bool
sb_query_tables(const char *table, enum sb_format format, struct sb_err *e)
{
    SB_ARENA(a);
    struct sb_table all, chosen;
    struct sb_out out;
    sb_sql_schema(sb_why_tables, &a, &all);
    bool ok = (!table || choose(&all, sb_str_of(table), &chosen, e)) && sb_out_open(&out, NULL, e);
    if (ok && format == SB_FORMAT_TEXT)
        write_text(table ? &chosen : &all, &out);
    else if (ok)
        sb_table_write(table ? &chosen : &all, format, &out);
    ok = ok && sb_out_close(&out, e);
    return ok;
}

static const struct sb_column count_columns[] = {
    {"table", SB_TEXT, SB_U_NONE, "name"},
    {"rows", SB_INT, SB_U_COUNT, "in this profile; NULL: computed when it is asked for"},
    {"doc", SB_TEXT, SB_U_NONE, "meaning"},
};

/* Stored tables come first, in the order of their numbers. */
static void
count_rows(const struct sb_profile *p, struct sb_arena *a, struct sb_table *t)
{
    struct sb_table all;
    unsigned stored = 0;
    sb_sql_schema(sb_why_tables, a, &all);
    sb_table_init(t, a, count_columns, sizeof count_columns / sizeof *count_columns);
    for (size_t i = 0; i < all.n_rows; i++) {
        const union sb_cell *row = row_at(&all, i);
        if (!is_table(row))
            continue;
        SB_ROW(t, {.s = row[TABLE].s},
               {.i = stored < SB_TABLES ? (int64_t)sb_profile_rows_told(p, (enum sb_tab)stored) : SB_NULL},
               {.s = row[DOC].s});
        stored++;
    }
}

bool
sb_query_tables_of(const struct sb_profile *p, enum sb_format format, struct sb_err *e)
{
    SB_ARENA(a);
    struct sb_table t;
    struct sb_out out;
    count_rows(p, &a, &t);
    bool ok = sb_out_open(&out, NULL, e);
    if (ok) {
        sb_table_write(&t, format, &out);
        ok = sb_out_close(&out, e);
    }
    return ok;
}
