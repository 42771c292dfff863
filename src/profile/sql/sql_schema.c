/* The tables of a profile as rows, and the nearest name for one that does not exist. */
#include "base/nearest.h"
#include "profile/sql/sql_module.h"
#include <stdio.h>

static const struct sb_column columns[] = {
    {"table", SB_TEXT, SB_U_NONE, "name"},
    {"column", SB_TEXT, SB_U_NONE, "name; NULL: the row is about the table"},
    {"type", SB_TEXT, SB_U_NONE,
     "integer, text or real; argument: give it as in timeline('all', 0, 1000, 80)"},
    {"unit", SB_TEXT, SB_U_NONE, "what an integer counts"},
    {"doc", SB_TEXT, SB_U_NONE, "meaning"},
};

static void
put(struct sb_table *t, const char *table, const char *column, const char *type, const char *unit,
    const char *doc)
{
    SB_ROW(t, {.s = sb_str_of(table)}, {.s = sb_str_of(column)}, {.s = sb_str_of(type)},
           {.s = sb_str_of(unit)}, {.s = sb_str_of(doc && *doc ? doc : NULL)});
}

static void
put_columns(struct sb_table *t, const char *table, const struct sb_column *c, unsigned n)
{
    static const char *const type[] = {[SB_INT] = "integer", [SB_TEXT] = "text", [SB_REAL] = "real"};
    static const char *const unit[] = {
        [SB_U_NONE] = NULL,     [SB_U_NS] = "ns",       [SB_U_AT_NS] = "ns since start",
        [SB_U_WORDS] = "words", [SB_U_BYTES] = "bytes", [SB_U_COUNT] = "count",
        [SB_U_ID] = "id",       [SB_U_PPM] = "ppm",     [SB_U_PERCENT] = "percent"};
    for (unsigned i = 0; i < n; i++)
        put(t, table, c[i].name, type[c[i].type], unit[c[i].unit], c[i].doc);
}

static bool
is_visible(const struct sb_computed *d, const char *name)
{
    for (unsigned c = 0; c < d->n_columns; c++)
        if (strcmp(d->column[c].name, name) == 0)
            return true;
    return false;
}

static void
put_computed(struct sb_table *t, const struct sb_computed *d)
{
    put(t, d->name, NULL, "computed", NULL, d->doc);
    for (unsigned i = 0; i < SB_SQL_ARGS && d->arg[i]; i++)
        if (!is_visible(d, d->arg[i]))
            put(t, d->name, d->arg[i], "argument", NULL, i < d->n_required ? "required" : NULL);
    put_columns(t, d->name, d->column, d->n_columns);
}

void
sb_sql_schema(const struct sb_computed *const *more, struct sb_arena *a, struct sb_table *t)
{
    const struct sb_computed *d;
    sb_table_init(t, a, columns, sizeof columns / sizeof *columns);
    for (unsigned i = 0; i < SB_TABLES; i++) {
        put(t, sb_schema[i].name, NULL, "table", NULL, sb_schema[i].doc);
        put_columns(t, sb_schema[i].name, sb_schema[i].column, sb_schema[i].n_columns);
    }
    for (size_t i = 0; (d = sb_sql_computed_at(more, i)) != NULL; i++)
        put_computed(t, d);
}

/* The column exists, but in no table of the statement: the hint names the first tables that have it. */
static bool
name_tables(const struct sb_table *t, struct sb_nearest *near)
{
    size_t n = 0, found = 0;
    for (size_t i = 0; i < t->n_rows && found < 3 && n < sizeof near->hint; i++) {
        const union sb_cell *row = &t->cell[i * t->n_columns];
        if (sb_str_eq(row[1].s, near->word))
            n += (size_t)snprintf(near->hint + n, sizeof near->hint - n, "%s%.*s",
                                  found++ ? ", " : ", which is a column of ", SB_STR_ARG(row[0].s));
    }
    return found > 0;
}

/* SQLite says "no such table: NAME" and "no such column: NAME" or "TABLE.NAME". */
const char *
sb_sql_suggest(const struct sb_sql *q, const char *message, struct sb_nearest *near)
{
    static const char *const missing[] = {"no such table: ", "no such column: "};
    struct sb_str text = sb_str_of(message);
    struct sb_table t;
    SB_ARENA(a);
    *near = sb_nearest_to((struct sb_str){0});
    for (unsigned column = 0; column < 2; column++) {
        struct sb_str prefix = sb_str_of(missing[column]);
        if (!sb_str_starts(text, prefix))
            continue;
        struct sb_str name = sb_str_sub(text, prefix.n, text.n);
        size_t dot = sb_str_find(name, '.');
        *near = sb_nearest_to(dot < name.n ? sb_str_sub(name, dot + 1, name.n) : name);
        sb_sql_schema(q->more, &a, &t); /* the names themselves are constants */
        bool is_elsewhere = column == 1 && name_tables(&t, near);
        for (size_t i = 0; i < t.n_rows && !is_elsewhere; i++)
            sb_nearest_offer(near, t.cell[i * t.n_columns + column].s);
        return is_elsewhere ? near->hint : sb_nearest_hint(near);
    }
    return "";
}
