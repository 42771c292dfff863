/* A command of --via that misbehaves: too much output, none, or no end. */
#include "live/attach/shell.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

enum { PATIENCE_MS = 300, LONG_MS = 60000 };

static struct sb_err e;

static bool
run(struct sb_shell *r, const char *script, int patience_ms)
{
    *r = (struct sb_shell){.script = script, .argument = "an argument", .patience_ms = patience_ms};
    e = (struct sb_err){0};
    assert_true(sb_shell_start(r, &e));
    while (!sb_shell_step(r, patience_ms))
        ;
    return sb_shell_end(r, &e);
}

static void
test_output(void **state)
{
    (void)state;
    struct sb_shell r;
    assert_true(run(&r, "printf '%s\\0' \"$1\"; echo wrong >&2; exit 3", LONG_MS));
    assert_int_equal(r.out.n, sizeof "an argument");
    assert_memory_equal(r.out.buf, "an argument", r.out.n);
    assert_int_equal(r.err.n, sizeof "wrong");
    sb_shell_free(&r);
}

/* What is too much is dropped, and the command still ends. */
static void
test_too_much(void **state)
{
    (void)state;
    struct sb_shell r;
    assert_true(run(&r, "head -c 20000000 /dev/zero; head -c 20000000 /dev/zero >&2", LONG_MS));
    assert_int_equal(r.out.n, 8 << 20);
    assert_int_equal(r.err.n, 64 << 10);
    sb_shell_free(&r);
}

static void
test_no_end(void **state)
{
    (void)state;
    static const char *const script[] = {
        "exec sleep 1000", "exec >/dev/null 2>&1; exec sleep 1000", /* no output is left to wait for */
        "trap '' TERM INT HUP; echo; exec sleep 1000", "sleep 1000 & exit 0", /* holds the output */
    };
    for (size_t i = 0; i < sizeof script / sizeof *script; i++) {
        struct sb_shell r;
        assert_false(run(&r, script[i], PATIENCE_MS));
        assert_non_null(strstr(e.what, "has not ended after"));
        sb_shell_free(&r);
    }
}

static void
test_flood(void **state)
{
    (void)state;
    struct sb_shell r;
    assert_false(run(&r, "exec yes", LONG_MS));
    assert_non_null(strstr(e.what, "prints without end"));
    sb_shell_free(&r);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_output),
        cmocka_unit_test(test_too_much),
        cmocka_unit_test(test_no_end),
        cmocka_unit_test(test_flood),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
