/* What tests of the engine share: random traces in text form, analysing them, asking, and what must hold of
 * any profile. */
#ifndef SB_TEST_ENGINE_TRACES_H
#define SB_TEST_ENGINE_TRACES_H
#include "base/file.h"
#include "engine/engine.h"
#include "profile/sql.h"
#include "trace/source.h"
#include "trace/names.h"
#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>
#include <stdio.h>
#include <unistd.h>

enum { PROCESSES = 6, MOST = 4000, FUNCTIONS = 5 };

/* Under a sanitizer a part of the traces: it looks at how they are worked on, not at what comes out. */
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
enum { RUNS = 200, MERGES = 60 };
#else
enum { RUNS = 1000, MERGES = 300 };
#endif

/* ---- a random trace ---- */

struct lines {
    char (*at)[96];
    size_t n;
};

static uint64_t seed;
static inline unsigned
dice(unsigned sides)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return (unsigned)((seed >> 32) % sides);
}

static bool loses, vm_tells; /* records that say that others are missing; system_profile was on */

/* Mostly what a sane world does; `wild` of 100 is anything at all. */
static inline void
make_line(char *to, size_t cap, long at, bool *on, bool *collects, unsigned wild)
{
    unsigned p = dice(PROCESSES), kind = dice(10), fn = dice(FUNCTIONS);
    bool any = dice(100) < wild;
    int n = snprintf(to, cap, "%ld <0.%u.0> %u ", at, 10 + p, 1 + dice(3));
    if (loses && dice(100) == 0) {
        snprintf(to, cap, "%ld - - drop events=%u", at, 1 + dice(9));
        return;
    }
    if (vm_tells && dice(20) == 0) {
        snprintf(to, cap, "%ld - %u profile_scheduler_%s active=1", at, 1 + dice(9), dice(2) ? "active" : "inactive");
        return;
    }
    if (vm_tells && dice(5) == 0) {
        snprintf(to, cap, "%ld <0.%u.0> - profile_%s mfa=m:f%u/0", at, 10 + p,
                 dice(2) ? "active" : "inactive", fn);
        return;
    }
    if (!on[p] && !any) {
        snprintf(to + n, cap - (size_t)n, "in mfa=m:f%u/0", fn);
        on[p] = true;
    } else if (kind < 3) {
        snprintf(to + n, cap - (size_t)n, "send to=<0.%u.0> words=%u ext=%u hash=%x", 10 + dice(PROCESSES),
                 2 + fn, 9 + fn, 1 + dice(6));
    } else if (kind < 5) {
        snprintf(to + n, cap - (size_t)n,
                 dice(8) ? "receive words=%u ext=%u hash=%x" : "receive words=1 ext=9 timeout", 2 + fn,
                 9 + fn, 1 + dice(6));
    } else if (kind == 5) {
        snprintf(to + n, cap - (size_t)n, "call mfa=m:g/0");
    } else if (kind == 6) {
        snprintf(to + n, cap - (size_t)n, "gc_minor_%s heap=9 block=9 bin=0 old=0 mbuf=0 need=1",
                 collects[p] ? "end" : "start");
        collects[p] = !collects[p];
    } else if (kind == 7 && dice(60) == 0) {
        snprintf(to + n, cap - (size_t)n, "exit reason=normal");
    } else {
        snprintf(to + n, cap - (size_t)n, any && dice(2) ? "in mfa=m:f%u/0" : "out mfa=m:f%u/0", fn);
        on[p] = false;
        collects[p] = false;
    }
}

static inline struct lines
make_trace(size_t n, unsigned wild, unsigned lost, unsigned twice)
{
    struct lines l = {calloc(2 * n + PROCESSES, sizeof *l.at), 0};
    bool on[PROCESSES] = {0}, collects[PROCESSES] = {0};
    long at = 1000;
    for (unsigned p = 1; p < PROCESSES; p++)
        if (dice(2))
            snprintf(l.at[l.n++], sizeof *l.at, "%ld <0.%u.0> 1 spawned parent=<0.10.0> mfa=m:s%u/0", at += 3,
                     10 + p, p % 2);
    while (l.n < n) {
        at += 1 + dice(40);
        make_line(l.at[l.n], sizeof *l.at, at, on, collects, wild);
        if (dice(1000) < lost)
            continue;
        if (dice(1000) < twice)
            memcpy(l.at[l.n + 1], l.at[l.n], sizeof *l.at), l.n++;
        l.n++;
    }
    return l;
}

static inline void
write_lines(const char *path, const struct lines *l, size_t from, size_t to)
{
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    for (size_t i = from; i < to; i++)
        fprintf(f, "%s\n", l->at[i]);
    fclose(f);
}

static inline void
shuffle(struct lines *l)
{
    for (size_t i = l->n; i > 1; i--) {
        size_t j = dice((unsigned)i);
        char keep[96];
        memcpy(keep, l->at[i - 1], sizeof keep);
        memcpy(l->at[i - 1], l->at[j], sizeof keep);
        memcpy(l->at[j], keep, sizeof keep);
    }
}

/* ---- asking ---- */

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
