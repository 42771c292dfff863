/* What times at several numbers of schedulers support: speed-ups with their spread, laws, and work that grew. */
#include "why/predict/scaling.h"
#include "base/table.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <math.h>

enum { POINTS = 5, RUNS = 3 };
static const uint32_t cores[POINTS] = {1, 2, 4, 8, 16};

struct measured {
    struct sb_scaling_point p[POINTS];
    int64_t ns[POINTS][RUNS];
};

/* Runs at each number of cores that take T(1) times `law`, and a share of `spread` less and more. */
static void
measure(struct measured *m, double (*law)(double cores), double spread)
{
    for (int i = 0; i < POINTS; i++) {
        double ns = 1e9 * law(cores[i]);
        for (int k = 0; k < RUNS; k++)
            m->ns[i][k] = (int64_t)(ns * (1 + spread * (1 - k)));
        m->p[i] = (struct sb_scaling_point){.cores = cores[i], .run_ns = m->ns[i], .n = RUNS, .within = true};
    }
    sb_scaling_find(m->p, POINTS);
}

static double
amdahl(double n)
{
    return 0.2 + 0.8 / n;
}
static double
universal(double n)
{
    return (1 + 0.1 * (n - 1) + 0.01 * n * (n - 1)) / n;
}
static double
flat(double n)
{
    return 1 + 0 * n;
}
static double
zigzag(double n)
{
    return n == 2 || n == 8 ? 0.4 : 1;
}

static void
has_speedups(void **state)
{
    struct measured m;
    (void)state;
    measure(&m, amdahl, 0.01);
    assert_true(fabs(m.p[2].speedup - 2.5) < 1e-6);
    assert_true(m.p[2].least < 2.5 && m.p[2].least > 2.4 && m.p[2].most > 2.5 && m.p[2].most < 2.6);
    assert_true(fabs(m.p[2].efficiency - 0.625) < 1e-6);
    assert_true(m.p[2].differs);
    for (int i = 1; i < POINTS; i++)
        assert_true(fabs(m.p[i].serial - 0.2) < 1e-6);
    assert_true(m.p[0].ns == 1000000000 && m.p[0].low_ns == 990000000 && m.p[0].high_ns == 1010000000);
}

static void
has_no_result_within_the_spread(void **state)
{
    struct measured m;
    (void)state;
    measure(&m, amdahl, 0.4);
    assert_false(m.p[1].differs);
    assert_true(isnan(m.p[1].serial));
    measure(&m, flat, 0.01);
    assert_non_null(sb_scaling_amdahl(m.p, POINTS).why_not);
    assert_non_null(sb_scaling_universal(m.p, POINTS).why_not);
}

static void
fits_the_laws(void **state)
{
    struct measured m;
    (void)state;
    measure(&m, amdahl, 0.01);
    struct sb_scaling_fit a = sb_scaling_amdahl(m.p, POINTS);
    assert_null(a.why_not);
    assert_true(fabs(a.serial - 0.2) < 1e-4);
    measure(&m, universal, 0.01);
    struct sb_scaling_fit u = sb_scaling_universal(m.p, POINTS);
    assert_null(u.why_not);
    assert_true(fabs(u.contention - 0.1) < 1e-4 && fabs(u.coherency - 0.01) < 1e-5);
    assert_true(fabs(u.best_cores - sqrt(0.9 / 0.01)) < 0.01);
    assert_non_null(sb_scaling_amdahl(m.p, POINTS).why_not); /* it does not get slower again */
}

static void
refuses_to_fit(void **state)
{
    struct measured m;
    (void)state;
    measure(&m, amdahl, 0.01);
    assert_non_null(sb_scaling_amdahl(m.p, 2).why_not);
    assert_null(sb_scaling_amdahl(m.p, 3).why_not);
    assert_non_null(sb_scaling_universal(m.p, 3).why_not);
    assert_non_null(sb_scaling_universal(m.p + 1, 4).why_not); /* without 1 core */
    m.p[2].within = m.p[3].within = m.p[4].within = false;     /* the machine has 2 */
    assert_non_null(sb_scaling_amdahl(m.p, POINTS).why_not);
    measure(&m, amdahl, 0.01);
    m.p[1].n = 1;
    assert_non_null(sb_scaling_amdahl(m.p, POINTS).why_not);
    measure(&m, zigzag, 0.01);
    assert_non_null(sb_scaling_amdahl(m.p, POINTS).why_not);
    assert_non_null(sb_scaling_universal(m.p, POINTS).why_not);
}

static void
compares_from_any_number(void **state)
{
    struct measured m;
    (void)state;
    measure(&m, amdahl, 0.01);
    sb_scaling_find(m.p + 1, POINTS - 1); /* 2 cores are the first */
    assert_true(fabs(m.p[3].serial - 0.2) < 1e-6);
    assert_true(fabs(m.p[3].efficiency - amdahl(2) / amdahl(8) * 2 / 8) < 1e-6);
}

static void
tells_growth_from_preemption(void **state)
{
    (void)state;
    struct sb_scaling_work one = {1000, 1000, 0, 1, 0};
    struct sb_scaling_work grown = {3000, 2800, 500, 0.9, 0.1};
    struct sb_scaling_work crowded = {3000, 2800, 500, 0.9, 0.11}; /* what runs beside slows cores, too */
    struct sb_scaling_work stolen = {3000, 3000, 2000, 0.5, 0};
    struct sb_scaling_work unseen = {3000, 400, 0, 1, 0}; /* the trace ends long after the last reading */
    struct sb_scaling_work slight = {1040, 1040, 0, 1, 0};
    struct sb_scaling_work unknown = {3000, 0, SB_NULL, 1, 0};
    assert_int_equal(sb_scaling_grew(&one, &grown, 1), SB_GREW);
    assert_int_equal(sb_scaling_grew(&one, &crowded, 1), SB_GREW_MAYBE);
    assert_int_equal(sb_scaling_grew(&one, &grown, 3), SB_GREW_NOT); /* the machine alone explains it */
    assert_int_equal(sb_scaling_grew(&one, &stolen, 1), SB_GREW_MAYBE);
    assert_int_equal(sb_scaling_grew(&one, &unseen, 1), SB_GREW_MAYBE);
    assert_int_equal(sb_scaling_grew(&one, &slight, 1), SB_GREW_NOT);
    assert_int_equal(sb_scaling_grew(&one, &unknown, 1), SB_GREW_UNKNOWN);
    assert_int_equal(sb_scaling_grew(&unknown, &one, 1), SB_GREW_UNKNOWN);
    struct sb_scaling_work more = {9000, 8000, 1000, 0.9, 0}; /* even if the first did nothing but work */
    assert_int_equal(sb_scaling_grew(&unknown, &more, 1), SB_GREW);
    assert_int_equal(sb_scaling_grew(&one, &one, 1), SB_GREW_NOT);
    assert_true(sb_scaling_work_ns(&stolen) == 1500 && sb_scaling_work_low_ns(&stolen) == 1000);
    assert_true(sb_scaling_work_ns(&unknown) == SB_NULL);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(has_speedups),
        cmocka_unit_test(has_no_result_within_the_spread),
        cmocka_unit_test(fits_the_laws),
        cmocka_unit_test(refuses_to_fit),
        cmocka_unit_test(compares_from_any_number),
        cmocka_unit_test(tells_growth_from_preemption),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
