/* How many were at work at once: the same as a count of every nanosecond, however little is held in memory. */
#include "why/account/parallel.h"
#include "profile/build.h"
#include "why/run/level.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PROCESSES = 7, PORTS = 2, NODES = 2, END = 3000 };

static struct moment {
    unsigned normal[NODES], dirty, over, most[NODES], sure[NODES], likely[NODES], process, n;
    unsigned port[NODES], runs; /* runs: a bit for each process */
} moments[END];

static unsigned
dice(unsigned sides)
{
    return (unsigned)rand() % sides;
}

static void
row(struct sb_build *b, enum sb_tab t, const int64_t (*cells)[2], size_t known)
{
    int64_t c[64];
    for (size_t k = 0; k < 64; k++)
        c[k] = SB_NULL;
    for (size_t k = 0; k < known; k++)
        c[cells[k][0]] = cells[k][1];
    sb_build_row(b, t, c);
}
#define ROW(b, t, ...) \
    row(b, SB_T_##t, (const int64_t[][2]){__VA_ARGS__}, \
        sizeof((const int64_t[][2]){__VA_ARGS__}) / sizeof(int64_t[2]))

/* Each process has a scheduler of its own. The first port works on that of the first process, so at times it is called
 * by it; nothing is known of the scheduler of the other port. */
static void
put_slice(struct sb_build *b, int64_t process, int64_t port, int64_t from, int64_t to, bool dirty)
{
    int64_t kind = sb_build_text(b, dirty ? SB_STR("dirty_io") : SB_STR("normal"));
    size_t node = (size_t)(process > 0 ? process : port) % NODES;
    ROW(b, slice, {SB_C_slice__process, process > 0 ? process : SB_NULL},
        {SB_C_slice__port, port > 0 ? port : SB_NULL}, {SB_C_slice__start, from},
        {SB_C_slice__dur, to - from}, {SB_C_slice__kind, kind},
        {SB_C_slice__scheduler, process > 0 ? process
                                : port == 1 ? 1
                                            : PROCESSES + 1});
    for (int64_t at = from; at < to; at++) {
        struct moment *m = &moments[at];
        if (port == 1 && m->runs & 1 << 1)
            continue;
        m->runs |= process > 0 ? 1U << process : 0;
        m->n++;
        m->process += (unsigned)process;
        m->dirty += dirty;
        m->normal[node] += process > 0 && !dirty;
        m->port[node] += port > 0;
    }
}

static void
put_gap(struct sb_build *b, int64_t process, int64_t from, int64_t to)
{
    int64_t ready = from + dice((unsigned)(to - from) + 1), low = dice((unsigned)(to - ready) + 1);
    int64_t wait = dice((unsigned)(ready - from) + 1),
            unknown = dice(4) ? 0 : dice((unsigned)(to - ready) + 1);
    int64_t high = to - ready + dice((unsigned)(ready - from) + 1), end = to - unknown;
    low = low < end - ready ? low : end - ready;
    ROW(b, gap, {SB_C_gap__process, process}, {SB_C_gap__start, from}, {SB_C_gap__wait_ns, wait},
        {SB_C_gap__handover_ns, ready - from - wait}, {SB_C_gap__runnable_ns, end - ready},
        {SB_C_gap__unknown_ns, unknown}, {SB_C_gap__low_ns, low}, {SB_C_gap__high_ns, high});
    for (int64_t at = from + wait; at < ready; at++)
        moments[at].over++;
    for (int64_t at = from; at < to; at++) {
        moments[at].most[process % NODES] += at >= to - high;
        moments[at].likely[process % NODES] += at >= ready && at < end;
        moments[at].sure[process % NODES] += at >= end - low && at < end;
    }
}

/* Slices and gaps of each process by turns; ports only run. */
static void
put_life(struct sb_build *b, int64_t process, int64_t port)
{
    for (int64_t at = dice(300), to; at < END - 60; at = to) {
        to = at + 1 + dice(dice(20) ? 40 : END);
        to = to < END ? to : END;
        put_slice(b, process, port, at, to, process > 0 && dice(4) == 0);
        at = to;
        to += 1 + dice(60);
        to = to < END ? to : END;
        if (process > 0 && at < to)
            put_gap(b, process, at, to);
    }
}

static struct sb_profile *
make_profile(int64_t schedulers)
{
    char path[64];
    struct sb_err e = {.at_byte = SB_NO_BYTE};
    struct sb_build *b;
    struct sb_profile *p;
    memset(moments, 0, sizeof moments);
    snprintf(path, sizeof path, "/tmp/parallel.%ld.sbp", (long)getpid());
    assert_true(sb_build_open(&b, path, &e));
    for (int64_t n = 1; n <= NODES; n++)
        ROW(b, node, {SB_C_node__id, n}, {SB_C_node__schedulers, schedulers}, {SB_C_node__trace_start, 0});
    for (int64_t id = 1; id <= PROCESSES; id++)
        ROW(b, process, {SB_C_process__id, id}, {SB_C_process__node, id % NODES + 1},
            {SB_C_process__last_seen, END});
    for (int64_t id = 1; id <= PORTS; id++)
        ROW(b, port, {SB_C_port__id, id}, {SB_C_port__node, id % NODES + 1});
    for (int64_t id = 1; id <= PROCESSES + 1; id++)
        ROW(b, scheduler, {SB_C_scheduler__id, id}, {SB_C_scheduler__number, id},
            {SB_C_scheduler__kind, sb_build_text(b, id <= PROCESSES ? SB_STR("normal") : SB_STR("unknown"))});
    for (int64_t id = 1; id <= PROCESSES; id++)
        put_life(b, id, 0);
    for (int64_t id = 1; id <= PORTS; id++)
        put_life(b, 0, id);
    assert_true(sb_build_close(b, &e));
    assert_true(sb_profile_open(&p, path, &e));
    unlink(path);
    return p;
}

static void
add(struct sb_bounded *b, int64_t low, int64_t value, int64_t high)
{
    b->low += low;
    b->ns += value;
    b->high += high;
}

static void
assert_bounded(struct sb_bounded got, struct sb_bounded want)
{
    assert_int_equal(got.low, want.low);
    assert_int_equal(got.ns, want.ns);
    assert_int_equal(got.high, want.high);
    assert_true(got.low <= got.ns && got.ns <= got.high);
}

static void
count_moments(struct sb_parallel *s, int64_t t0, int64_t t1)
{
    for (int64_t at = t0; at < t1; at++) {
        const struct moment *m = &moments[at];
        unsigned ports = m->port[0] + m->port[1], processes = m->n - ports, sure = m->sure[0] + m->sure[1];
        unsigned ready = m->likely[0] + m->likely[1], most = m->most[0] + m->most[1];
        bool sure_held = false, held = false, most_held = false;
        for (unsigned i = 0; i < NODES; i++) {
            bool is_free = m->normal[i] + m->port[i] < s->schedulers / NODES;
            sure_held |= is_free && m->sure[i] > 0;
            held |= is_free && m->likely[i] > 0;
            most_held |= is_free && m->most[i] > 0;
        }
        s->at_level_ns[m->n]++;
        add(&s->resting, m->n + m->over + most == 0, m->n + m->over + ready == 0, m->n + m->over + sure == 0);
        add(&s->serial, m->n == 1 && most == 0, m->n == 1 && ready == 0, m->n == 1 && sure == 0);
        s->alone_ns[m->n == 1 && ready == 0 && processes == 1 ? m->process : 0]++;
        s->dirty_only_ns += m->dirty > 0 && m->dirty == m->n;
        add(&s->held_up, sure_held, held, most_held);
        add(&s->few, m->n + most < s->schedulers, m->n + ready < s->schedulers, m->n + sure < s->schedulers);
        s->work_ns += processes;
        s->port_ns += ports;
        add(&s->ready, sure, ready, most);
    }
    s->alone_ns[0] = 0;
}

static void
every_figure_equals_a_count_of_nanoseconds(void **state)
{
    (void)state;
    struct sb_arena a;
    a = (struct sb_arena){0};
    for (unsigned run = 0; run < 60; run++) {
        srand(run + 1);
        int64_t schedulers = dice(4), t0 = run % 3 ? dice(END / 2) : 0,
                t1 = run % 3 ? END / 2 + dice(END / 2) : END;
        struct sb_profile *p = make_profile(schedulers);
        int64_t alone[PROCESSES + 1] = {0};
        struct sb_parallel want = {.span_ns = t1 - t0, .schedulers = schedulers * NODES, .alone_ns = alone},
                           got;
        count_moments(&want, t0, t1);
        sb_parallel_find(p, t0, t1, (size_t[]){0, 1, 7, 100}[run % 4], &a, &got);
        assert_int_equal(got.schedulers, want.schedulers);
        assert_memory_equal(got.at_level_ns, want.at_level_ns, sizeof got.at_level_ns);
        assert_memory_equal(got.alone_ns, alone, sizeof alone);
        assert_bounded(got.resting, want.resting);
        assert_bounded(got.serial, want.serial);
        assert_int_equal(got.dirty_only_ns, want.dirty_only_ns);
        assert_bounded(got.held_up, schedulers ? want.held_up : sb_bounded_exact(SB_NULL));
        assert_bounded(got.few, schedulers ? want.few : sb_bounded_exact(SB_NULL));
        assert_true(schedulers < 2 || got.few.ns >= got.serial.ns);
        assert_int_equal(got.work_ns, want.work_ns);
        assert_int_equal(got.port_ns, want.port_ns);
        assert_bounded(got.ready, want.ready);
        sb_profile_close(p);
    }
    sb_arena_close(&a);
}

static void
assert_same(const struct sb_parallel *got, const struct sb_parallel *want)
{
    assert_int_equal(got->span_ns, want->span_ns);
    assert_memory_equal(got->at_level_ns, want->at_level_ns, sizeof want->at_level_ns);
    assert_memory_equal(got->alone_ns, want->alone_ns, want->n_ids * sizeof *want->alone_ns);
    assert_int_equal(got->dirty_only_ns, want->dirty_only_ns);
    assert_int_equal(got->work_ns, want->work_ns);
    assert_int_equal(got->port_ns, want->port_ns);
    assert_bounded(got->resting, want->resting);
    assert_bounded(got->serial, want->serial);
    assert_bounded(got->held_up, want->held_up);
    assert_bounded(got->few, want->few);
    assert_bounded(got->ready, want->ready);
}

static void
pass_on(void *ctx, const struct sb_at_work_change *c)
{
    sb_counting_change(ctx, c);
}

static void
a_part_counted_beside_the_whole_is_the_part_counted_alone(void **state)
{
    (void)state;
    struct sb_arena a;
    a = (struct sb_arena){0};
    for (unsigned run = 0; run < 60; run++) {
        srand(run + 1);
        struct sb_profile *p = make_profile(2);
        int64_t span = sb_profile_span(p), t0 = dice((unsigned)span),
                t1 = t0 + dice((unsigned)(span - t0) + 1);
        struct sb_parallel whole, part, want;
        struct sb_at_work w;
        sb_at_work_open(&w, p, &a);
        w.ctx = sb_counting_begin(&w, &a, t0, t1);
        w.change = pass_on;
        sb_at_work_sweep(&w, 0, span, run % 2 ? 32 : 0);
        sb_counting_end(w.ctx, &whole, &part);
        sb_parallel_find(p, t0, t1, 0, &a, &want);
        assert_same(&part, &want);
        sb_parallel_find(p, 0, span, 0, &a, &want);
        assert_same(&whole, &want);
        sb_profile_close(p);
    }
    sb_arena_close(&a);
}

/* Of each kind that is a whole number of nanoseconds. */
static void
count_level(int64_t from, int64_t to, int64_t ns[SB_LEVEL_KINDS])
{
    memset(ns, 0, SB_LEVEL_KINDS * sizeof *ns);
    for (int64_t at = from; at < to; at++) {
        const struct moment *m = &moments[at];
        unsigned ready = m->sure[0] + m->sure[1] + m->over;
        ns[SB_LEVEL_IDLE] += m->n + ready == 0;
        ns[SB_LEVEL_ALONE] += m->n == 1 && ready == 0;
        ns[SB_LEVEL_QUIET] += m->n < 2;
        ns[SB_LEVEL_HELD] += ready > 0;
    }
}

static void
assert_is_part_of(unsigned process, int64_t t0, const struct sb_level_work *part)
{
    int64_t work = 0, alone = 0, level[SB_LEVEL_KINDS];
    for (int64_t at = t0; at < END; at++) {
        bool runs = moments[at].runs >> process & 1;
        count_level(at, at + 1, level);
        work += runs;
        alone += runs && level[SB_LEVEL_ALONE];
    }
    assert_int_equal(part->ns, work);
    assert_int_equal(part->alone_ns, alone);
    assert_true(part->share_ns >= alone && part->share_ns <= work);
}

static void
the_level_of_any_range_too(void **state)
{
    (void)state;
    static const enum sb_level_kind kinds[] = {SB_LEVEL_IDLE, SB_LEVEL_ALONE, SB_LEVEL_QUIET, SB_LEVEL_HELD};
    for (unsigned run = 0; run < 60; run++) {
        srand(run + 1);
        int64_t t0 = run % 3 ? dice(END / 2) : 0, want[SB_LEVEL_KINDS], got[SB_LEVEL_KINDS];
        struct sb_profile *p = make_profile(2);
        struct sb_level level;
        sb_level_read(p, t0, END, 4, &level);
        for (int k = 0; k < 50; k++) {
            int64_t from = t0 + dice((unsigned)(END - t0)), to = from + dice((unsigned)(END - from) + 1);
            count_level(from, to, want);
            sb_level_kinds(&level, from, to, SB_LEVEL_ALL, got);
            for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
                assert_int_equal(got[kinds[i]], want[kinds[i]]);
        }
        for (unsigned id = 1; id <= PROCESSES; id++)
            assert_is_part_of(id, t0, &level.work[id]);
        sb_level_close(&level);
        sb_profile_close(p);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_figure_equals_a_count_of_nanoseconds),
        cmocka_unit_test(a_part_counted_beside_the_whole_is_the_part_counted_alone),
        cmocka_unit_test(the_level_of_any_range_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
