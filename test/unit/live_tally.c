/* Sums of the live table, window by window, against a count of every nanosecond of random schedules. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <cmocka.h>
#include "live/watch/tally.h"

enum { LANES = 4, PROCESSES = 6, WINDOWS = 40, WINDOW = 500 };

static sb_actor
pid(unsigned n)
{
    return sb_actor_make(SB_PID, 0, 0, n);
}

static void
add(struct sb_tally *t, unsigned ring, enum sb_event_kind kind, unsigned who, int64_t at_ns)
{
    struct sb_event ev = {.kind = (uint8_t)kind, .who = pid(who), .at_ns = at_ns};
    ev.lane = ring == 0 ? sb_lane_make(SB_LANE_DIRTY_CPU, 1) : sb_lane_make(SB_LANE_NORMAL, ring);
    sb_tally_add(t, ring, &ev);
}

static const struct sb_tally_sums *
last(const struct sb_tally *t, unsigned who)
{
    static const struct sb_tally_sums none;
    const struct sb_tally_process *p = sb_tally_find(t, pid(who));
    return p ? &p->last : &none;
}

/* ---- a random schedule: at each nanosecond, what runs on each thread, and whether it collects */

struct schedule {
    unsigned runs[LANES][WINDOWS * WINDOW]; /* 0: nothing */
    bool gc[LANES][WINDOWS * WINDOW];
};

static void
make(struct schedule *s, unsigned seed)
{
    srand(seed);
    for (unsigned l = 0; l < LANES; l++)
        for (unsigned t = 0; t < WINDOWS * WINDOW;) {
            unsigned who = (unsigned)rand() % 3 ? 1 + (unsigned)rand() % PROCESSES : 0;
            unsigned end = t + 1 + (unsigned)rand() % (rand() % 20 ? 90 : 3 * WINDOW);
            unsigned gc_from = t + 1 + (unsigned)rand() % 50, gc_to = gc_from + 1 + (unsigned)rand() % 700;
            for (unsigned from = t; t < end && t < WINDOWS * WINDOW; t++) {
                s->runs[l][t] = who;
                s->gc[l][t] = who && t > from && t >= gc_from && t < gc_to;
            }
        }
}

/* The events of one thread at one nanosecond, and how often each process was scheduled in. */
static void
step(struct sb_tally *t, const struct schedule *s, unsigned l, unsigned at, int64_t slices[PROCESSES + 1])
{
    unsigned before = at ? s->runs[l][at - 1] : 0, now = s->runs[l][at];
    bool gc_before = at && s->gc[l][at - 1], gc_now = s->gc[l][at];
    if (gc_before && (!gc_now || before != now))
        add(t, l, SB_EV_gc_minor_end, before, at);
    if (before && before != now)
        add(t, l, SB_EV_out, before, at);
    if (now && before != now) {
        add(t, l, SB_EV_in, now, at);
        slices[now]++;
    }
    if (gc_now && (!gc_before || before != now))
        add(t, l, SB_EV_gc_minor_start, now, at);
}

static void
compare(const struct sb_tally *t, const struct schedule *s, unsigned window,
        const int64_t slices[PROCESSES + 1])
{
    struct sb_tally_sums want[PROCESSES + 1] = {{0}};
    for (unsigned l = 0; l < LANES; l++) {
        int64_t busy = 0;
        for (unsigned at = window * WINDOW; at < (window + 1) * WINDOW; at++) {
            unsigned who = s->runs[l][at];
            want[who].core_ns++;
            want[who].gc_ns += s->gc[l][at];
            want[who].dirty_ns += l == 0 && !s->gc[l][at];
            busy += who != 0;
        }
        assert_int_equal(l < t->lane.n ? t->lane.at[l].last.core_ns : 0, busy);
    }
    for (unsigned who = 1; who <= PROCESSES; who++) {
        assert_int_equal(last(t, who)->core_ns, want[who].core_ns);
        assert_int_equal(last(t, who)->gc_ns, want[who].gc_ns);
        assert_int_equal(last(t, who)->dirty_ns, want[who].dirty_ns);
        assert_int_equal(last(t, who)->slices, slices[who]);
    }
}

static void
test_random_schedules(void **state)
{
    (void)state;
    struct schedule *s = malloc(sizeof *s);
    for (unsigned seed = 1; seed <= 20; seed++) {
        struct sb_tally t;
        make(s, seed);
        sb_tally_init(&t, NULL, 0);
        for (unsigned w = 0; w < WINDOWS; w++) {
            int64_t slices[PROCESSES + 1] = {0};
            for (unsigned l = 0; l < LANES; l++) /* a ring is read as a whole, then the next */
                for (unsigned at = w * WINDOW; at < (w + 1) * WINDOW; at++)
                    step(&t, s, l, at, slices);
            sb_tally_end_window(&t, (int64_t)(w + 1) * WINDOW);
            compare(&t, s, w, slices);
        }
        sb_tally_close(&t);
    }
    free(s);
}

/* ---- the edges */

static void
test_what_ran_before_the_first_event(void **state)
{
    (void)state;
    struct sb_tally t;
    sb_tally_init(&t, NULL, 1000);
    add(&t, 1, SB_EV_out, 1, 1300);
    add(&t, 1, SB_EV_in, 2, 1400);
    sb_tally_end_window(&t, 2000);
    assert_int_equal(last(&t, 1)->core_ns, 300);
    assert_int_equal(last(&t, 1)->slices, 0);
    assert_int_equal(last(&t, 2)->core_ns, 600);
    sb_tally_end_window(&t, 3000); /* no event: it still runs */
    assert_int_equal(last(&t, 1)->core_ns, 0);
    assert_int_equal(last(&t, 2)->core_ns, 1000);
    sb_tally_close(&t);
}

/* An event of the last window that comes late counts for its state alone. */
static void
test_late_event(void **state)
{
    (void)state;
    struct sb_tally t;
    sb_tally_init(&t, NULL, 0);
    add(&t, 1, SB_EV_in, 1, 10);
    sb_tally_end_window(&t, 100);
    add(&t, 1, SB_EV_out, 1, 99);
    add(&t, 1, SB_EV_in, 2, 99);
    sb_tally_end_window(&t, 200);
    assert_int_equal(last(&t, 1)->core_ns, 0);
    assert_int_equal(last(&t, 2)->core_ns, 100);
    assert_int_equal(last(&t, 2)->slices, 0);
    sb_tally_close(&t);
}

static void
test_loss_adds_no_time(void **state)
{
    (void)state;
    struct sb_tally t;
    struct sb_event drop = {.kind = SB_EV_drop, .at_ns = 300, .lane = sb_lane_make(SB_LANE_NORMAL, 1)};
    sb_tally_init(&t, NULL, 0);
    add(&t, 1, SB_EV_in, 1, 100);
    sb_tally_add(&t, 1, &drop);
    add(&t, 1, SB_EV_out, 2, 900); /* it ran for an unknown time */
    sb_tally_end_window(&t, 1000);
    assert_int_equal(last(&t, 1)->core_ns, 200);
    assert_int_equal(last(&t, 2)->core_ns, 0);
    sb_tally_close(&t);
}

static void
send(struct sb_tally *t, unsigned from, sb_actor to, int64_t at_ns)
{
    struct sb_event ev = {.kind = SB_EV_send, .who = pid(from), .at_ns = at_ns};
    ev.lane = sb_lane_make(SB_LANE_NORMAL, 1);
    ev.send.to = to;
    sb_tally_add(t, 1, &ev);
}

static void
test_senders(void **state)
{
    (void)state;
    struct sb_tally t;
    struct sb_names *names = sb_names_open();
    uint32_t server = sb_names_atom(names, SB_STR("server"));
    sb_tally_init(&t, names, 0);
    sb_tally_process(&t, pid(9))->name = server;
    sb_tally_watch(&t, pid(9), 0);
    add(&t, 1, SB_EV_in, 1, 0);
    for (int i = 0; i < 3; i++)
        send(&t, 1, pid(9), 10);
    for (int i = 0; i < 5; i++)
        send(&t, 2, (sb_actor)SB_NAMED << 62 | server, 20);
    send(&t, 3, pid(8), 30);
    add(&t, 1, SB_EV_receive, 9, 40);
    sb_tally_end_window(&t, 100);
    assert_int_equal(t.last_senders.n, 2);
    assert_true(t.last_senders.at[0].who == pid(2) && t.last_senders.at[0].messages == 5);
    assert_true(t.last_senders.at[1].who == pid(1) && t.last_senders.at[1].messages == 3);
    assert_int_equal(last(&t, 1)->sends, 3);
    assert_int_equal(last(&t, 9)->receives, 1);
    sb_tally_end_window(&t, 200);
    assert_int_equal(t.last_senders.n, 0);
    sb_tally_close(&t);
    sb_names_close(names);
}

static void
test_the_gone_are_forgotten(void **state)
{
    (void)state;
    struct sb_tally t;
    sb_tally_init(&t, NULL, 0);
    for (unsigned i = 1; i <= 5; i++)
        sb_tally_process(&t, pid(i));
    add(&t, 1, SB_EV_in, 3, 10);
    add(&t, 1, SB_EV_exit, 3, 20);
    add(&t, 1, SB_EV_out_exited, 3, 30);
    sb_tally_end_window(&t, 100);
    assert_int_equal(last(&t, 3)->core_ns, 20); /* its last window shows it */
    assert_true(sb_tally_find(&t, pid(3))->ended);
    sb_tally_end_window(&t, 200);
    assert_null(sb_tally_find(&t, pid(3)));
    assert_int_equal(t.process.n, 4);
    for (int sweep = 0; sweep < 4; sweep++) { /* which no longer see 5 */
        for (unsigned i = 1; i <= 4; i++)
            if (i != 3)
                sb_tally_process(&t, pid(i));
        sb_tally_end_sweep(&t);
    }
    assert_null(sb_tally_find(&t, pid(5)));
    assert_int_equal(t.process.n, 3);
    for (unsigned i = 1; i <= 4; i++)
        assert_true((i == 3) == (sb_tally_find(&t, pid(i)) == NULL));
    sb_tally_close(&t);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_schedules), cmocka_unit_test(test_what_ran_before_the_first_event),
        cmocka_unit_test(test_late_event),       cmocka_unit_test(test_loss_adds_no_time),
        cmocka_unit_test(test_senders),          cmocka_unit_test(test_the_gone_are_forgotten),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
