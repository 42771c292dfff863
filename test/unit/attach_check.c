/* Which libraries attach sends to a node: its own, those built for another platform, or none. */
#include "live/attach/check.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

static char folder[] = "/tmp/attach_check-XXXXXX";
static struct sb_arena a;

static void
put_library(const char *platform)
{
    struct sb_str path = sb_arena_printf(&a, "%s%s%s", folder, *platform ? "/" : "", platform);
    mkdir(path.p, 0700);
    FILE *f = fopen(sb_arena_printf(&a, "%s/strobe_nif.so", path.p).p, "w");
    assert_non_null(f);
    fclose(f);
}

static int
set_up(void **state)
{
    (void)state;
    a = (struct sb_arena){0};
    assert_non_null(mkdtemp(folder));
    put_library("");
    put_library("aarch64-linux-musl");
    put_library("x86_64-linux-musl");
    return 0;
}

static int
tear_down(void **state)
{
    (void)state;
    (void)!system(sb_arena_printf(&a, "rm -r %s", folder).p);
    sb_arena_close(&a);
    return 0;
}

/* Returns the folder that is taken, below that of all; NULL: the tracer cannot be loaded. */
static const char *
taken(const char *architecture, const char *libc, long words, const char *no_code)
{
    struct sb_peer_facts f = {.words = words};
    const char *priv = folder;
    snprintf(f.architecture, sizeof f.architecture, "%s", architecture);
    snprintf(f.no_code, sizeof f.no_code, "%s", no_code);
    snprintf(f.libc, sizeof f.libc, "%s", libc);
    return sb_check_obstacle(&f, &priv, &a) ? NULL : priv + strlen(folder);
}

#if defined(__x86_64__)
#define HERE "x86_64"
#else
#define HERE "aarch64"
#endif

static void
test_platforms(void **state)
{
    (void)state;
    assert_string_equal(taken(HERE "-pc-linux-gnu", "glibc", 8, ""), "");
    assert_string_equal(taken(HERE "-pc-linux-gnu", "", 8, ""), "");
    assert_string_equal(taken("aarch64-alpine-linux-musl", "musl", 8, ""), "/aarch64-linux-musl");
    assert_string_equal(taken("x86_64-pc-linux-gnu", "musl", 8, ""), "/x86_64-linux-musl");
    assert_null(taken("riscv64-unknown-linux-gnu", "glibc", 8, "")); /* not built */
    assert_null(taken("x86_64-unknown-freebsd14.0", "", 8, ""));
    assert_null(taken("x86_64-pc-linux-musl", "musl", 4, ""));
    assert_null(taken("", "", 0, "unknown"));
    assert_null(
        taken(HERE "-pc-linux-gnu", "glibc", 8, "/tmp: mounted noexec")); /* no folder may hold code */
}

int
main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_platforms)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
