/* Profiles that are merged are what analysing their traces at once gives; clocks of several nodes are
 * aligned. */
#include "engine_analyze.h"
#include "engine_profile.h"
#include "engine_traces.h"
#include "trace/sbt/sbt.h"
#include "trace/sbt/wire.h"

static void
merge(const char *const *paths, size_t n, const char *profile_path)
{
    struct sb_engine_options o;
    struct sb_err e = {0};
    sb_engine_defaults(&o);
    o.threads = 1;
    if (!sb_engine_merge(paths, n, profile_path, &o, NULL, &e))
        fail_msg("%s", e.what);
}

/* Takes out what the dead did. */
static void
bury(struct lines *l)
{
    bool gone[PROCESSES + 1] = {0};
    size_t kept = 0;
    for (size_t i = 0; i < l->n; i++) {
        unsigned p = 10 + PROCESSES; /* a scheduler's */
        sscanf(l->at[i], "%*d <0.%u.0>", &p);
        assert_true(p >= 10 && p <= 10 + PROCESSES);
        if (!gone[p - 10])
            memmove(l->at[kept++], l->at[i], sizeof *l->at);
        gone[p - 10] |= strstr(l->at[i], " exit ") != NULL;
    }
    l->n = kept;
}

/* Some messages offer one of a few aliases, others are sent to one. */
static void
use_aliases(struct lines *l)
{
    for (size_t i = 0; i < l->n; i++) {
        char *line = l->at[i], *to = strstr(line, " to=<"), *behind = to ? strchr(to, '>') : NULL;
        unsigned what = dice(6);
        if (!behind || what > 1 || !strstr(line, " send "))
            continue;
        if (what == 1)
            memmove(to, behind + 1, strlen(behind + 1) + 1);
        size_t n = strlen(line);
        snprintf(line + n, sizeof l->at[i] - n, what ? " alias=%x alias" : " offers=%x", 1 + dice(5));
    }
}

/* Random traces, whole and wild: the merge of one profile equals that profile. */
static void
a_profile_is_a_trace(void **state)
{
    (void)state;
    for (unsigned run = 1; run <= MERGES; run++) {
        seed = run * 0x9e3779b97f4a7c15u;
        vm_reports = run % 12 == 0; /* else an `out` without an `in` shows its scheduler earlier */
        struct lines l = make_trace(20 + dice(run % 10 == 0 ? 3000 : 200), run % 3 * 7, run % 4 * 30, 0);
        vm_reports = false;
        bury(&l);
        if (run % 3 == 0)
            use_aliases(&l);
        const char *trace = in_dir("r.txt"), *out = in_dir("r.sbp"), *again = in_dir("again.sbp");
        write_lines(trace, &l, 0, l.n);
        free(l.at);
        analyze(&trace, 1, out, 1);
        merge(&out, 1, again);
        same_bytes(out, again);
    }
}

/* A chunk of a process that runs now and then, closed long after the last time. */
static void
write_chunk_closed_late(const char *path)
{
    enum { TIMES = 400, STEP = 1000, LATE_NS = 1 << 30 };
    struct {
        struct sb_sbt_prefix prefix;
        uint8_t records[16 * TIMES];
    } raw = {.prefix = {.base_ns = 1000, .gap_from_ns = SB_AT_UNKNOWN}};
    struct sb_sbt_head head = {.magic = SB_SBT_MAGIC,
                               .version = 1,
                               .head_bytes = sizeof head,
                               .start_ns = 1000,
                               .tick_shift = SB_WIRE_TICK_SHIFT};
    sb_actor recent[SB_WIRE_RECENT] = {0};
    uint8_t *p = raw.records;
    for (unsigned i = 0; i < TIMES; i++) {
        *p++ = i % 2 ? SB_EV_out : SB_EV_in;
        p = sb_wire_put_u(p, STEP);
        p = sb_wire_put_actor(p, recent, sb_actor_make(SB_PID, 0, 0, 85));
        p = sb_wire_put_u(p, 0);
    }
    struct sb_sbt_block b = {.type = SB_SBT_EVENTS,
                             .lane = sb_lane_make(SB_LANE_NORMAL, 1),
                             .raw = (uint32_t)(p - (uint8_t *)&raw),
                             .events = TIMES,
                             .first_ns = 1000,
                             .last_ns = LATE_NS};
    struct sb_sbt_writer *w;
    struct sb_err e;
    assert_true(sb_sbt_open(&w, path, &head, &(struct sb_sbt_options){0}, &e) &&
                sb_sbt_put(w, &b, &raw, &e) &&
                sb_sbt_finish(w, &(struct sb_sbt_trailer){.end_ns = LATE_NS}, NULL, &e));
    sb_sbt_close(w);
}

/* The axis ends with the last event, and a merge of the profile keeps this end. */
static void
a_chunk_closed_late_is_no_longer(void **state)
{
    (void)state;
    const char *trace = in_dir("r.sbt"), *out = in_dir("r.sbp"), *again = in_dir("again.sbp");
    write_chunk_closed_late(trace);
    analyze(&trace, 1, out, 1);
    merge(&out, 1, again);
    open_profile(out);
    assert_int_equal(one("select count(*) from slice"), 200);
    close_profile();
    same_bytes(out, again);
}

/* The processes with odd numbers are on another node, whose clock has an offset. */
static void
write_node(const char *path, const struct lines *l, unsigned node)
{
    static const char *const names[] = {"a@h", "b@h"};
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fprintf(f, "@meta node=%s creation=1\n", names[node]);
    for (size_t i = 0; i < l->n; i++) {
        unsigned p = 0, peer = 0;
        long at = 0;
        int from = 0;
        sscanf(l->at[i], "%ld <0.%u.0>%n", &at, &p, &from);
        const char *rest = l->at[i] + from, *named = strstr(rest, "=<0.");
        if (p % 2 != node)
            continue;
        fprintf(f, "%ld <0.%u.0>", at + (node ? 3000 : 0), p);
        const char *end = named ? strchr(named, '>') + 1 : rest + strlen(rest);
        if (named)
            sscanf(named, "=<0.%u", &peer);
        fprintf(f, "%.*s", (int)(end - rest), rest);
        if (named && peer % 2 != node)
            fprintf(f, "@%s/1", names[!node]);
        fprintf(f, "%s\n", end);
    }
    fclose(f);
}

/* The merge of the profiles of two nodes equals one analysis of both traces. */
static void
profiles_of_two_nodes_are_those_of_one_analysis(void **state)
{
    (void)state;
    for (unsigned run = 1; run <= MERGES; run++) {
        seed = run * 0x9e3779b97f4a7c15u;
        struct lines l = make_trace(20 + dice(run % 10 == 0 ? 3000 : 200), run % 3 * 7, run % 4 * 30, 0);
        bury(&l);
        const char *a = in_dir("a.txt"), *b = in_dir("b.txt"), *pa = in_dir("part0.txt"),
                   *pb = in_dir("part1.txt");
        const char *out = in_dir("r.sbp"), *again = in_dir("again.sbp");
        write_node(a, &l, 0);
        write_node(b, &l, 1);
        free(l.at);
        analyze((const char *[]){a, b}, 2, out, 1);
        analyze(&a, 1, pa, 1);
        analyze(&b, 1, pb, 1);
        merge((const char *[]){pb, pa}, 2, again);
        same_bytes(out, again);
    }
}

/* ---- two nodes ---- */

static void
write_text(const char *path, const char *text)
{
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

/* b's clock is 500 us ahead; a message of 1 us each way, sent up to 1 us before it is stamped, bounds it to 2
 * us. */
static void
clocks_of_two_nodes_are_aligned(void **state)
{
    (void)state;
    const char *a = in_dir("a.txt"), *b = in_dir("b.txt"), *out = in_dir("r.sbp"),
               *again = in_dir("again.sbp");
    write_text(a, "@meta node=a@h creation=1\n"
                  "1us <0.5.0> 1 in mfa=m:f/0\n"
                  "1us <0.5.0> 1 receive words=2 ext=9 timeout\n"
                  "2us <0.5.0> 1 send to=<0.7.0>@b@h/1 words=3 ext=9 hash=11\n"
                  "9us <0.5.0> 1 receive words=3 ext=9 hash=22\n"
                  "10us <0.5.0> 1 out mfa=m:f/0\n");
    write_text(b, "@meta node=b@h creation=1\n"
                  "501us <0.7.0> 1 in mfa=m:g/0\n"
                  "503us <0.7.0> 1 receive words=3 ext=9 hash=11\n"
                  "507us <0.7.0> 1 receive words=2 ext=9 timeout\n"
                  "508us <0.7.0> 1 send to=<0.5.0>@a@h/1 words=3 ext=9 hash=22\n"
                  "509us <0.7.0> 1 out mfa=m:g/0\n");
    analyze((const char *[]){a, b}, 2, out, 1);
    analyze((const char *[]){b, a}, 2, again, 2);
    same_bytes(out, again);
    open_profile(out);
    assert_int_equal(one("select clock_offset_ns from node where name = 'b@h'"), -500000);
    assert_int_equal(one("select clock_error_ns from node where name = 'b@h'"), 2000);
    assert_int_equal(one("select count(*) from process"), 2);
    assert_int_equal(one("select count(*) from message where received - sent = 1000"), 2);
    assert_int_equal(one("select count(*) from message_edge where latency_ns < 1000"), 0);
    assert_int_equal(one("select sum(count) from node_edge where from_node != to_node"), 2);
    check_laws(0);
    close_profile();
}

int
main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_profile_is_a_trace),
                                       cmocka_unit_test(a_chunk_closed_late_is_no_longer),
                                       cmocka_unit_test(profiles_of_two_nodes_are_those_of_one_analysis),
                                       cmocka_unit_test(clocks_of_two_nodes_are_aligned)};
    return cmocka_run_group_tests(tests, make_dir, remove_dir);
}
