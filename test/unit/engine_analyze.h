/* What tests of the engine share: traces and profiles in a folder of their own, and analysing them. */
#pragma once
#include "base/file.h"
#include "base/sanitized.h"
#include "engine/engine.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <cmocka.h>

/* Under a sanitizer a part of the traces: it looks at how they are worked on, not at what comes out. One thread
 * analyses RUNS and merges MERGES, where TSan has nothing to see; MANY and FEW are events of a trace for many
 * threads. */
#if SB_UNDER_TSAN
enum { RUNS = 20, MERGES = 3, MANY = 6000, FEW = 3000 };
#elif SB_UNDER_ASAN
enum { RUNS = 200, MERGES = 60, MANY = 10000, FEW = 4000 };
#else
enum { RUNS = 1000, MERGES = 300, MANY = 30000, FEW = 10000 };
#endif

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
