/* Clocks of several nodes: bounds of pairs closed together, against a slow reference and a known truth. */
#include "engine/input/clock_bounds.h"
#include "base/table.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

enum { MOST = 7, NONE = INT32_MAX };

static uint64_t seed = 42;

static int64_t
random_below(int64_t n)
{
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (int64_t)((seed >> 33) % (uint64_t)n);
}

struct net {
    size_t n;
    int64_t truth[MOST];      /* how far each clock is ahead */
    int64_t most[MOST][MOST]; /* bounds, as added; NONE: no message went this way */
};

static void
bound(struct net *net, size_t from, size_t to, int64_t latency)
{
    int64_t most = net->truth[to] - net->truth[from] + latency;
    if (net->most[from][to] == NONE || most < net->most[from][to])
        net->most[from][to] = most;
}

static struct net
empty_net(size_t n)
{
    struct net net = {.n = n};
    for (size_t i = 0; i < n; i++) {
        net.truth[i] = i == 0 ? 0 : random_below(2000000) - 1000000;
        for (size_t k = 0; k < n; k++)
            net.most[i][k] = NONE;
    }
    return net;
}

static void
solve(const struct net *net, struct sb_clock *clock)
{
    struct sb_clock_bounds b;
    sb_clock_bounds_init(&b, net->n);
    for (size_t i = 0; i < net->n; i++)
        for (size_t k = 0; k < net->n; k++)
            if (net->most[i][k] != NONE)
                sb_clock_bounds_add(&b, i, k, net->most[i][k]);
    sb_clock_bounds_solve(&b, clock);
    sb_clock_bounds_close(&b);
}

/* Bellman and Ford, from one node to all. */
static void
shortest_from(const struct net *net, size_t from, int64_t *d)
{
    for (size_t i = 0; i < net->n; i++)
        d[i] = i == from ? 0 : INT64_MAX;
    for (size_t round = 0; round < net->n; round++)
        for (size_t i = 0; i < net->n; i++)
            for (size_t k = 0; k < net->n; k++)
                if (d[i] != INT64_MAX && net->most[i][k] != NONE && d[i] + net->most[i][k] < d[k])
                    d[k] = d[i] + net->most[i][k];
}

static void
satisfies_all(const struct net *net, const struct sb_clock *clock)
{
    assert_int_equal(clock[0].ahead_ns, 0);
    assert_int_equal(clock[0].error_ns, 0);
    for (size_t i = 0; i < net->n; i++)
        for (size_t k = 0; k < net->n; k++)
            if (net->most[i][k] != NONE)
                assert_true(clock[k].ahead_ns - clock[i].ahead_ns <= net->most[i][k]);
}

/* The error holds the truth and is no larger than what the closed bounds of that clock and the choice leave.
 */
static void
is_as_sure_as_it_can_be(const struct net *net, const struct sb_clock *clock)
{
    int64_t high[MOST], back[MOST];
    shortest_from(net, 0, high);
    for (size_t i = 1; i < net->n; i++) {
        shortest_from(net, i, back);
        assert_int_equal(clock[i].drift_ns, 0);
        if (high[i] == INT64_MAX || back[0] == INT64_MAX) {
            assert_true(clock[i].error_ns == SB_NULL);
            continue;
        }
        int64_t above = high[i] - clock[i].ahead_ns, below = clock[i].ahead_ns + back[0];
        assert_true(above >= 0 && below >= 0);
        assert_int_equal(clock[i].error_ns, above > below ? above : below);
        assert_true(clock[i].ahead_ns - net->truth[i] <= clock[i].error_ns);
        assert_true(net->truth[i] - clock[i].ahead_ns <= clock[i].error_ns);
    }
}

static void
random_nets_are_closed(void **state)
{
    (void)state;
    for (unsigned run = 0; run < 20000; run++) {
        struct net net = empty_net(2 + (size_t)random_below(MOST - 1));
        for (int64_t m = random_below(30); m > 0; m--) {
            size_t from = (size_t)random_below((int64_t)net.n), to = (size_t)random_below((int64_t)net.n);
            if (from != to)
                bound(&net, from, to, random_below(1000));
        }
        struct sb_clock clock[MOST] = {{0}};
        for (size_t i = 1; i < net.n; i++)
            clock[i].guess_ns = net.truth[i] + random_below(4000) - 2000;
        solve(&net, clock);
        satisfies_all(&net, clock);
        is_as_sure_as_it_can_be(&net, clock);
    }
}

/* Messages that go round one way bound every clock on both sides. */
static void
a_ring_bounds_all_its_clocks(void **state)
{
    (void)state;
    struct net net = empty_net(4);
    for (size_t i = 0; i < 4; i++)
        bound(&net, i, (i + 1) % 4, 100);
    struct sb_clock clock[MOST] = {{0}};
    solve(&net, clock);
    satisfies_all(&net, clock);
    is_as_sure_as_it_can_be(&net, clock);
    for (size_t i = 1; i < 4; i++)
        assert_int_equal(clock[i].error_ns, 200);
}

/* Clocks that are bounded on one side only, or not at all, have no known error: the guess is used where the
 * bound allows it. */
static void
one_way_takes_the_guess(void **state)
{
    (void)state;
    struct net net = empty_net(4);
    net.truth[1] = net.truth[2] = net.truth[3] = 0;
    bound(&net, 0, 1, 100);
    bound(&net, 1, 2, 50);
    struct sb_clock clock[MOST] = {{0}, {.guess_ns = 30}, {.guess_ns = 500}, {.guess_ns = -7000}};
    solve(&net, clock);
    assert_int_equal(clock[1].ahead_ns, 30);
    assert_int_equal(clock[2].ahead_ns, 80);
    assert_int_equal(clock[3].ahead_ns, -7000);
    for (size_t i = 1; i < 4; i++)
        assert_true(clock[i].error_ns == SB_NULL && clock[i].drift_ns == 0);
}

/* n2's clock gains 600 ns between two exchanges of 100 ns each way; n3 is not among those that contradict
 * each other. */
static void
a_contradiction_is_reported(void **state)
{
    (void)state;
    struct net net = empty_net(3);
    net.truth[1] = 0;
    bound(&net, 0, 1, 100);
    net.truth[1] = 600;
    bound(&net, 1, 0, 100);
    bound(&net, 0, 2, 100);
    struct sb_clock clock[MOST] = {{0}};
    solve(&net, clock);
    assert_int_equal(clock[0].drift_ns, 200);
    assert_int_equal(clock[1].drift_ns, 200);
    assert_int_equal(clock[2].drift_ns, 0);
    assert_int_equal(clock[1].ahead_ns, 300);
    assert_true(clock[1].error_ns == SB_NULL);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_nets_are_closed), cmocka_unit_test(a_ring_bounds_all_its_clocks),
        cmocka_unit_test(one_way_takes_the_guess), cmocka_unit_test(a_contradiction_is_reported)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
