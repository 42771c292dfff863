/* What tests of the engine share: analysing traces, asking the profile, and what must hold of any. */
#ifndef SB_TEST_ENGINE_PROFILE_H
#define SB_TEST_ENGINE_PROFILE_H
#include "base/file.h"
#include "engine/engine.h"
#include "profile/sql.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <cmocka.h>

/* Under a sanitizer a part of the traces: it looks at how they are worked on, not at what comes out. */
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
enum { RUNS = 200, MERGES = 60 };
#else
enum { RUNS = 1000, MERGES = 300 };
#endif

static struct sb_profile *profile;
static struct sb_sql *sql;
static struct sb_arena arena;

static inline struct sb_table
ask(const char *statement)
{
    struct sb_table t;
    struct sb_err e = {0};
    struct sb_sql_limits none = {0};
    if (!sb_sql_ask(sql, sb_str_of(statement), NULL, 0, &none, &arena, &t, &e))
        fail_msg("%s: %s", statement, e.what);
    return t;
}

static inline void
open_profile(const char *path)
{
    struct sb_err e = {0};
    sb_arena_init(&arena);
    if (!sb_profile_open(&profile, path, &e) || !sb_sql_open(&sql, profile, &e))
        fail_msg("%s", e.what);
}

static inline void
close_profile(void)
{
    sb_sql_close(sql);
    sb_profile_close(profile);
    sb_arena_close(&arena);
}

static inline void
same(const char *what, unsigned p, int64_t got, int64_t want, uint64_t run)
{
    if (got != want)
        fail_msg("trace %llu, process %u, %s: %lld, reference says %lld", (unsigned long long)run, p, what,
                 (long long)got, (long long)want);
}

static inline int64_t
one(const char *statement)
{
    struct sb_table t = ask(statement);
    assert_int_equal(t.n_rows, 1);
    return t.cell[0].i == SB_NULL ? 0 : t.cell[0].i;
}

/* What must hold of any profile. */
static inline void
check_laws(uint64_t run)
{
    same("life", 0,
         one("select count(*) from process where run_ns + runnable_ns + wait_ns + dirty_ns + unknown_ns !="
             " coalesce(end, (select max(value + 0) from meta where key = 'span_ns')) - coalesce(start, 0)"),
         0, run);
    same("slices of schedulers", 0, one("select sum(slice_ns) from scheduler"),
         one("select sum(run_ns + dirty_ns) from process"), run);
    same("slices", 0, one("select sum(dur) from slice"), one("select sum(run_ns + dirty_ns) from process"),
         run);
    same("sends arrive or not", 0, one("select count(sent) from message"),
         one("select sum(count) from message_edge"), run);
    same("receives", 0, one("select count(received) from message"), one("select sum(receives) from process"),
         run);
    same("states", 0, one("select sum(wait_ns + runnable_ns) from gap"),
         one("select sum(wait_ns + runnable_ns) from process"), run);
    same("levels", 0,
         one("select count(*) from (select level, sum(running_ns + gc_ns + dirty_ns) r, sum(runnable_ns) q,"
             " sum(waiting_ns) w from pyramid where track = 1 group by level) where"
             " r != (select sum(run_ns + dirty_ns) from process) or q != (select sum(runnable_ns) from "
             "process)"
             " or w != (select sum(wait_ns) from process)"),
         0, run);
    same("groups", 0, one("select sum(run_ns) from process_group"), one("select sum(run_ns) from process"),
         run);
}

static char dir[] = "/tmp/sb_engine_XXXXXX";
static inline const char *
in_dir(const char *name)
{
    static char path[8][128];
    static unsigned next;
    char *p = path[next++ % 8];
    snprintf(p, sizeof path[0], "%s/%s", dir, name);
    return p;
}

static inline void
analyze_within(const char *const *paths, size_t n, const char *profile_path, unsigned threads,
               uint64_t memory)
{
    struct sb_engine_options o;
    struct sb_err e = {0};
    sb_engine_defaults(&o);
    o.threads = threads;
    o.memory_bytes = memory;
    if (!sb_engine_analyze(paths, n, profile_path, &o, NULL, &e))
        fail_msg("%s", e.what);
}

static inline void
analyze(const char *const *paths, size_t n, const char *profile_path, unsigned threads)
{
    analyze_within(paths, n, profile_path, threads, 0);
}

static inline void
same_bytes(const char *a, const char *b)
{
    struct sb_file x, y;
    struct sb_err e = {0};
    assert_true(sb_file_open(&x, a, &e) && sb_file_open(&y, b, &e));
    assert_int_equal(x.n, y.n);
    assert_memory_equal(x.p, y.p, x.n);
    sb_file_close(&x);
    sb_file_close(&y);
}

static inline int
make_dir(void **state)
{
    (void)state;
    return mkdtemp(dir) ? 0 : -1;
}

static inline int
remove_dir(void **state)
{
    (void)state;
    static const char *const names[] = {"r.txt",     "r.sbp",     "r.sbt",     "d.txt", "d.sbp", "again.sbp",
                                        "part0.txt", "part1.txt", "part2.txt", "a.txt", "b.txt"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        unlink(in_dir(names[i]));
    return rmdir(dir);
}

#endif
