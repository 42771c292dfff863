/* A file is written whole or not at all, and an error says why. */
#include "base/err.h"
#include "base/file.h"
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

static void
outputs_appear_whole_or_not_at_all(void **state)
{
    (void)state;
    char dir[] = "/tmp/strobe-unit.XXXXXX", path[64];
    struct sb_out o;
    struct sb_err e = {0};
    struct sb_file f;
    assert_non_null(mkdtemp(dir));
    snprintf(path, sizeof path, "%s/out", dir);
    assert_true(sb_out_open(&o, path, &e));
    for (int i = 0; i < 100000; i++)
        sb_out_printf(&o, "%d\n", i);
    assert_int_not_equal(access(path, F_OK), 0);
    assert_true(sb_out_close(&o, &e));
    assert_true(sb_file_open(&f, path, &e));
    assert_int_equal(f.n, 588890);
    sb_file_close(&f);
    assert_true(sb_out_open(&o, path, &e));
    sb_out_z(&o, "not kept");
    sb_out_abandon(&o);
    assert_true(sb_file_open(&f, path, &e));
    assert_int_equal(f.n, 588890);
    sb_file_close(&f);
    unlink(path);
    assert_int_equal(rmdir(dir), 0); /* no temporary file is left */
}

/* On file systems that have files without names, which all common ones do. */
static void
a_program_that_is_killed_leaves_no_output(void **state)
{
    (void)state;
    char dir[] = "/tmp/strobe-unit.XXXXXX", path[64];
    struct sb_out o;
    struct sb_err e = {0};
    int status;
    assert_non_null(mkdtemp(dir));
    snprintf(path, sizeof path, "%s/out", dir);
    assert_true(sb_out_open(&o, path, &e));
    bool nameless = o.nameless;
    sb_out_abandon(&o);
    pid_t child = fork();
    if (child == 0) {
        sb_out_open(&o, path, &e);
        sb_out_z(&o, "half");
        sb_out_flush(&o, &e);
        kill(getpid(), SIGKILL);
    }
    waitpid(child, &status, 0);
    assert_true(WIFSIGNALED(status));
    assert_true(rmdir(dir) == 0 || !nameless);
}

static void
failure_to_open_states_the_cause(void **state)
{
    (void)state;
    struct sb_file f;
    struct sb_out o;
    struct sb_err e = {0};
    assert_false(sb_file_open(&f, "/nowhere/at/all", &e));
    assert_int_equal(e.code, SB_ERR_SYSTEM);
    assert_string_equal(e.file, "/nowhere/at/all");
    assert_false(sb_file_open(&f, "/tmp", &e));
    assert_string_equal(e.what, "is a directory");
    assert_false(sb_file_open(&f, "/dev/null", &e));
    assert_false(sb_out_open(&o, "/nowhere/at/all", &e));
    assert_true(sb_out_open(&o, "/dev/full", &e));
    sb_out_z(&o, "x");
    assert_false(sb_out_close(&o, &e));
    assert_non_null(strstr(e.what, "No space left"));
}

int
main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(outputs_appear_whole_or_not_at_all),
                                       cmocka_unit_test(a_program_that_is_killed_leaves_no_output),
                                       cmocka_unit_test(failure_to_open_states_the_cause)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
