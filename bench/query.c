/*
 * Grouping slices by process: slice_by, SQLite over our columns, and SQLite over its own table with the same
 * rows. bench_query make ROWS FILE.sbp      bench_query time FILE.sbp -> "WHAT \t ROWS \t SECONDS" a line
 */
#include "base/progress.h"
#include "profile/build.h"
#include "profile/sql/sql.h"
#include <sqlite3.h>
#include <stdlib.h>

enum { PROCESSES = 10000, OWN_ROWS = 2000000 };

static uint64_t
dice(uint64_t *s)
{
    *s ^= *s << 13, *s ^= *s >> 7, *s ^= *s << 17;
    return *s;
}

static bool
make(uint64_t rows, const char *path, struct sb_err *e)
{
    struct sb_build *b;
    uint64_t s = 42;
    int64_t at = 0, cell[64];
    SB_TRY(sb_build_open(&b, path, e));
    for (size_t i = 0; i < 64; i++)
        cell[i] = SB_NULL;
    for (int64_t i = 1; i <= PROCESSES; i++) {
        cell[SB_C_process__id] = i;
        sb_build_row(b, SB_T_process, cell);
    }
    int64_t f = sb_build_text(b, SB_STR("gen_server:loop/7")), kind = sb_build_text(b, SB_STR("normal"));
    for (uint64_t i = 0; i < rows; i++) {
        at += (int64_t)(dice(&s) % 1000);
        sb_build_row(b, SB_T_slice,
                     (int64_t[SB_N_slice]){1 + (int64_t)(dice(&s) % PROCESSES), 1 + (int64_t)(i % 8), at,
                                           (int64_t)(dice(&s) % 20000), f, f, kind, SB_NULL});
    }
    return sb_build_close(b, e);
}

static bool
time_ours(struct sb_sql *q, const char *what, const char *sql, uint64_t rows, struct sb_err *e)
{
    struct sb_arena a;
    struct sb_table t;
    a = (struct sb_arena){0};
    int64_t began = sb_clock_ns();
    bool ok = sb_sql_ask(q, sb_str_of(sql), NULL, 0, NULL, &a, &t, e);
    printf("%s\t%llu\t%.6f\n", what, (unsigned long long)rows, (double)(sb_clock_ns() - began) / 1e9);
    sb_arena_close(&a);
    return ok;
}

static void
run(sqlite3 *db, const char *sql)
{
    if (sqlite3_exec(db, sql, NULL, NULL, NULL) != SQLITE_OK)
        fprintf(stderr, "%s: %s\n", sql, sqlite3_errmsg(db));
}

static void
time_sqlite(const struct sb_profile *p, uint64_t rows)
{
    sqlite3 *db;
    sqlite3_stmt *put;
    rows = rows < OWN_ROWS ? rows : OWN_ROWS;
    sqlite3_open(":memory:", &db);
    run(db, "CREATE TABLE slice(process INTEGER, dur INTEGER); BEGIN");
    sqlite3_prepare_v2(db, "INSERT INTO slice VALUES(?, ?)", -1, &put, NULL);
    int64_t process[SB_BLOCK_ROWS], dur[SB_BLOCK_ROWS];
    for (uint64_t b = 0; b < rows / SB_BLOCK_ROWS; b++) {
        size_t n = sb_profile_block(p, SB_T_slice, SB_C_slice__process, b, process);
        sb_profile_block(p, SB_T_slice, SB_C_slice__dur, b, dur);
        for (size_t i = 0; i < n; i++) {
            sqlite3_bind_int64(put, 1, process[i]);
            sqlite3_bind_int64(put, 2, dur[i]);
            sqlite3_step(put);
            sqlite3_reset(put);
        }
    }
    sqlite3_finalize(put);
    run(db, "COMMIT");
    int64_t began = sb_clock_ns();
    run(db, "SELECT process, count(*), sum(dur), max(dur) FROM slice GROUP BY process");
    printf("sqlite\t%llu\t%.6f\n", (unsigned long long)(rows / SB_BLOCK_ROWS * SB_BLOCK_ROWS),
           (double)(sb_clock_ns() - began) / 1e9);
    sqlite3_close(db);
}

static bool
time_all(const char *path, struct sb_err *e)
{
    struct sb_profile *p;
    struct sb_sql *q;
    SB_TRY(sb_profile_open(&p, path, e) && sb_sql_open(&q, p, NULL, e));
    uint64_t rows = sb_profile_rows(p, SB_T_slice);
    const char *slice_by = "SELECT count(*), sum(total_ns) FROM slice_by('process')";
    bool ok =
        time_ours(q, "first", slice_by, rows, e) && time_ours(q, "slice_by", slice_by, rows, e) &&
        time_ours(q, "range",
                  "SELECT count(*), sum(total_ns) FROM slice_by('process', 1000000, 900000000000)", rows, e);
    time_sqlite(p, rows);
    sb_sql_close(q);
    sb_profile_close(p);
    return ok;
}

int
main(int argc, char **argv)
{
    struct sb_err e = {.at_byte = SB_NO_BYTE};
    uint64_t rows = 0;
    bool ok;
    if (argc == 4 && strcmp(argv[1], "make") == 0 && sb_str_to_u64(sb_str_of(argv[2]), &rows))
        ok = make(rows, argv[3], &e);
    else if (argc == 3 && strcmp(argv[1], "time") == 0)
        ok = time_all(argv[2], &e);
    else
        ok = sb_err_set(&e, SB_ERR_USAGE, "bench_query make ROWS FILE | time FILE");
    if (!ok)
        sb_err_print(&e, stderr);
    return sb_err_exit_code(ok ? &(struct sb_err){0} : &e);
}
