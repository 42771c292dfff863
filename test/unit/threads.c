/* Threads of the operating system: whose names are schedulers, how many schedulers can run, what a control group allows. */
#include "engine_analyze.h"
#include "live/drain_cpus.h"
#include "profile/capacity.h"
#include "trace/thread_name.h"
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>

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
        {"@meta schedulers=8 schedulers_online=2\n1us - - cpus cores=16 quota=500000\n" ONE, 2, 1, 500000},
        {"@meta schedulers=8 schedulers_online=4\n1us - - cpus cores=3 quota=3500000\n" ONE, 4, 3, 3000000},
        {"@meta schedulers=8 schedulers_online=1\n" THREE, 3, 3, 3000000}, /* more came online later */
        {THREE, 0, 0, 0},                                                  /* an OTP trace does not tell */
        {"1us <0.5.0> - send to=<0.6.0> words=1\n", 0, 0, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct sb_capacity c = capacity_of(cases[i].trace);
        assert_int_equal(c.schedulers, cases[i].schedulers);
        assert_int_equal(c.able, cases[i].able);
        assert_int_equal(c.cpu_ppm, cases[i].cpu_ppm);
    }
}

static void
write_in(const char *root, const char *file, const char *text)
{
    char path[200];
    snprintf(path, sizeof path, "%s/%s", root, file);
    for (char *slash = path + strlen(root) + 1; (slash = strchr(slash, '/')); slash++) {
        *slash = 0;
        mkdir(path, 0700);
        *slash = '/';
    }
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

static void
quota_of_the_group_and_those_above(void **state)
{
    (void)state;
    static const struct {
        const char *group, *file, *text, *file2, *text2;
        uint64_t quota;
    } cases[] = {
        {"0::/a/b\n", "a/b/cpu.max", "max 100000\n", NULL, NULL, UINT64_MAX},
        {"0::/a/b\n", "a/b/cpu.max", "150000 100000\n", NULL, NULL, 1500000},
        {"0::/a/b\n", "a/b/cpu.max", "300000 100000\n", "a/cpu.max", "50000 100000\n", 500000},
        {"0::/\n", "cpu.max", "25000 100000\n", NULL, NULL, 250000},
        {"0::/of/the/host\n", "cpu.max", "20000 100000\n", NULL, NULL, 200000}, /* in a container */
        {"3:cpuset:/a\n4:cpu,cpuacct:/a\n0::/\n", "cpu/a/cpu.cfs_quota_us", "200000\n", "cpu/a/cpu.cfs_period_us", "100000\n", 2000000},
        {"4:cpu:/a\n", "cpu/a/cpu.cfs_quota_us", "-1\n", "cpu/a/cpu.cfs_period_us", "100000\n", UINT64_MAX},
        {"4:cpuacct:/a\n", "cpu/a/cpu.cfs_quota_us", "200000\n", "cpu/a/cpu.cfs_period_us", "100000\n", UINT64_MAX},
        {"no line of it\n", "cpu.max", "20000 100000\n", NULL, NULL, UINT64_MAX},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char root[] = "/tmp/sb_groups_XXXXXX", proc[64], remove[64];
        assert_non_null(mkdtemp(root));
        snprintf(proc, sizeof proc, "%s/proc", root);
        snprintf(remove, sizeof remove, "rm -r %s", root);
        write_in(root, "proc", cases[i].group);
        write_in(root, cases[i].file, cases[i].text);
        if (cases[i].file2)
            write_in(root, cases[i].file2, cases[i].text2);
        assert_int_equal(sb_cpus_quota(proc, root), cases[i].quota);
        assert_int_equal(system(remove), 0);
    }
    assert_int_equal(sb_cpus_quota("/nosuch", "/nosuch"), UINT64_MAX);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(names_of_every_release), cmocka_unit_test(schedulers_that_can_run),
                                       cmocka_unit_test(quota_of_the_group_and_those_above)};
    return cmocka_run_group_tests(tests, make_dir, remove_dir);
}
