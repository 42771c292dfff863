/* The connection: which statements are allowed, their limits, and the conversion of results to a table. */
#include "base/arena.h"
#include "base/progress.h"
#include "base/vec.h"
#include "profile/sql/sql_module.h"
#include <math.h>

enum {
    TICK = 1000,            /* steps of SQLite's virtual machine between checks of the clock */
    MOST_BYTES = 400 << 20, /* for a result */
};

/* The time limit is checked between the steps of a statement. A single function call is one step, so its texts
 * are limited, and sql_bounded.c replaces the functions that are not linear in them. The preparation of a
 * statement has no steps; the memory limit bounds it, because nested common table expressions double with each
 * level. */
enum { LONGEST_TEXT = 4 << 20, MOST_MEMORY = 256 << 20 };

static int
on_tick(void *ctx)
{
    return sb_sql_expired(ctx);
}

/* json_patch takes the product of the sizes of its texts, and so do the polygons of geopoly. fts3_tokenizer returns the
 * address of a table of functions. */
static bool
may_call(const char *function)
{
    static const char *const never[] = {"load_extension", "json_patch", "jsonb_patch", "fts3_tokenizer"};
    for (size_t i = 0; i < sizeof never / sizeof *never; i++)
        if (sqlite3_stricmp(function, never[i]) == 0)
            return false;
    return sqlite3_strnicmp(function, "geopoly_", 8) != 0;
}

/* Only reading and computing are allowed: no statement may write, attach, load or set anything. */
static int
may(void *ctx, int action, const char *a, const char *b, const char *c, const char *d)
{
    (void)a, (void)c, (void)d;
    if (((struct sb_sql *)ctx)->declaring)
        return SQLITE_OK;
    if (action == SQLITE_FUNCTION)
        return may_call(b) ? SQLITE_OK : SQLITE_DENY;
    return action == SQLITE_SELECT || action == SQLITE_READ || action == SQLITE_RECURSIVE ? SQLITE_OK
                                                                                          : SQLITE_DENY;
}

static void
set_limits(sqlite3 *db)
{
    sqlite3_limit(db, SQLITE_LIMIT_LENGTH, 16 << 20);
    sqlite3_limit(db, SQLITE_LIMIT_SQL_LENGTH, 1 << 20);
    sqlite3_limit(db, SQLITE_LIMIT_EXPR_DEPTH, 200);
    sqlite3_limit(db, SQLITE_LIMIT_COMPOUND_SELECT, 100);
    sqlite3_limit(db, SQLITE_LIMIT_ATTACHED, 0);
    sqlite3_limit(db, SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 1000);
    sqlite3_limit(db, SQLITE_LIMIT_WORKER_THREADS, 0);
    sqlite3_hard_heap_limit64(MOST_MEMORY); /* of all connections */
}

bool
sb_sql_open(struct sb_sql **out, const struct sb_profile *p, const struct sb_computed *const *more,
            struct sb_err *e)
{
    struct sb_sql *q = SB_HEAP(struct sb_sql, .p = p, .more = more);
    int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
    if (sqlite3_open_v2(":memory:", &q->db, flags, NULL) != SQLITE_OK) {
        sb_err_set(e, SB_ERR_SYSTEM, "cannot open SQLite: %s",
                   q->db ? sqlite3_errmsg(q->db) : "out of memory");
        sb_sql_close(q);
        return false;
    }
    set_limits(q->db);
    if (!sb_sql_add_tables(q, e) || !sb_sql_add_computed(q, e) || !sb_sql_add_functions(q, e) ||
        !sb_sql_add_bounded(q, e)) {
        sb_sql_close(q);
        return false;
    }
    sqlite3_limit(q->db, SQLITE_LIMIT_LENGTH, LONGEST_TEXT);
    sqlite3_limit(q->db, SQLITE_LIMIT_LIKE_PATTERN_LENGTH, SB_SQL_LONGEST_PATTERN);
    sqlite3_set_authorizer(q->db, may, q);
    sqlite3_progress_handler(q->db, TICK, on_tick, q);
    *out = q;
    return true;
}

void
sb_sql_close(struct sb_sql *q)
{
    if (q == NULL)
        return;
    sqlite3_close(q->db);
    free(q);
}

void
sb_sql_interrupt(struct sb_sql *q)
{
    atomic_store(&q->interrupted, true);
}

/* ---- rows of any type, then columns of one type ---- */

struct loose { /* a value as SQLite returned it */
    int type;
    union sb_cell of;
};

static struct loose
loose_value(sqlite3_stmt *st, int c, struct sb_arena *a)
{
    struct loose v = {.type = sqlite3_column_type(st, c)};
    if (v.type == SQLITE_INTEGER)
        v.of.i = sqlite3_column_int64(st, c);
    else if (v.type == SQLITE_FLOAT)
        v.of.f = sqlite3_column_double(st, c);
    else if (v.type != SQLITE_NULL) {
        const char *text = (const char *)sqlite3_column_text(st, c);
        v.type = SQLITE_TEXT;
        v.of.s = sb_arena_str(a, (struct sb_str){text ? text : "", (size_t)sqlite3_column_bytes(st, c)});
    }
    return v;
}

static enum sb_type
type_of(const struct loose *v, size_t n, size_t stride)
{
    enum sb_type t = SB_INT;
    for (size_t i = 0; i < n; i++) {
        if (v[i * stride].type == SQLITE_TEXT)
            return SB_TEXT;
        if (v[i * stride].type == SQLITE_FLOAT)
            t = SB_REAL;
    }
    return t;
}

static union sb_cell
as(enum sb_type type, const struct loose *v, struct sb_arena *a)
{
    union sb_cell c = {.s = {0}}; /* the largest member: a NULL text has no bytes */
    if (type == SB_INT)
        c.i = v->type == SQLITE_NULL ? SB_NULL : v->of.i;
    else if (type == SB_REAL)
        c.f = v->type == SQLITE_NULL ? (double)NAN : v->type == SQLITE_INTEGER ? (double)v->of.i : v->of.f;
    else if (v->type == SQLITE_INTEGER)
        c.s = sb_arena_printf(a, "%lld", (long long)v->of.i);
    else if (v->type == SQLITE_FLOAT)
        c.s = sb_arena_printf(a, "%.15g", v->of.f);
    else if (v->type == SQLITE_TEXT)
        c.s = v->of.s;
    return c;
}

static const struct sb_column *
origin(const struct sb_sql *q, sqlite3_stmt *st, int c)
{
    const char *table = sqlite3_column_table_name(st, c), *name = sqlite3_column_origin_name(st, c);
    enum sb_tab t;
    if (table == NULL || name == NULL)
        return NULL;
    if (!sb_schema_table(sb_str_of(table), &t))
        return sb_sql_computed_column(q, sb_str_of(table), sb_str_of(name));
    int k = sb_schema_column(t, sb_str_of(name));
    return k < 0 ? NULL : &sb_schema[t].column[k];
}

/* The unit of an expression follows from its name, as in sum(own_ns) AS own_ns. */
static enum sb_unit
unit_by_name(struct sb_str name)
{
    static const struct {
        struct sb_str end;
        enum sb_unit unit;
    } rule[] = {{SB_STR("_ns"), SB_U_NS},
                {SB_STR("_words"), SB_U_WORDS},
                {SB_STR("_bytes"), SB_U_BYTES},
                {SB_STR("_ppm"), SB_U_PPM}};
    for (size_t i = 0; i < sizeof rule / sizeof rule[0]; i++)
        if (sb_str_ends(name, rule[i].end))
            return rule[i].unit;
    return SB_U_NONE;
}

static struct sb_column *
describe(const struct sb_sql *q, sqlite3_stmt *st, int n, struct sb_arena *a)
{
    struct sb_column *column = SB_NEW_N(a, struct sb_column, (size_t)n);
    for (int c = 0; c < n; c++) {
        const struct sb_column *from = origin(q, st, c);
        struct sb_str name = sb_arena_str(a, sb_str_of(sqlite3_column_name(st, c)));
        column[c] =
            (struct sb_column){name.p, SB_INT, from ? from->unit : unit_by_name(name), from ? from->doc : ""};
    }
    return column;
}

/* ---- running a statement ---- */

static bool
bind(sqlite3_stmt *st, const struct sb_sql_value *value, size_t n, struct sb_err *e)
{
    for (size_t i = 0; i < n; i++) {
        int at = sqlite3_bind_parameter_index(st, value[i].name);
        if (at == 0)
            continue; /* a statement may leave some out */
        int rc;
        if (value[i].is_text)
            rc = value[i].s.p ? sqlite3_bind_text(st, at, value[i].s.p, (int)value[i].s.n, SQLITE_STATIC)
                              : SQLITE_OK;
        else
            rc = value[i].i == SB_NULL ? SQLITE_OK : sqlite3_bind_int64(st, at, value[i].i);
        if (rc != SQLITE_OK)
            return sb_err_set(e, SB_ERR_INPUT, "SQL: %s: %s", value[i].name, sqlite3_errstr(rc));
    }
    return true;
}

/* Sets the error of a statement that SQLite does not accept. It names a function that `may` refuses in its message. */
static bool
not_prepared(struct sb_sql *q, struct sb_err *e)
{
    const struct sb_str refused = SB_STR("not authorized to use function: ");
    if (sqlite3_errcode(q->db) == SQLITE_NOMEM)
        return sb_err_set(e, SB_ERR_LIMIT, "SQL: the statement takes more than %d MB", MOST_MEMORY >> 20);
    const char *message =
        sqlite3_errcode(q->db) == SQLITE_AUTH ? "only SELECT is allowed" : sqlite3_errmsg(q->db);
    if (sb_str_starts(sb_str_of(message), refused)) {
        sb_err_set(e, SB_ERR_USAGE, "SQL: the function %s is switched off", message + refused.n);
        return sb_err_advise(
            e, "leave it out: one call of it can outlast every time limit, load code or show addresses");
    }
    struct sb_nearest near;
    sb_err_set(e, SB_ERR_USAGE, "SQL: %s%s", message, sb_sql_suggest(q, message, &near));
    return sb_err_advise(e, "strobe query --tables lists the tables and their columns");
}

static bool
prepare(struct sb_sql *q, struct sb_str statement, sqlite3_stmt **st, struct sb_err *e)
{
    const char *rest = NULL;
    if (statement.n > INT32_MAX ||
        sqlite3_prepare_v2(q->db, statement.p, (int)statement.n, st, &rest) != SQLITE_OK)
        return not_prepared(q, e);
    if (*st == NULL)
        return sb_err_set(e, SB_ERR_USAGE, "SQL: no statement given");
    struct sb_str left = sb_str_trim((struct sb_str){rest, (size_t)(statement.p + statement.n - rest)});
    if (left.n > 0) {
        sqlite3_finalize(*st);
        return sb_err_set(e, SB_ERR_USAGE, "SQL: more than one statement");
    }
    return true;
}

static bool
stopped(struct sb_sql *q, int rc, struct sb_err *e)
{
    if (q->cancelled && atomic_load(q->cancelled))
        return sb_err_set(e, SB_ERR_INPUT, "SQL: cancelled");
    if (rc == SQLITE_INTERRUPT || sb_sql_expired(q)) {
        sb_err_set(e, SB_ERR_INPUT, "SQL: %s", atomic_load(&q->interrupted) ? "interrupted" : "out of time");
        return sb_err_advise(e, "narrow it by time or process, or raise the limit with --timeout");
    }
    if (rc == SQLITE_FULL || rc == SQLITE_IOERR) {
        sb_err_set(e, SB_ERR_SYSTEM, "SQL: the temporary files cannot be written (%s)",
                   sqlite3_errmsg(q->db));
        return sb_err_advise(
            e, "see that SQLITE_TMPDIR, TMPDIR or /var/tmp has room, and what ulimit -f allows");
    }
    return sb_err_set(e, SB_ERR_INPUT, "SQL: %s", sqlite3_errmsg(q->db));
}

struct rows {
    SB_VEC(struct loose) value;
    size_t n, bytes;
};

/* Fetches all rows up to the limit; further rows are counted as long as time is left. */
static bool
step(struct sb_sql *q, sqlite3_stmt *st, int n, uint64_t limit, struct sb_arena *a, struct rows *r,
     struct sb_table *t, struct sb_err *e)
{
    int rc;
    while ((rc = sqlite3_step(st)) == SQLITE_ROW) {
        if (limit != 0 && r->n == limit) {
            t->rows_left_out++;
            continue;
        }
        if (r->bytes > MOST_BYTES) {
            sb_err_set(e, SB_ERR_LIMIT, "SQL: the answer takes more than %d MB", MOST_BYTES >> 20);
            return sb_err_advise(e, "limit it, or write the table by strobe export --to csv");
        }
        SB_RESERVE(&r->value, (size_t)n);
        r->bytes += (size_t)n * (sizeof(struct loose) + sizeof(union sb_cell));
        for (int c = 0; c < n; c++) {
            struct loose v = r->value.at[r->value.n++] = loose_value(st, c, a);
            r->bytes += v.type == SQLITE_TEXT ? v.of.s.n : 0;
        }
        r->n++;
    }
    return rc == SQLITE_DONE || (rc == SQLITE_INTERRUPT && t->rows_left_out > 0) || stopped(q, rc, e);
}

static void
settle(struct rows *r, struct sb_column *column, size_t n, struct sb_arena *a, struct sb_table *t)
{
    for (size_t c = 0; c < n; c++)
        column[c].type = r->n ? type_of(r->value.at + c, r->n, n) : SB_INT;
    sb_table_reserve(t, r->n);
    for (size_t i = 0; i < r->n; i++) {
        union sb_cell *cell = sb_table_row(t);
        for (size_t c = 0; c < n; c++)
            cell[c] = as(column[c].type, &r->value.at[i * n + c], a);
    }
}

bool
sb_sql_ask(struct sb_sql *q, struct sb_str statement, const struct sb_sql_value *values, size_t n_values,
           const struct sb_sql_limits *limits, struct sb_arena *a, struct sb_table *t, struct sb_err *e)
{
    atomic_store(&q->interrupted, false);
    q->deadline_ns = limits && limits->time_ns > 0 ? sb_clock_ns() + limits->time_ns : 0;
    q->cancelled = limits ? limits->cancelled : NULL;
    sqlite3_stmt *st = NULL;
    SB_TRY(prepare(q, statement, &st, e));
    int n = sqlite3_column_count(st);
    struct sb_column *column = describe(q, st, n, a);
    sb_table_init(t, a, column, (size_t)n);
    struct rows r = {0};
    bool ok = bind(st, values, n_values, e) && step(q, st, n, limits ? limits->rows : 0, a, &r, t, e);
    if (ok)
        settle(&r, column, (size_t)n, a, t);
    SB_VEC_FREE(&r.value);
    sqlite3_finalize(st);
    q->cancelled = NULL; /* the caller's flag may not outlive the statement */
    return ok;
}
