/* Traces that anybody may send: what they cost is bounded by their size, whatever they claim. */
#include "base/sanitized.h"
#include "answer/call_tree.h"
#include "base/map.h"
#include "engine/engine.h"
#include "export/export.h"
#include "trace/sbt/sbt_pack.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { EVENTS = 200000, SECONDS = 30, MEGABYTES = 512 };

static char trace[] = "/tmp/strobe-hostile-XXXXXX.txt", profile[sizeof trace + 4];

/* ---- traces ---- */

static void
reuse_a_pid(FILE *f)
{
    for (int i = 0; i < EVENTS; i += 2)
        fprintf(f, "%d <0.1.0> 1 spawned parent=<0.2.0> mfa=m:f/0\n%d <0.1.0> 1 exit\n", i, i + 1);
}

static void
overlap_for_long(FILE *f)
{
    for (int i = 0; i < EVENTS; i++)
        fprintf(f, "%d <0.%d.0> s1 in\n", i, i);
    fprintf(f, "%d <0.%d.0> s1 out\n", EVENTS << 8, EVENTS);
}

static void
nest_calls(FILE *f)
{
    for (int i = 0; i < EVENTS; i++)
        fprintf(f, "%d <0.1.0> s1 call mfa=m:f%d/0\n", i, i);
}

static void
lose_often(FILE *f)
{
    for (int i = 0; i < EVENTS; i++)
        fprintf(f, "%d <0.%d.0> - in\n", i, i);
    for (int i = 0; i < EVENTS; i++)
        fprintf(f, "%d - - drop events=1 class=1 until=10\n", EVENTS + i);
}

static void
unlink_in_order(FILE *f)
{
    for (int i = 0; i < EVENTS; i++)
        fprintf(f, "%d <0.1.0> - link to=<0.%d.0>\n", i, i + 2);
    for (int i = 0; i < EVENTS; i++)
        fprintf(f, "%d <0.1.0> - unlink to=<0.%d.0>\n", EVENTS + i, i + 2);
}

static void
live_on(FILE *f) /* half a million processes without an end */
{
    for (int i = 0; i < 5 * EVENTS / 2; i++)
        fprintf(f, "%d <0.%d.0> s1 in\n", i, i + 1);
}

static void
call_once_each(FILE *f)
{
    for (int i = 0; i < 5 * EVENTS / 4; i++)
        fprintf(f, "%d <0.%d.0> - call mfa=m:f/0\n", i, i + 1);
}

/* ---- what is asked of them ---- */

static bool
analyze(void)
{
    struct sb_engine_options o;
    struct sb_err e;
    const char *const paths[] = {trace};
    sb_engine_defaults(&o);
    return sb_engine_analyze(paths, 1, profile, &o, NULL, &e);
}

static bool
merge(void)
{
    struct sb_engine_options o;
    struct sb_err e;
    const char *const paths[] = {profile};
    sb_engine_defaults(&o);
    char merged[sizeof profile + 2];
    snprintf(merged, sizeof merged, "%s.m", profile);
    return sb_engine_merge(paths, 1, merged, &o, NULL, &e) && unlink(merged) == 0;
}

static bool
export_stacks(void)
{
    static const char *const formats[] = {"collapsed", "callgrind", "pprof", "speedscope", "dot"};
    struct sb_err e;
    struct sb_profile *p;
    if (!sb_profile_open(&p, profile, &e))
        return false;
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        struct sb_export_options o = {.since_ns = SB_NULL, .until_ns = SB_NULL};
        struct sb_out out;
        if (!sb_out_open(&out, "/dev/null", &e) ||
            !sb_exporter_find(sb_str_of(formats[i]))->write(p, &o, &out, &e) || !sb_out_close(&out, &e))
            return false;
    }
    sb_profile_close(p);
    return true;
}

/* The callers of all functions at once: each path backwards would be the square of the tree. */
static bool
invert_calls(void)
{
    struct sb_call_tree t, inverted;
    struct sb_err e;
    struct sb_profile *p;
    struct sb_map all = {0};
    if (!sb_profile_open(&p, profile, &e))
        return false;
    sb_call_tree_open(&t);
    sb_call_tree_open(&inverted);
    sb_call_tree_read(&t, p, &(struct sb_call_filter){.range = {0, INT64_MAX}, .only = &all});
    sb_call_tree_inverted(&t, &inverted);
    bool same = inverted.v.at[0].acc == t.v.at[0].acc;
    sb_call_tree_close(&inverted);
    sb_call_tree_close(&t);
    sb_profile_close(p);
    return same;
}

static void
assert_bounded(bool (*work)(void))
{
    struct rusage used;
    int status;
    pid_t child = fork();
    if (child == 0) {
        setrlimit(RLIMIT_CPU, &(struct rlimit){SECONDS, SECONDS});
        _exit(work() ? 0 : 1);
    }
    assert_int_equal(wait4(child, &status, 0, &used), child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    assert_true(used.ru_maxrss < MEGABYTES << 10);
}

static void
with_trace(void (*write)(FILE *), bool (*const *also)(void))
{
    if (SB_UNDER_ASAN || SB_UNDER_TSAN) /* takes memory and time of its own */
        skip();
    FILE *f = fdopen(mkstemps(trace, 4), "w");
    snprintf(profile, sizeof profile, "%s.sbp", trace);
    write(f);
    fclose(f);
    assert_bounded(analyze);
    for (; also && *also; also++)
        assert_bounded(*also);
    unlink(trace);
    unlink(profile);
    memcpy(strstr(trace, ".txt") - 6, "XXXXXX", 6);
}

static void
test_reused_pid(void **state)
{
    (void)state;
    with_trace(reuse_a_pid, (bool (*const[])(void)){merge, NULL});
}

static void
test_long_slices_at_once(void **state)
{
    (void)state;
    with_trace(overlap_for_long, NULL);
}

static void
test_nested_calls(void **state)
{
    (void)state;
    with_trace(nest_calls, (bool (*const[])(void)){export_stacks, invert_calls, NULL});
}

static void
test_many_losses(void **state)
{
    (void)state;
    with_trace(lose_often, NULL);
}

static void
test_many_links(void **state)
{
    (void)state;
    with_trace(unlink_in_order, NULL);
}

static void
test_processes_that_never_end(void **state)
{
    (void)state;
    with_trace(live_on, NULL);
}

static void
test_a_call_in_each_process(void **state)
{
    (void)state;
    with_trace(call_once_each, (bool (*const[])(void)){merge, NULL});
}

/* 64 MB of zeros would be 6 kB. */
static void
test_blocks_that_repeat_themselves(void **state)
{
    (void)state;
    enum { RAW = 1 << 20, STORED = 100 };
    struct sb_sbt_packer k;
    struct sb_sbt_block b = {.type = SB_SBT_EVENTS, .raw = RAW};
    uint8_t *raw = sb_zeroed_or_die(RAW, 1);
    sb_sbt_packer_init(&k, 1);
    sb_sbt_pack(&k, &b, raw);
    assert_int_equal(b.codec, SB_SBT_RAW);
    assert_true(sb_sbt_check_head(&b));
    sb_sbt_packer_close(&k);
    b = (struct sb_sbt_block){.type = SB_SBT_EVENTS, .codec = SB_SBT_ZSTD, .stored = STORED};
    b.raw = 4096 + 64 * STORED;
    sb_sbt_seal(&b, raw);
    assert_true(sb_sbt_check_head(&b));
    b.raw++;
    sb_sbt_seal(&b, raw);
    assert_false(sb_sbt_check_head(&b));
    free(raw);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reused_pid),
        cmocka_unit_test(test_long_slices_at_once),
        cmocka_unit_test(test_nested_calls),
        cmocka_unit_test(test_many_losses),
        cmocka_unit_test(test_many_links),
        cmocka_unit_test(test_processes_that_never_end),
        cmocka_unit_test(test_a_call_in_each_process),
        cmocka_unit_test(test_blocks_that_repeat_themselves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
