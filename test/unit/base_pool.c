/* Jobs on many threads. */
#include "base/pool.h"
#include "base/pool_log.h"
#include "base/progress.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <cmocka.h>
#include <sched.h>
#include <stdlib.h>

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

static void
burn(int64_t ns)
{
    for (int64_t since = sb_thread_cpu_ns(); sb_thread_cpu_ns() - since < ns;)
        continue;
}

enum { JOB_NS = 1000000, JOBS = 6, NESTED = 3 };

static void
burn_once(void *ctx, size_t i, unsigned worker)
{
    (void)ctx;
    (void)i;
    (void)worker;
    burn(JOB_NS);
}

static void
burn_and_give(void *pool, size_t i, unsigned worker)
{
    (void)i;
    (void)worker;
    burn(JOB_NS);
    sb_pool_stage(pool, "nested");
    sb_pool_each(pool, NESTED, burn_once, NULL);
    burn(JOB_NS);
}

/* The caller works beside jobs that have jobs. The same work on other numbers of cores is a greedy schedule, whose
 * length has bounds that hold for each: work / cores and the longest chain below, their sum above. */
static void
a_log_tells_how_long_work_takes_on_more_cores(void **state)
{
    (void)state;
    for (unsigned threads = 1; threads <= 3; threads++) {
        struct sb_pool_log *l = sb_pool_log_open();
        struct sb_pool *p = sb_pool_open(threads);
        sb_pool_log_to(p, l);
        sb_pool_stage(p, "outer");
        struct sb_jobs j = {.n = JOBS, .fn = burn_and_give, .ctx = p};
        sb_pool_start(p, &j);
        burn(2 * JOB_NS);
        sb_pool_wait(p, &j);
        sb_pool_each(p, 0, burn_once, NULL);
        sb_pool_close(p);
        sb_pool_log_end(l);
        struct sb_pool_stages s = sb_pool_log_stages(l);
        int64_t work = 0, path = 0, nested = 0, least = (int64_t)(2 + JOBS * (2 + NESTED)) * JOB_NS;
        for (size_t i = 0; i < s.n; i++) {
            work += s.at[i].work_ns;
            path += s.at[i].path_ns;
            nested += s.at[i].name && s.at[i].name[0] == 'n' ? s.at[i].work_ns : 0;
        }
        assert_true(work == s.work_ns && work >= least);
        assert_true(path == s.path_ns && path >= 3 * JOB_NS);
        assert_true(nested >= JOBS * (NESTED + 1) * JOB_NS);
        assert_true(sb_pool_log_on(l, 1) == work);
        assert_true(sb_pool_log_on(l, 1000) == path);
        for (unsigned cores = 2; cores <= 16; cores++) {
            int64_t ns = sb_pool_log_on(l, cores);
            assert_true(ns >= path && ns >= work / cores && ns <= work / cores + path);
        }
        free(s.at);
        sb_pool_log_close(l);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(pools_do_each_job_once),
                                       cmocka_unit_test(jobs_of_pools_may_have_jobs_themselves),
                                       cmocka_unit_test(a_busy_job_is_not_waited_for_forever),
                                       cmocka_unit_test(a_log_tells_how_long_work_takes_on_more_cores)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
