/* Virtual tables that are computed on demand: arguments in, rows out. Each is a const struct sb_computed. */
#include "base/arena.h"
#include "profile/sql/sql_module.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct sb_computed *const computed[] = {
#define COMPUTED(name) &sb_sql_##name,
#include "profile/sql/computed.def"
#undef COMPUTED
};
enum { N_COMPUTED = sizeof computed / sizeof computed[0], MAX_COLUMNS = 32 };

struct aux {
    struct sb_sql *q;
    const struct sb_computed *of;
};

struct table {
    sqlite3_vtab base;
    struct sb_sql *q;
    const struct sb_computed *of;
};

struct cursor {
    sqlite3_vtab_cursor base;
    void *rows;
    struct sb_arena arena; /* of the rows */
    union sb_cell cell[MAX_COLUMNS];
    enum sb_type type[MAX_COLUMNS];
    struct sb_sql_arg arg[SB_SQL_ARGS];
    char text[SB_SQL_ARGS][256];
    int64_t rowid;
    bool eof;
};

const struct sb_computed *
sb_sql_computed_at(const struct sb_computed *const *more, size_t i)
{
    return i < N_COMPUTED ? computed[i] : more ? more[i - N_COMPUTED] : NULL;
}

const struct sb_column *
sb_sql_computed_column(const struct sb_sql *q, struct sb_str table, struct sb_str column)
{
    const struct sb_computed *d;
    for (size_t i = 0; (d = sb_sql_computed_at(q->more, i)) != NULL; i++)
        for (unsigned c = 0; sb_str_eq(table, sb_str_of(d->name)) && c < d->n_columns; c++)
            if (sb_str_eq(column, sb_str_of(d->column[c].name)))
                return &d->column[c];
    return NULL;
}

/* ---- columns and arguments ---- */

static int
visible_column(const struct sb_computed *of, const char *name)
{
    for (unsigned c = 0; c < of->n_columns; c++)
        if (strcmp(of->column[c].name, name) == 0)
            return (int)c;
    return -1;
}

/* Hidden columns follow the visible ones, in the order of the arguments. */
static int
column_of_arg(const struct sb_computed *of, unsigned arg)
{
    int visible = visible_column(of, of->arg[arg]);
    if (visible >= 0)
        return visible;
    int hidden = (int)of->n_columns;
    for (unsigned a = 0; a < arg; a++)
        hidden += visible_column(of, of->arg[a]) < 0;
    return hidden;
}

static int
arg_of_column(const struct sb_computed *of, int col)
{
    for (unsigned a = 0; a < SB_SQL_ARGS && of->arg[a]; a++)
        if (column_of_arg(of, a) == col)
            return (int)a;
    return -1;
}

static int
connect(sqlite3 *db, void *ctx, int argc, const char *const *argv, sqlite3_vtab **out, char **why)
{
    (void)db, (void)argc, (void)argv, (void)why;
    const struct aux *aux = ctx;
    const struct sb_computed *d = aux->of;
    const char *hidden[SB_SQL_ARGS];
    unsigned n_hidden = 0;
    for (unsigned a = 0; a < SB_SQL_ARGS && d->arg[a]; a++)
        if (visible_column(d, d->arg[a]) < 0)
            hidden[n_hidden++] = d->arg[a];
    int rc = sb_sql_declare(aux->q, d->column, d->n_columns, d->loose, hidden, n_hidden);
    struct table *t = rc == SQLITE_OK ? sqlite3_malloc(sizeof *t) : NULL;
    if (t == NULL)
        return rc == SQLITE_OK ? SQLITE_NOMEM : rc;
    *t = (struct table){.q = aux->q, .of = aux->of};
    *out = &t->base;
    return SQLITE_OK;
}

static int
disconnect(sqlite3_vtab *t)
{
    sqlite3_free(t);
    return SQLITE_OK;
}

/* idxNum: a bit for each argument that is given; their values come in that order. */
static int
best_index(sqlite3_vtab *base, sqlite3_index_info *info)
{
    const struct sb_computed *of = ((struct table *)base)->of;
    int given[SB_SQL_ARGS] = {0}, next = 0;
    for (int i = 0; i < info->nConstraint; i++) {
        int arg = arg_of_column(of, info->aConstraint[i].iColumn);
        if (arg < 0 || info->aConstraint[i].op != SQLITE_INDEX_CONSTRAINT_EQ)
            continue;
        if (info->aConstraint[i].usable)
            given[arg] = i + 1;
        else if (info->aConstraint[i].iColumn >= (int)of->n_columns)
            return SQLITE_CONSTRAINT; /* an argument whose value needs another order of the join */
    }
    for (int a = 0; a < SB_SQL_ARGS; a++) {
        if (given[a] == 0)
            continue;
        info->aConstraintUsage[given[a] - 1].argvIndex = ++next;
        info->aConstraintUsage[given[a] - 1].omit = 1;
        info->idxNum |= 1 << a;
    }
    info->estimatedCost = next > 0 ? 1e3 : 1e6;
    info->estimatedRows = next > 0 ? 1000 : 1000000;
    return SQLITE_OK;
}

/* ---- cursors ---- */

static int
open_cursor(sqlite3_vtab *base, sqlite3_vtab_cursor **out)
{
    (void)base;
    struct cursor *c = sqlite3_malloc(sizeof *c);
    if (c == NULL)
        return SQLITE_NOMEM;
    memset(c, 0, sizeof *c);
    *out = &c->base;
    return SQLITE_OK;
}

static const struct sb_computed *
of(const struct cursor *c)
{
    return ((const struct table *)c->base.pVtab)->of;
}

static void
close_rows(struct cursor *c)
{
    if (c->rows && of(c)->close)
        of(c)->close(c->rows);
    c->rows = NULL;
    sb_arena_reset(&c->arena);
}

static int
close_cursor(sqlite3_vtab_cursor *base)
{
    close_rows((struct cursor *)base);
    sb_arena_close(&((struct cursor *)base)->arena);
    sqlite3_free(base);
    return SQLITE_OK;
}

static int
fail(struct cursor *c, const struct sb_err *e)
{
    sqlite3_free(c->base.pVtab->zErrMsg);
    c->base.pVtab->zErrMsg = sqlite3_mprintf("%s: %s", of(c)->name, e->what);
    return SQLITE_ERROR;
}

static void
read_arg(struct cursor *c, unsigned a, sqlite3_value *v)
{
    int type = sqlite3_value_numeric_type(v);
    c->arg[a] = (struct sb_sql_arg){.i = SB_NULL};
    if (type == SQLITE_INTEGER || type == SQLITE_FLOAT)
        c->arg[a].i = sqlite3_value_int64(v);
    const unsigned char *text = sqlite3_value_text(v);
    if (text == NULL)
        return;
    size_t n = (size_t)sqlite3_value_bytes(v);
    n = n < sizeof c->text[a] ? n : sizeof c->text[a];
    memcpy(c->text[a], text, n);
    c->arg[a].s = (struct sb_str){c->text[a], n};
}

static int
next(sqlite3_vtab_cursor *base)
{
    struct cursor *c = (struct cursor *)base;
    c->rowid++;
    c->eof = !of(c)->next(c->rows, c->cell);
    if (c->eof && sb_sql_expired(((struct table *)base->pVtab)->q))
        return SQLITE_INTERRUPT;
    return SQLITE_OK;
}

/* A range that ends before it begins is empty. */
static void
order_range(struct cursor *c)
{
    for (unsigned a = 1; a < SB_SQL_ARGS && of(c)->arg[a]; a++)
        if (strcmp(of(c)->arg[a - 1], "t0") == 0 && strcmp(of(c)->arg[a], "t1") == 0 &&
            c->arg[a].i != SB_NULL && c->arg[a].i < c->arg[a - 1].i)
            c->arg[a].i = c->arg[a - 1].i;
}

static int
filter(sqlite3_vtab_cursor *base, int given, const char *how, int argc, sqlite3_value **argv)
{
    (void)how;
    struct cursor *c = (struct cursor *)base;
    close_rows(c);
    c->rowid = 0;
    int i = 0;
    for (unsigned a = 0; a < SB_SQL_ARGS; a++) {
        c->arg[a] = (struct sb_sql_arg){.i = SB_NULL};
        if (given & 1 << a && i < argc)
            read_arg(c, a, argv[i++]);
    }
    order_range(c);
    struct sb_err e = {0};
    for (unsigned a = 0; a < of(c)->n_required; a++)
        if (c->arg[a].s.p == NULL) {
            sb_err_set(&e, SB_ERR_USAGE, "needs its argument '%s'", of(c)->arg[a]);
            return fail(c, &e);
        }
    for (unsigned k = 0; k < of(c)->n_columns; k++)
        c->type[k] = of(c)->column[k].type;
    struct sb_sql *q = ((struct table *)base->pVtab)->q;
    c->rows = of(c)->open(&(struct sb_computation){q, q->p, c->arg, &c->arena, c->type}, &e);
    return c->rows ? next(base) : fail(c, &e);
}

static int
eof(sqlite3_vtab_cursor *base)
{
    return ((struct cursor *)base)->eof;
}

static void
result_arg(sqlite3_context *ctx, const struct sb_sql_arg *arg)
{
    if (arg->i != SB_NULL)
        sqlite3_result_int64(ctx, arg->i);
    else if (arg->s.p != NULL)
        sqlite3_result_text64(ctx, arg->s.p, arg->s.n, SQLITE_TRANSIENT, SQLITE_UTF8);
}

static int
column(sqlite3_vtab_cursor *base, sqlite3_context *ctx, int col)
{
    struct cursor *c = (struct cursor *)base;
    if (col >= (int)of(c)->n_columns) {
        result_arg(ctx, &c->arg[arg_of_column(of(c), col)]);
        return SQLITE_OK;
    }
    const union sb_cell *v = &c->cell[col];
    enum sb_type type = c->type[col];
    if (type == SB_INT && v->i != SB_NULL)
        sqlite3_result_int64(ctx, v->i);
    else if (type == SB_REAL && !isnan(v->f))
        sqlite3_result_double(ctx, v->f);
    else if (type == SB_TEXT && v->s.p != NULL)
        sqlite3_result_text64(ctx, v->s.p, v->s.n, SQLITE_TRANSIENT, SQLITE_UTF8);
    return SQLITE_OK;
}

static int
rowid(sqlite3_vtab_cursor *base, sqlite3_int64 *id)
{
    *id = ((struct cursor *)base)->rowid;
    return SQLITE_OK;
}

static const sqlite3_module module = {
    .xConnect = connect,
    .xBestIndex = best_index,
    .xDisconnect = disconnect,
    .xOpen = open_cursor,
    .xClose = close_cursor,
    .xFilter = filter,
    .xNext = next,
    .xEof = eof,
    .xColumn = column,
    .xRowid = rowid,
};

bool
sb_sql_add_computed(struct sb_sql *q, struct sb_err *e)
{
    const struct sb_computed *d;
    for (size_t i = 0; (d = sb_sql_computed_at(q->more, i)) != NULL; i++) {
        SB_ASSERT(d->n_columns <= MAX_COLUMNS);
        struct aux *aux = SB_HEAP(struct aux, q, d);
        if (sqlite3_create_module_v2(q->db, d->name, &module, aux, free) != SQLITE_OK)
            return sb_err_set(e, SB_ERR_SYSTEM, "SQLite: %s", sqlite3_errmsg(q->db));
    }
    return true;
}
