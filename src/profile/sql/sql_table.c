/*
 * One virtual table for each table of schema.def. These conditions are evaluated here with the zone maps: on
 * numbers =, <, <=, >, >= and IN; on texts = and IN (by id, texts are never compared); on rowid the same as
 * on numbers. `omit` keeps SQLite from checking them again.
 *
 *     idxStr: a pair for each argument of xFilter: column + 'A' (rowid: '@'), and the operator
 */
#include "base/arena.h"
#include "base/order.h"
#include "profile/reader.h"
#include "profile/sql/sql_module.h"
#include <stdlib.h>

struct table {
    sqlite3_vtab base;
    struct sb_sql *q;
    enum sb_tab tab;
    /* Of the cursor closed last, with the blocks that it decoded: a subquery opens its cursor for each row. */
    struct sb_reader *spare;
};

struct in_list { /* values of an IN, sorted */
    unsigned col;
    int64_t *at;
    size_t n;
};

struct cursor {
    sqlite3_vtab_cursor base;
    struct sb_reader *reader;
    struct sb_where where[SB_SCAN_WHERES];
    struct in_list in[SB_SCAN_WHERES];
    size_t n_where, n_in;
    uint64_t at, end; /* rows still to examine */
    uint64_t block;
    uint16_t place[SB_BLOCK_ROWS]; /* positions in the block of the rows that match */
    size_t n, i;
};

struct aux { /* the table that a module serves */
    struct sb_sql *q;
    enum sb_tab tab;
};

static const struct sb_tab_desc *
desc_of(const sqlite3_vtab *t)
{
    return &sb_schema[((const struct table *)t)->tab];
}

static int
connect(sqlite3 *db, void *ctx, int argc, const char *const *argv, sqlite3_vtab **out, char **why)
{
    (void)db, (void)argc, (void)argv, (void)why;
    const struct aux *aux = ctx;
    const struct sb_tab_desc *d = &sb_schema[aux->tab];
    int rc = sb_sql_declare(aux->q, d->column, d->n_columns, 0, NULL, 0);
    if (rc != SQLITE_OK)
        return rc;
    struct table *t = sqlite3_malloc(sizeof *t);
    if (t == NULL)
        return SQLITE_NOMEM;
    *t = (struct table){.q = aux->q, .tab = aux->tab};
    *out = &t->base;
    return SQLITE_OK;
}

static int
disconnect(sqlite3_vtab *t)
{
    sb_reader_close(((struct table *)t)->spare);
    sqlite3_free(t);
    return SQLITE_OK;
}

/* ---- conditions that can be pushed down ---- */

static bool
is_taken(const struct table *t, sqlite3_index_info *info, int i)
{
    const struct sb_tab_desc *desc = &sb_schema[t->tab];
    int col = info->aConstraint[i].iColumn, op = info->aConstraint[i].op;
    if (!info->aConstraint[i].usable)
        return false;
    if (op == SQLITE_INDEX_CONSTRAINT_EQ && col >= 0 && desc->column[col].type == SB_TEXT)
        return sqlite3_stricmp(sqlite3_vtab_collation(info, i), "BINARY") == 0;
    if (col >= 0 && desc->column[col].type == SB_TEXT)
        return false;
    return op == SQLITE_INDEX_CONSTRAINT_EQ || op == SQLITE_INDEX_CONSTRAINT_GT ||
           op == SQLITE_INDEX_CONSTRAINT_GE || op == SQLITE_INDEX_CONSTRAINT_LT ||
           op == SQLITE_INDEX_CONSTRAINT_LE;
}

/* A rough estimate of the share of rows that a condition leaves; an id or rowid leaves one. */
static double
share_left(const struct sb_tab_desc *desc, int col, int op, double rows)
{
    if (op != SQLITE_INDEX_CONSTRAINT_EQ)
        return 0.3;
    if (col < 0 || strcmp(desc->column[col].name, "id") == 0)
        return 1 / (rows + 1);
    if (strcmp(desc->column[col].name, desc->cluster) == 0)
        return 0.001;
    return desc->column[col].type == SB_TEXT ? 0.1 : 0.02;
}

static int
best_index(sqlite3_vtab *base, sqlite3_index_info *info)
{
    const struct table *t = (const struct table *)base;
    const struct sb_tab_desc *desc = desc_of(base);
    double rows = (double)sb_profile_rows(t->q->p, t->tab), left = rows + 1, looked_at = left;
    char how[2 * SB_SCAN_WHERES + 1];
    int n = 0;
    for (int i = 0; i < info->nConstraint && n < SB_SCAN_WHERES; i++) {
        if (!is_taken(t, info, i))
            continue;
        int col = info->aConstraint[i].iColumn, op = info->aConstraint[i].op;
        bool in = op == SQLITE_INDEX_CONSTRAINT_EQ && col >= 0 && sqlite3_vtab_in(info, i, 1);
        how[2 * n] = (char)('A' + col);
        how[2 * n + 1] = in                                 ? 'i'
                         : op == SQLITE_INDEX_CONSTRAINT_EQ ? '='
                         : op == SQLITE_INDEX_CONSTRAINT_GT ? '>'
                         : op == SQLITE_INDEX_CONSTRAINT_GE ? 'g'
                         : op == SQLITE_INDEX_CONSTRAINT_LT ? '<'
                                                            : 'l';
        info->aConstraintUsage[i].argvIndex = ++n;
        info->aConstraintUsage[i].omit = 1;
        double share = share_left(desc, col, op, rows) * (in ? 10 : 1);
        left *= share < 1 ? share : 1;
        bool by_zone = col < 0 || strcmp(desc->column[col].name, "id") == 0 ||
                       strcmp(desc->column[col].name, desc->cluster) == 0;
        looked_at *= by_zone && share < 1 ? share : 1;
    }
    how[2 * n] = '\0';
    info->idxStr = sqlite3_mprintf("%s", how);
    info->needToFreeIdxStr = 1;
    info->estimatedRows = (sqlite3_int64)left + 1;
    info->estimatedCost = 10 + looked_at;
    return info->idxStr ? SQLITE_OK : SQLITE_NOMEM;
}

/* ---- cursors ---- */

static int
open_cursor(sqlite3_vtab *base, sqlite3_vtab_cursor **out)
{
    struct table *t = (struct table *)base;
    struct cursor *c = sqlite3_malloc(sizeof *c);
    if (c == NULL)
        return SQLITE_NOMEM;
    memset(c, 0, offsetof(struct cursor, place)); /* places are many, and written before they are read */
    c->n = c->i = 0;
    c->reader = t->spare ? t->spare : sb_reader_open(t->q->p, t->tab);
    t->spare = NULL;
    *out = &c->base;
    return SQLITE_OK;
}

static void
drop_lists(struct cursor *c)
{
    for (size_t k = 0; k < c->n_in; k++)
        free(c->in[k].at);
    c->n_in = 0;
}

static int
close_cursor(sqlite3_vtab_cursor *base)
{
    struct cursor *c = (struct cursor *)base;
    struct table *t = (struct table *)base->pVtab;
    drop_lists(c);
    if (t->spare)
        sb_reader_close(c->reader);
    else
        t->spare = c->reader;
    sqlite3_free(c);
    return SQLITE_OK;
}

static void
match_nothing(struct cursor *c)
{
    c->end = c->at;
}

static bool
in_list_has(const struct in_list *in, int64_t v)
{
    return in->n > 0 && bsearch(&v, in->at, in->n, sizeof v, sb_by_number) != NULL;
}

static void
keep_listed(struct cursor *c)
{
    for (size_t k = 0; k < c->n_in && c->n > 0; k++) {
        const int64_t *v = sb_reader_block(c->reader, c->in[k].col, c->block);
        size_t kept = 0;
        for (size_t i = 0; i < c->n; i++)
            if (in_list_has(&c->in[k], v[c->place[i]]))
                c->place[kept++] = c->place[i];
        c->n = kept;
    }
}

static int
next_block(struct cursor *c)
{
    struct sb_sql *q = ((struct table *)c->base.pVtab)->q;
    c->i = c->n = 0;
    while (c->at < c->end) {
        uint64_t block = sb_reader_next_block(c->reader, c->where, c->n_where, c->at / SB_BLOCK_ROWS, c->end);
        if (block == UINT64_MAX) {
            c->at = c->end;
            break;
        }
        struct sb_block_rows rows = sb_block_rows_of(block, c->at, c->end);
        c->at = block * SB_BLOCK_ROWS + rows.to;
        c->block = block;
        c->n = sb_reader_select(c->reader, c->where, c->n_where, rows, c->place);
        keep_listed(c);
        if (c->n > 0)
            return SQLITE_OK;
        if (sb_sql_expired(q))
            return SQLITE_INTERRUPT;
    }
    return SQLITE_OK;
}

/* ---- conditions ---- */

struct range {
    int64_t min, max;
    bool none;
};

/* The numbers for which `number op v` holds; in SQLite any text is larger than any number. */
static struct range
range_of(char op, sqlite3_value *v)
{
    struct range r = {SB_NULL + 1, INT64_MAX, false}, none = {.none = true};
    int type = sqlite3_value_numeric_type(v);
    if (type == SQLITE_INTEGER) {
        int64_t i = sqlite3_value_int64(v);
        if (op == '=')
            return (struct range){i, i, i == SB_NULL};
        if (op == '>' || op == 'g')
            r.min = i + (op == '>' && i < INT64_MAX), r.none = op == '>' && i == INT64_MAX;
        else
            r.max = i - (op == '<' && i > SB_NULL);
        return r;
    }
    if (type == SQLITE_FLOAT) {
        double f = sqlite3_value_double(v), whole = f >= 0 ? (double)(f < 9.2e18 ? (int64_t)f : 0)
                                                           : (double)(f > -9.2e18 ? (int64_t)f : 0);
        if (f >= 9.2e18 || f <= -9.2e18)
            return (f > 0) == (op == '<' || op == 'l') && op != '=' ? r : none;
        int64_t down = (int64_t)whole - (whole > f);
        if (op == '=')
            return (double)down == f ? (struct range){down, down, false} : none;
        if (op == '>' || op == 'g')
            r.min = (double)down == f && op == 'g' ? down : down + 1;
        else
            r.max = (double)down == f && op == '<' ? down - 1 : down;
        return r;
    }
    if (type == SQLITE_NULL)
        return none;
    return op == '<' || op == 'l' ? r : none;
}

static int64_t
text_id(const struct sb_profile *p, sqlite3_value *v)
{
    if (sqlite3_value_type(v) != SQLITE_TEXT)
        return SB_NULL;
    const char *text = (const char *)sqlite3_value_text(v);
    return text ? sb_profile_find_text(p, (struct sb_str){text, (size_t)sqlite3_value_bytes(v)}) : SB_NULL;
}

static int
take_in(struct cursor *c, unsigned col, bool is_text, sqlite3_value *list)
{
    struct in_list in = {.col = col};
    size_t cap = 0;
    sqlite3_value *v;
    int rc;
    for (rc = sqlite3_vtab_in_first(list, &v); rc == SQLITE_OK && v; rc = sqlite3_vtab_in_next(list, &v)) {
        int64_t i;
        if (is_text) {
            i = text_id(c->reader->p, v);
        } else {
            struct range r = range_of('=', v);
            i = r.none ? SB_NULL : r.min;
        }
        if (i == SB_NULL)
            continue;
        if (in.n == cap)
            in.at = sb_realloc_or_die(in.at, (cap = cap * 2 + 16) * sizeof *in.at);
        in.at[in.n++] = i;
    }
    SB_SORT(&in, sb_by_number);
    if (in.n > 0 && !is_text)
        c->where[c->n_where++] = sb_where_make(c->reader->p, c->reader->tab, col, in.at[0], in.at[in.n - 1]);
    c->in[c->n_in++] = in;
    if (in.n == 0)
        match_nothing(c);
    return rc == SQLITE_DONE ? SQLITE_OK : rc;
}

static void
take_rowid(struct cursor *c, struct range r)
{
    uint64_t from = r.min > 1 ? (uint64_t)r.min - 1 : 0, to = r.max < 0 ? 0 : (uint64_t)r.max;
    c->at = from > c->at ? from : c->at;
    c->end = to < c->end ? to : c->end;
    if (r.none || c->at > c->end)
        match_nothing(c);
}

/* Ids are assigned in order: row N - 1 nearly always has id N, and then no other row is read. */
static void
take_id(struct cursor *c, int64_t id)
{
    if (id < 1 || (uint64_t)id > c->end || c->at > 0)
        return;
    uint64_t row = (uint64_t)id - 1;
    if (sb_reader_block(c->reader, 0, row / SB_BLOCK_ROWS)[row % SB_BLOCK_ROWS] == id)
        c->at = row, c->end = row + 1;
}

static void
take(struct cursor *c, char op, int col, sqlite3_value *v)
{
    const struct sb_column *column = &sb_schema[c->reader->tab].column[col];
    struct range r = {.none = false};
    if (column->type == SB_TEXT)
        r.min = r.max = text_id(c->reader->p, v), r.none = r.min == SB_NULL;
    else
        r = range_of(op, v);
    if (r.none || r.min > r.max) {
        match_nothing(c);
        return;
    }
    c->where[c->n_where++] = sb_where_make(c->reader->p, c->reader->tab, (unsigned)col, r.min, r.max);
    if (op == '=' && col == 0 && strcmp(column->name, "id") == 0)
        take_id(c, r.min);
}

static int
filter(sqlite3_vtab_cursor *base, int number, const char *how, int argc, sqlite3_value **argv)
{
    (void)number;
    struct cursor *c = (struct cursor *)base;
    drop_lists(c);
    c->n_where = 0;
    c->at = 0;
    c->end = sb_profile_rows(c->reader->p, c->reader->tab);
    for (int i = 0; i < argc; i++) {
        int col = how[2 * i] - 'A', rc = SQLITE_OK;
        char op = how[2 * i + 1];
        if (col < 0)
            take_rowid(c, range_of(op, argv[i]));
        else if (op == 'i')
            rc = take_in(c, (unsigned)col, sb_schema[c->reader->tab].column[col].type == SB_TEXT, argv[i]);
        else
            take(c, op, col, argv[i]);
        if (rc != SQLITE_OK)
            return rc;
    }
    return next_block(c);
}

static int
next(sqlite3_vtab_cursor *base)
{
    struct cursor *c = (struct cursor *)base;
    return ++c->i < c->n ? SQLITE_OK : next_block(c);
}

static int
eof(sqlite3_vtab_cursor *base)
{
    return ((struct cursor *)base)->n == 0;
}

static int
column(sqlite3_vtab_cursor *base, sqlite3_context *ctx, int col)
{
    struct cursor *c = (struct cursor *)base;
    int64_t v = sb_reader_block(c->reader, (unsigned)col, c->block)[c->place[c->i]];
    if (v == SB_NULL)
        return SQLITE_OK;
    if (sb_schema[c->reader->tab].column[col].type != SB_TEXT) {
        sqlite3_result_int64(ctx, v);
        return SQLITE_OK;
    }
    struct sb_str s = sb_profile_text(c->reader->p, v); /* points into the map: no copy */
    if (s.p != NULL)
        sqlite3_result_text64(ctx, s.p, s.n, SQLITE_STATIC, SQLITE_UTF8);
    return SQLITE_OK;
}

static int
rowid(sqlite3_vtab_cursor *base, sqlite3_int64 *id)
{
    struct cursor *c = (struct cursor *)base;
    *id = (sqlite3_int64)(c->block * SB_BLOCK_ROWS + c->place[c->i] + 1);
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
sb_sql_add_tables(struct sb_sql *q, struct sb_err *e)
{
    for (unsigned t = 0; t < SB_TABLES; t++) {
        struct aux *aux = SB_HEAP(struct aux, q, (enum sb_tab)t);
        if (sqlite3_create_module_v2(q->db, sb_schema[t].name, &module, aux, free) != SQLITE_OK)
            return sb_err_set(e, SB_ERR_SYSTEM, "SQLite: %s", sqlite3_errmsg(q->db));
    }
    return true;
}
