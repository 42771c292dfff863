/*
 * SQL over a profile against SQLite's own tables with the same rows; computed tables against sums over the
 * rows they come from. The profile is a random but consistent story: processes that run, collect, wait and
 * are ready.
 */
#include "profile/build.h"
#include "profile/sql/sql.h"
#include "profile/timeline.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <unistd.h>

enum { PROCESSES = 40, STAYS = 60 };

static uint64_t
rnd(uint64_t *s)
{
    *s ^= *s << 13, *s ^= *s >> 7, *s ^= *s << 17;
    return *s;
}

static char path[64];

static int64_t
stay(struct sb_build *b, uint64_t *s, int64_t process, int64_t at)
{
    static const char *const kind[] = {"normal", "normal", "dirty_cpu", "unknown"};
    char f[32];
    snprintf(f, sizeof f, "m:f/%d", (int)(rnd(s) % 9));
    int64_t dur = (int64_t)(rnd(s) % 900) + 100, gc = (int64_t)(rnd(s) % 80);
    int64_t fn = rnd(s) % 5 ? sb_build_text(b, sb_str_of(f)) : SB_NULL;
    sb_build_row(b, SB_T_slice,
                 (int64_t[SB_N_slice]){process, (int64_t)(rnd(s) % 3) + 1, at, dur, fn, fn,
                                       sb_build_text(b, sb_str_of(kind[rnd(s) % 4])), SB_NULL});
    if (gc > 40) {
        int64_t cell[SB_N_gc];
        for (size_t i = 0; i < SB_N_gc; i++)
            cell[i] = SB_NULL;
        cell[SB_C_gc__process] = process;
        cell[SB_C_gc__start] = at + 10;
        cell[SB_C_gc__dur] = gc;
        sb_build_row(b, SB_T_gc, cell);
    }
    at += dur;
    int64_t wait = (int64_t)(rnd(s) % 5000), ready = (int64_t)(rnd(s) % 700);
    sb_build_row(b, SB_T_gap,
                 (int64_t[SB_N_gap]){process, at, wait, ready, SB_NULL, ready, ready,
                                     sb_build_text(b, SB_STR("message")), SB_NULL});
    return at + wait + ready;
}

static void
analyse(void)
{
    struct sb_err e;
    struct sb_build *b;
    uint64_t s = 99;
    int64_t at[PROCESSES] = {0}, end = 0;
    assert_true(sb_build_open(&b, path, &e));
    for (int64_t i = 0; i < PROCESSES; i++) {
        int64_t cell[SB_N_process];
        for (size_t k = 0; k < SB_N_process; k++)
            cell[k] = SB_NULL;
        char pid[32];
        snprintf(pid, sizeof pid, "<0.%d.0>", (int)i + 80);
        cell[SB_C_process__id] = i + 1;
        cell[SB_C_process__pid] = sb_build_text(b, sb_str_of(pid));
        cell[SB_C_process__start] = i;
        cell[SB_C_process__end] = i % 2 ? SB_NULL : 1000 * i;
        sb_build_row(b, SB_T_process, cell);
        at[i] = i;
    }
    for (int64_t i = 1; i <= 3; i++)
        sb_build_row(b, SB_T_scheduler,
                     (int64_t[SB_N_scheduler]){i, 1, i, sb_build_text(b, SB_STR("normal")), 0, SB_NULL, 0, 0,
                                               SB_NULL});
    for (size_t k = 0; k < STAYS * PROCESSES; k++) {
        size_t i = k % PROCESSES;
        at[i] = stay(b, &s, (int64_t)i + 1, at[i]);
        end = at[i] > end ? at[i] : end;
    }
    char span[32];
    snprintf(span, sizeof span, "%lld", (long long)end);
    sb_build_meta(b, SB_STR("span_ns"), sb_str_of(span));
    assert_true(sb_build_close(b, &e));
}

static struct sb_profile *p;
static struct sb_sql *q;
static sqlite3 *plain; /* the oracle */

static void
copy_table(enum sb_tab t)
{
    char sql[2000];
    int n = snprintf(sql, sizeof sql, "CREATE TABLE %s(", sb_schema[t].name);
    for (unsigned c = 0; c < sb_schema[t].n_columns; c++)
        n += snprintf(sql + n, sizeof sql - (size_t)n, "%s\"%s\" %s", c ? "," : "",
                      sb_schema[t].column[c].name,
                      sb_schema[t].column[c].type == SB_TEXT ? "TEXT" : "INTEGER");
    snprintf(sql + n, sizeof sql - (size_t)n, ")");
    assert_int_equal(sqlite3_exec(plain, sql, NULL, NULL, NULL), SQLITE_OK);
    n = snprintf(sql, sizeof sql, "INSERT INTO %s VALUES(?", sb_schema[t].name);
    for (unsigned c = 1; c < sb_schema[t].n_columns; c++)
        n += snprintf(sql + n, sizeof sql - (size_t)n, ",?");
    snprintf(sql + n, sizeof sql - (size_t)n, ")");
    sqlite3_stmt *st;
    assert_int_equal(sqlite3_prepare_v2(plain, sql, -1, &st, NULL), SQLITE_OK);
    for (uint64_t r = 0; r < sb_profile_rows(p, t); r++) {
        for (unsigned c = 0; c < sb_schema[t].n_columns; c++) {
            int64_t v = sb_profile_cell(p, t, c, r);
            struct sb_str s = sb_profile_text(p, sb_schema[t].column[c].type == SB_TEXT ? v : SB_NULL);
            if (v == SB_NULL)
                sqlite3_bind_null(st, (int)c + 1);
            else if (s.p)
                sqlite3_bind_text(st, (int)c + 1, s.p, (int)s.n, SQLITE_STATIC);
            else
                sqlite3_bind_int64(st, (int)c + 1, v);
        }
        assert_int_equal(sqlite3_step(st), SQLITE_DONE);
        sqlite3_reset(st);
    }
    sqlite3_finalize(st);
}

static int
set_up(void **state)
{
    (void)state;
    struct sb_err e;
    analyse();
    assert_true(sb_profile_open(&p, path, &e));
    assert_true(sb_sql_open(&q, p, NULL, &e));
    assert_int_equal(sqlite3_open(":memory:", &plain), SQLITE_OK);
    sqlite3_exec(plain, "BEGIN", NULL, NULL, NULL);
    copy_table(SB_T_process);
    copy_table(SB_T_slice);
    copy_table(SB_T_gap);
    copy_table(SB_T_gc);
    return 0;
}

static int
tear_down(void **state)
{
    (void)state;
    sb_sql_close(q);
    sb_profile_close(p);
    sqlite3_close(plain);
    return 0;
}

static struct sb_table
ask(const char *sql, struct sb_arena *a)
{
    struct sb_table t;
    struct sb_err e = {0};
    if (!sb_sql_ask(q, sb_str_of(sql), NULL, 0, NULL, a, &t, &e))
        fail_msg("%s: %s", sql, e.what);
    return t;
}

static void
print_cell(const struct sb_table *t, size_t r, size_t c, char *buf, size_t cap)
{
    const union sb_cell *v = &t->cell[r * t->n_columns + c];
    if (t->column[c].type == SB_INT)
        snprintf(buf, cap, v->i == SB_NULL ? "-" : "%lld", (long long)v->i);
    else if (t->column[c].type == SB_REAL)
        snprintf(buf, cap, "%.6g", v->f);
    else
        snprintf(buf, cap, "%.*s", (int)v->s.n, v->s.p ? v->s.p : "-");
}

static void
compare(const char *sql)
{
    struct sb_arena a;
    a = (struct sb_arena){0};
    struct sb_table t = ask(sql, &a);
    sqlite3_stmt *st;
    if (sqlite3_prepare_v2(plain, sql, -1, &st, NULL) != SQLITE_OK)
        fail_msg("%s: %s", sql, sqlite3_errmsg(plain));
    size_t r = 0;
    for (; sqlite3_step(st) == SQLITE_ROW; r++)
        for (size_t c = 0; c < t.n_columns; c++) {
            char ours[200], theirs[200];
            const char *text = (const char *)sqlite3_column_text(st, (int)c);
            assert_true(r < t.n_rows);
            print_cell(&t, r, c, ours, sizeof ours);
            if (sqlite3_column_type(st, (int)c) == SQLITE_FLOAT)
                snprintf(theirs, sizeof theirs, "%.6g", sqlite3_column_double(st, (int)c));
            else
                snprintf(theirs, sizeof theirs, "%s", text ? text : "-");
            if (strcmp(ours, theirs) != 0)
                fail_msg("%s: row %zu column %zu: %s, not %s", sql, r, c, ours, theirs);
        }
    assert_int_equal(r, t.n_rows);
    sqlite3_finalize(st);
    sb_arena_close(&a);
}

static void
test_same_as_sqlite(void **state)
{
    (void)state;
    static const char *const sql[] = {
        "SELECT count(*) FROM slice",
        "SELECT start, end FROM process ORDER BY id",
        "SELECT \"start\", \"end\", pid FROM process WHERE end IS NULL ORDER BY id",
        "SELECT * FROM process ORDER BY id",
        "SELECT count(*), sum(dur), min(start) FROM slice WHERE process = 7",
        "SELECT count(*) FROM slice WHERE process = 7.0 OR process = '8'",
        "SELECT count(*) FROM slice WHERE process = 7.5",
        "SELECT count(*) FROM slice WHERE process = 'x'",
        "SELECT count(*) FROM slice WHERE process < 'x'",
        "SELECT count(*) FROM slice WHERE process > 'x'",
        "SELECT count(*) FROM slice WHERE process = NULL",
        "SELECT count(*) FROM slice WHERE start >= 1000.5 AND start < 90000.25",
        "SELECT count(*) FROM slice WHERE start > -1.5 AND start <= 90000.0",
        "SELECT count(*) FROM slice WHERE start < -3.2",
        "SELECT count(*) FROM slice WHERE start < 1e30 AND start > -1e30",
        "SELECT count(*) FROM slice WHERE start > 9223372036854775807",
        "SELECT count(*) FROM slice WHERE start >= -9223372036854775808",
        "SELECT count(*) FROM slice WHERE start BETWEEN 10000 AND 20000 AND process IN (3, 4, 99, NULL)",
        "SELECT process, sum(dur) FROM slice WHERE in_function IN ('m:f/1', 'm:f/3', 'no:such/0') GROUP BY "
        "process "
        "ORDER BY process",
        "SELECT count(*) FROM slice WHERE in_function = 'm:f/2'",
        "SELECT count(*) FROM slice WHERE in_function = 'M:F/2' COLLATE NOCASE",
        "SELECT count(*) FROM slice WHERE in_function > 'm:f/2'",
        "SELECT count(*) FROM slice WHERE in_function LIKE 'm:f/%'",
        "SELECT count(*) FROM slice WHERE in_function = 3",
        "SELECT count(*) FROM slice WHERE in_function IS NULL",
        "SELECT kind, count(*), sum(dur), max(dur) FROM slice GROUP BY kind ORDER BY kind",
        "SELECT p.pid, count(*), sum(s.dur) FROM process p JOIN slice s ON s.process = p.id WHERE p.id "
        "BETWEEN 5 AND 9 "
        "GROUP BY p.id ORDER BY p.id",
        "SELECT p.pid, s.start FROM slice s JOIN process p ON p.id = s.process WHERE s.start BETWEEN 30000 "
        "AND 31000 "
        "ORDER BY p.id, s.start",
        "SELECT avg(dur) FROM slice WHERE process IN (SELECT id FROM process WHERE pid LIKE '%8%')",
        "SELECT count(*) FROM slice a WHERE process < 3 AND dur = (SELECT max(dur) FROM slice b WHERE "
        "b.process = a.process)",
        "SELECT rowid, id FROM process WHERE rowid = 5",
        "SELECT count(*) FROM process WHERE rowid > 5 AND rowid <= 12",
        "SELECT count(*) FROM process WHERE rowid < -4",
        "SELECT count(*) FROM gap WHERE unknown_ns = 0",
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 50) SELECT i, (SELECT "
        "count(*) FROM "
        "slice WHERE process = i) FROM n",
    };
    for (size_t i = 0; i < sizeof sql / sizeof sql[0]; i++)
        compare(sql[i]);
}

static void
same(const char *x, const char *y)
{
    struct sb_arena a;
    a = (struct sb_arena){0};
    struct sb_table s = ask(x, &a), t = ask(y, &a);
    assert_int_equal(s.n_rows, t.n_rows);
    for (size_t r = 0; r < s.n_rows; r++)
        for (size_t c = 0; c < s.n_columns; c++) {
            char ours[200], theirs[200];
            print_cell(&s, r, c, ours, sizeof ours);
            print_cell(&t, r, c, theirs, sizeof theirs);
            if (strcmp(ours, theirs) != 0)
                fail_msg("%s\n  row %zu column %zu: %s, not %s", x, r, c, ours, theirs);
        }
    sb_arena_close(&a);
}

static void
test_slice_by(void **state)
{
    (void)state;
    static const char *const by[] = {"process", "scheduler", "in_function", "out_function", "kind"};
    char x[400], y[800];
    for (size_t i = 0; i < 5; i++) {
        snprintf(x, sizeof x, "SELECT key, count, total_ns, max_ns FROM slice_by('%s') ORDER BY key", by[i]);
        snprintf(y, sizeof y, "SELECT %s, count(*), sum(dur), max(dur) FROM slice GROUP BY 1 ORDER BY 1",
                 by[i]);
        same(x, y);
        snprintf(x, sizeof x, "SELECT * FROM slice_by('%s', 50000, 60000) ORDER BY key", by[i]);
        snprintf(y, sizeof y,
                 "SELECT %s, count(*), sum(min(start + dur, 60000) - max(start, 50000)), "
                 "max(min(start + dur, 60000) - max(start, 50000)) FROM slice WHERE start < 60000 AND start "
                 "+ dur > "
                 "50000 GROUP BY 1 ORDER BY 1",
                 by[i]);
        same(x, y);
    }
    same("SELECT count FROM slice_by('process') WHERE key = 7",
         "SELECT count(*) FROM slice WHERE process = 7");
}

static void
test_state(void **state)
{
    (void)state;
    same("SELECT process, sum(dur) FROM state WHERE state IN ('waiting') GROUP BY 1 ORDER BY 1",
         "SELECT process, sum(wait_ns) FROM gap GROUP BY 1 ORDER BY 1");
    same("SELECT process, sum(dur) FROM state WHERE state = 'runnable' GROUP BY 1 ORDER BY 1",
         "SELECT process, sum(runnable_ns) FROM gap GROUP BY 1 ORDER BY 1");
    same("SELECT process, sum(dur) FROM state WHERE state = 'gc' GROUP BY 1 ORDER BY 1",
         "SELECT process, sum(dur) FROM gc GROUP BY 1 ORDER BY 1");
    same("SELECT sum(dur) FROM state WHERE state IN ('running', 'dirty', 'gc')",
         "SELECT sum(dur) FROM slice");
    same("SELECT sum(dur), count(*) FROM state WHERE process = 5",
         "SELECT sum(dur), count(*) FROM (SELECT * FROM state) "
         "WHERE process = 5");
    /* back to back, from the start to the end */
    same("SELECT count(*) FROM (SELECT start, lag(start + dur) OVER (PARTITION BY process ORDER BY start) AS "
         "before "
         "FROM state) WHERE before <> start",
         "SELECT 0");
}

static void
test_timeline(void **state)
{
    (void)state;
    same("SELECT sum(running_ns + gc_ns + dirty_ns), sum(waiting_ns), sum(runnable_ns), count(*) <= 100 FROM "
         "timeline('all', 0, NULL, 100)",
         "SELECT sum(CASE WHEN state IN ('running', 'gc', 'dirty') THEN dur END), sum(CASE state WHEN "
         "'waiting' THEN "
         "dur END), sum(CASE state WHEN 'runnable' THEN dur END), 1 FROM state");
    same("SELECT sum(running_ns), sum(gc_ns), count(*) <= 7 FROM timeline('process:3', 0, NULL, 7)",
         "SELECT sum(CASE state WHEN 'running' THEN dur END), sum(CASE state WHEN 'gc' THEN dur END), 1 FROM "
         "state "
         "WHERE process = 3");
    same("SELECT sum(running_ns + gc_ns + dirty_ns) FROM timeline('scheduler:2')",
         "SELECT sum(dur) FROM slice WHERE scheduler = 2");
    same("SELECT max(longest_ns) FROM timeline('process:4', 0, NULL, 50)",
         "SELECT max(dur) FROM slice WHERE process = 4");
    same("SELECT max(peak_running) <= 40, max(peak_running) > 1 FROM timeline('all', 0, NULL, 1000)",
         "SELECT 1, 1");
    same("SELECT sum(running_ns) FROM timeline('process:3', 0, NULL, 900)",
         "SELECT sum(running_ns) FROM timeline('process:3', 0, NULL, 3)");
    same("SELECT count(*) FROM timeline('all', 0, NULL, 0)", "SELECT 0");
    same("SELECT sum(processes_running * dur) FROM activity", "SELECT sum(dur) * 1.0 FROM slice");
}

static bool
refuses(const char *sql, const struct sb_sql_limits *limits, const char *why)
{
    struct sb_arena a;
    a = (struct sb_arena){0};
    struct sb_table t;
    struct sb_err e = {0};
    bool ok = sb_sql_ask(q, sb_str_of(sql), NULL, 0, limits, &a, &t, &e);
    sb_arena_close(&a);
    if (ok || strstr(e.what, why) == NULL)
        print_message("%s: %s\n", sql, ok ? "done" : e.what);
    return !ok && strstr(e.what, why) != NULL;
}

static void
test_limits(void **state)
{
    (void)state;
    static const char *const no[] = {"DELETE FROM process",
                                     "CREATE TABLE x(a)",
                                     "ATTACH 'x' AS y",
                                     "PRAGMA page_size",
                                     "BEGIN",
                                     "VACUUM",
                                     "SELECT load_extension('x')",
                                     "SELECT hex(fts3_tokenizer('simple'))",
                                     "INSERT INTO meta VALUES(1,2)",
                                     "DROP TABLE slice"};
    for (size_t i = 0; i < sizeof no / sizeof no[0]; i++)
        assert_true(refuses(no[i], NULL, "SQL: "));
    assert_true(refuses("SELECT 1; SELECT 2", NULL, "more than one"));
    assert_true(refuses("  -- nothing", NULL, "no statement"));
    assert_true(refuses("SELECT nope FROM slice", NULL, "no such column"));
    assert_true(refuses("SELECT * FROM slice_by('nope')", NULL, "cannot group by"));
    assert_true(refuses("SELECT * FROM slice_by", NULL, "needs its argument"));
    assert_true(refuses("SELECT * FROM timeline('process:9999')", NULL, "no track"));
    assert_true(refuses("SELECT * FROM timeline('all', 0, 100, 99999999)", NULL, "buckets"));
    struct sb_sql_limits soon = {.time_ns = 50000000};
    assert_true(
        refuses("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n", &soon,
                "out of time"));
    assert_true(
        refuses("SELECT count(*) FROM state a, state b WHERE a.start + b.start = -1", &soon, "out of time"));
    struct sb_arena a;
    a = (struct sb_arena){0};
    struct sb_table t;
    struct sb_err e = {0};
    struct sb_sql_limits few = {.rows = 5};
    assert_true(sb_sql_ask(q, SB_STR("SELECT id FROM process"), NULL, 0, &few, &a, &t, &e));
    assert_int_equal(t.n_rows, 5);
    assert_int_equal(t.rows_left_out, PROCESSES - 5);
    assert_int_equal(t.column[0].unit, SB_U_ID);
    sb_arena_close(&a);
}

int
main(void)
{
    snprintf(path, sizeof path, "/tmp/strobe-sql-%d.sbp", (int)getpid());
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_as_sqlite), cmocka_unit_test(test_slice_by), cmocka_unit_test(test_state),
        cmocka_unit_test(test_timeline),       cmocka_unit_test(test_limits),
    };
    int failed = cmocka_run_group_tests(tests, set_up, tear_down);
    unlink(path);
    return failed;
}
