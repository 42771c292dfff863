/* Threads of the operating system: which names are schedulers, how many schedulers can run, and the limit of
 * a control group. */
#include "engine_analyze.h"
#include "engine_profile.h"
#include "live/drain/drain_cpus.h"
#include "profile/capacity.h"
#include "trace/sbt/sbt.h"
#include "trace/thread_name.h"
#include "trace/sbt/wire.h"
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
        {"1_scheduler", SB_LANE_NORMAL, 1},
        {"128_scheduler", SB_LANE_NORMAL, 128},
        {"2_dirty_cpu_sch", SB_LANE_DIRTY_CPU, 2},
        {"10_dirty_cpu_sc", SB_LANE_DIRTY_CPU, 10},
        {"9_dirty_io_sche", SB_LANE_DIRTY_IO, 9},
        {"1024_dirty_io_s", SB_LANE_DIRTY_IO, 1024},
        {"erts_sched_16", SB_LANE_NORMAL, 16},
        {"erts_dcpus_3", SB_LANE_DIRTY_CPU, 3},
        {"erts_dios_10", SB_LANE_DIRTY_IO, 10},
        {"sched_2", SB_LANE_NORMAL, 2},
        {"dios_1", SB_LANE_DIRTY_IO, 1},
        {"beam.smp", 0, 0},
        {"1_aux", 0, 0},
        {"0_poller", 0, 0},
        {"async_1", 0, 0},
        {"sys_sig_dispatc", 0, 0},
        {"erts_poll_0", 0, 0},
        {"", 0, 0},
        {"_", 0, 0},
        {"sched_", 0, 0},
        {"0_scheduler", 0, 0},
        {"5_", 0, 0},
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
#define THREE \
    ONE "1us <0.6.0> s2 in mfa=m:f/0\n9us <0.6.0> s2 out mfa=m:f/0\n1us <0.7.0> s3 in mfa=m:f/0\n9us " \
        "<0.7.0> s3 out mfa=m:f/0\n"

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
        /* an OTP trace does not record it */
        {THREE, 0, 0, 0},
        {"1us <0.5.0> - send to=<0.6.0> words=1\n", 0, 0, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct sb_capacity c = capacity_of(cases[i].trace);
        assert_int_equal(c.schedulers, cases[i].schedulers);
        assert_int_equal(c.able, cases[i].able);
        assert_int_equal(c.cpu_ppm, cases[i].cpu_ppm);
    }
}

/* ---- readings of the drain: a block of their own that reaches over many blocks of events ---- */

enum {
    CHUNKS = 400,
    IN_CHUNK = 256,
    STEP_NS = 1 << SB_WIRE_TICK_SHIFT,
    CHUNK_NS = IN_CHUNK * STEP_NS,
    READINGS = 4096
};

struct chunk {
    struct sb_sbt_prefix prefix;
    uint8_t records[16 * READINGS];
};

static void
put_chunk(struct sb_sbt_writer *w, const struct sb_sbt_block *like, struct chunk *c, const uint8_t *end)
{
    struct sb_err e;
    struct sb_sbt_block b = *like;
    c->prefix = (struct sb_sbt_prefix){.base_ns = b.first_ns, .gap_from_ns = SB_AT_UNKNOWN};
    b.type = SB_SBT_EVENTS;
    b.raw = (uint32_t)(end - (const uint8_t *)c);
    assert_true(sb_sbt_put(w, &b, c, &e));
}

static void
put_slices(struct sb_sbt_writer *w, struct chunk *c, unsigned number)
{
    uint8_t *p = c->records;
    sb_actor recent[SB_WIRE_RECENT] = {0};
    for (unsigned i = 0; i < IN_CHUNK; i++) {
        *p++ = i % 2 ? SB_EV_out : SB_EV_in;
        p = sb_varint_put(p, i > 0);
        p = sb_wire_put_actor(p, recent, sb_actor_make(SB_PID, 0, 0, 85 + number));
        p = sb_wire_put_u(p, 0);
    }
    int64_t first = STEP_NS + number * (int64_t)CHUNK_NS;
    put_chunk(w,
              &(struct sb_sbt_block){.lane = sb_lane_make(SB_LANE_NORMAL, 1),
                                     .number = number,
                                     .events = IN_CHUNK,
                                     .first_ns = first,
                                     .last_ns = first + CHUNK_NS - STEP_NS},
              c, p);
}

static void
put_readings(struct sb_sbt_writer *w, struct chunk *c)
{
    uint8_t *p = c->records;
    unsigned apart = CHUNKS * IN_CHUNK / READINGS; /* ticks */
    for (unsigned i = 0; i < READINGS; i++) {
        *p++ = SB_EV_thread | SB_WIRE_SAME;
        p = sb_varint_put(p, i > 0 ? apart : 0);
        p = sb_wire_put_text(p, "t", 1);
        p = sb_wire_put_u(p, 7);
        p = sb_wire_put_u(p, i);
        p = sb_wire_put_u(p, 0);
        p = sb_wire_put_u32(p, SB_UNKNOWN32);
        p = sb_wire_put_u32(p, SB_UNKNOWN32);
    }
    put_chunk(w,
              &(struct sb_sbt_block){.lane = SB_LANE_NONE,
                                     .ring = 2,
                                     .events = READINGS,
                                     .first_ns = STEP_NS,
                                     .last_ns = STEP_NS + (int64_t)(READINGS - 1) * apart * STEP_NS},
              c, p);
}

static void
write_readings(const char *path)
{
    struct sb_sbt_head head = {
        .magic = SB_SBT_MAGIC, .version = 1, .head_bytes = sizeof head, .tick_shift = SB_WIRE_TICK_SHIFT};
    struct sb_sbt_writer *w;
    struct chunk *c = malloc(sizeof *c);
    struct sb_err e;
    assert_non_null(c);
    assert_true(sb_sbt_open(&w, path, &head, &(struct sb_sbt_options){0}, &e));
    for (unsigned i = 0; i < CHUNKS; i++)
        put_slices(w, c, i);
    put_readings(w, c);
    assert_true(
        sb_sbt_finish(w, &(struct sb_sbt_trailer){.end_ns = (CHUNKS + 1) * (int64_t)CHUNK_NS}, NULL, &e));
    sb_sbt_close(w);
    free(c);
}

static void
readings_outlast_the_blocks_beside_them(void **state)
{
    (void)state;
    const char *trace = in_dir("r.sbt"), *out = in_dir("r.sbp");
    write_readings(trace);
    for (unsigned threads = 1; threads <= 4; threads++) {
        analyze_within(&trace, 1, out, threads, 1 << 20); /* many windows */
        open_profile(out);
        assert_int_equal(one("select count(*) from slice"), CHUNKS * IN_CHUNK / 2);
        assert_int_equal(one("select count(*) from thread_sample"), READINGS);
        assert_int_equal(one("select count(*) from (select cpu_ns - lag(cpu_ns) over (order by at) as grown "
                             "from thread_sample) where grown <> 1"),
                         0);
        close_profile();
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
        {"3:cpuset:/a\n4:cpu,cpuacct:/a\n0::/\n", "cpu/a/cpu.cfs_quota_us", "200000\n",
         "cpu/a/cpu.cfs_period_us", "100000\n", 2000000},
        {"4:cpu:/a\n", "cpu/a/cpu.cfs_quota_us", "-1\n", "cpu/a/cpu.cfs_period_us", "100000\n", UINT64_MAX},
        {"4:cpuacct:/a\n", "cpu/a/cpu.cfs_quota_us", "200000\n", "cpu/a/cpu.cfs_period_us", "100000\n",
         UINT64_MAX},
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
    const struct CMUnitTest tests[] = {cmocka_unit_test(names_of_every_release),
                                       cmocka_unit_test(schedulers_that_can_run),
                                       cmocka_unit_test(quota_of_the_group_and_those_above),
                                       cmocka_unit_test(readings_outlast_the_blocks_beside_them)};
    return cmocka_run_group_tests(tests, make_dir, remove_dir);
}
