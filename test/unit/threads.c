/* Threads of the operating system: whose names are schedulers, and how many schedulers can run. */
#include "engine_analyze.h"
#include "profile/capacity.h"
#include "trace/thread_name.h"
#include <string.h>

static void
names_of_every_release(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        enum sb_lane_kind kind;
        unsigned number; /* 0: no scheduler */
    } names[] = {
        {"1_scheduler", SB_LANE_NORMAL, 1},       {"128_scheduler", SB_LANE_NORMAL, 128},
        {"2_dirty_cpu_sch", SB_LANE_DIRTY_CPU, 2}, {"10_dirty_cpu_sc", SB_LANE_DIRTY_CPU, 10},
        {"9_dirty_io_sche", SB_LANE_DIRTY_IO, 9}, {"1024_dirty_io_s", SB_LANE_DIRTY_IO, 1024},
        {"erts_sched_16", SB_LANE_NORMAL, 16},    {"erts_dcpus_3", SB_LANE_DIRTY_CPU, 3},
        {"erts_dios_10", SB_LANE_DIRTY_IO, 10},   {"sched_2", SB_LANE_NORMAL, 2},
        {"dios_1", SB_LANE_DIRTY_IO, 1},          {"beam.smp", 0, 0},
        {"1_aux", 0, 0},                          {"0_poller", 0, 0},
        {"async_1", 0, 0},                        {"sys_sig_dispatc", 0, 0},
        {"erts_poll_0", 0, 0},                    {"", 0, 0},
        {"_", 0, 0},                              {"sched_", 0, 0},
        {"0_scheduler", 0, 0},                    {"5_", 0, 0},
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        sb_lane want = names[i].number ? sb_lane_make(names[i].kind, names[i].number) : SB_LANE_NONE;
        assert_int_equal(sb_thread_lane(sb_str_of(names[i].name)), want);
    }
}

static struct sb_capacity
capacity_of(const char *trace)
{
    const char *path = in_dir("a.txt");
    struct sb_profile *p;
    struct sb_capacity c;
    struct sb_err e = {0};
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(trace, f);
    fclose(f);
    analyze(&path, 1, in_dir("r.sbp"), 1);
    assert_true(sb_profile_open(&p, in_dir("r.sbp"), &e));
    sb_capacity_find(p, &c);
    sb_profile_close(p);
    return c;
}

#define ONE "1us <0.5.0> s1 in mfa=m:f/0\n9us <0.5.0> s1 out mfa=m:f/0\n"
#define THREE ONE "1us <0.6.0> s2 in mfa=m:f/0\n9us <0.6.0> s2 out mfa=m:f/0\n1us <0.7.0> s3 in mfa=m:f/0\n9us <0.7.0> s3 out mfa=m:f/0\n"

static void
schedulers_that_can_run(void **state)
{
    (void)state;
    static const struct {
        const char *trace;
        int64_t schedulers, able, cpu_ppm;
    } cases[] = {
        {"@meta schedulers=8\n" ONE, 8, 8, 8000000},
        {"@meta schedulers=8 schedulers_online=4\n" ONE, 4, 4, 4000000},
        {"@meta schedulers=8 schedulers_online=4 cores=2\n" ONE, 4, 2, 2000000},
        {"@meta schedulers=8 schedulers_online=2\n1us - - cpus cores=16 quota=500000\n" ONE, 2, 2, 500000},
        {"@meta schedulers=8 schedulers_online=4\n1us - - cpus cores=3 quota=3500000\n" ONE, 4, 3, 3000000},
        {"@meta schedulers=8 schedulers_online=1\n" THREE, 3, 3, 3000000}, /* more came online later */
        {THREE, 3, 3, 3000000},                                            /* an OTP trace: those that were met */
        {"1us <0.5.0> - send to=<0.6.0> words=1\n", 0, 0, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct sb_capacity c = capacity_of(cases[i].trace);
        assert_int_equal(c.schedulers, cases[i].schedulers);
        assert_int_equal(c.able, cases[i].able);
        assert_int_equal(c.cpu_ppm, cases[i].cpu_ppm);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(names_of_every_release), cmocka_unit_test(schedulers_that_can_run)};
    return cmocka_run_group_tests(tests, make_dir, remove_dir);
}
