/* Jobs on many threads. */
#include "base/pool.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <cmocka.h>
#include <sched.h>

struct sums {
    uint64_t of[8];
};

static void
add(void *ctx, size_t i, unsigned worker)
{
    ((struct sums *)ctx)->of[worker] += i;
}

static void
pools_do_each_job_once(void **state)
{
    (void)state;
    for (unsigned threads = 1; threads <= 4; threads++) {
        struct sb_pool *p = sb_pool_open(threads);
        struct sums s = {{0}};
        assert_int_equal(sb_pool_threads(p), threads);
        sb_pool_each(p, 10001, add, &s);
        sb_pool_each(p, 0, add, &s);
        uint64_t total = 0;
        for (unsigned i = 0; i < 8; i++)
            total += s.of[i];
        assert_int_equal(total, 10000 * 10001 / 2);
        sb_pool_close(p);
    }
}

struct nest {
    struct sb_pool *pool;
    struct sums sums;
    atomic_uint submitted;
};

static void
add_ten(void *ctx, size_t i, unsigned worker)
{
    (void)i;
    (void)worker;
    struct nest *n = ctx;
    sb_pool_each(n->pool, 10, add, &n->sums);
}

static void
count(void *arg, unsigned worker)
{
    (void)worker;
    atomic_uint *n = arg;
    (*n)++;
}

static void
jobs_of_pools_may_have_jobs_themselves(void **state)
{
    (void)state;
    for (unsigned threads = 1; threads <= 4; threads++) {
        struct nest n = {.pool = sb_pool_open(threads)};
        struct sb_jobs some = {.n = 500, .fn = add_ten, .ctx = &n}, more = {.n = 0, .fn = add_ten, .ctx = &n};
        sb_pool_start(n.pool, &some);
        sb_pool_start(n.pool, &more);
        for (unsigned i = 0; i < 20; i++)
            sb_pool_submit(n.pool, count, &n.submitted);
        sb_pool_each(n.pool, 500, add_ten, &n);
        sb_pool_wait(n.pool, &more);
        sb_pool_wait(n.pool, &some);
        assert_true(sb_pool_drain(n.pool, INT64_C(100000000000)));
        uint64_t total = 0;
        for (unsigned i = 0; i < 8; i++)
            total += n.sums.of[i];
        assert_int_equal(total, 1000 * 45);
        assert_int_equal(n.submitted, 20);
        sb_pool_close(n.pool);
    }
}

static void
until_told(void *told, unsigned worker)
{
    (void)worker;
    while (!atomic_load((_Atomic bool *)told))
        sched_yield();
}

static void
a_busy_job_is_not_waited_for_forever(void **state)
{
    (void)state;
    struct sb_pool *p = sb_pool_open(2);
    _Atomic bool told = false;
    sb_pool_submit(p, until_told, &told);
    assert_false(sb_pool_drain(p, 1000000));
    atomic_store(&told, true);
    assert_true(sb_pool_drain(p, INT64_C(100000000000)));
    sb_pool_close(p);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(pools_do_each_job_once),
                                       cmocka_unit_test(jobs_of_pools_may_have_jobs_themselves),
                                       cmocka_unit_test(a_busy_job_is_not_waited_for_forever)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
