/* Runs without a difference are rarely called different, and a tenth is seen beside sixty other figures. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <cmocka.h>
#include "answer/noise.h"
#include <math.h>
#include <stdint.h>

enum { QUESTIONS = 60, RUNS = 5, TRIALS = 100, MINE = 7 };

static uint64_t state = 1;

static double
uniform(void)
{
    state = state * UINT64_C(6364136223846793005) + 1442695040888963407u;
    return (double)(state >> 11) / 9007199254740992.0;
}

static double
normal(void)
{
    double sum = -6;
    for (int i = 0; i < 12; i++)
        sum += uniform();
    return sum;
}

static void
draw(double *value)
{
    static const double spread[] = {0.001, 0.02, 0.1};
    for (size_t q = 0; q < QUESTIONS; q++)
        for (size_t r = 0; r < 2 * RUNS; r++)
            value[q * 2 * RUNS + r] = 1000 * (double)(q + 1) * (1 + spread[q % 3] * normal());
}

static size_t
alarms(const struct sb_noise *n)
{
    size_t seen = 0;
    for (size_t q = 0; q < QUESTIONS; q++)
        seen += n[q].p <= 0.05;
    return seen;
}

static void
trials(void **ctx)
{
    (void)ctx;
    static double value[QUESTIONS * 2 * RUNS];
    static struct sb_noise out[QUESTIONS];
    size_t false_alarms = 0, found = 0, others = 0, inside = 0;
    for (size_t t = 0; t < TRIALS; t++) {
        draw(value);
        sb_noise_find(value, NULL, QUESTIONS, RUNS, RUNS, out);
        false_alarms += alarms(out) > 0;
        for (size_t r = RUNS; r < 2 * RUNS; r++)
            value[MINE * 2 * RUNS + r] *= 1.1;
        sb_noise_find(value, NULL, QUESTIONS, RUNS, RUNS, out);
        found += out[MINE].p <= 0.05;
        others += alarms(out) - (out[MINE].p <= 0.05);
        double truth = 0.1 * 1000 * (MINE + 1);
        inside += out[MINE].low <= truth && truth <= out[MINE].high;
    }
    assert_in_range(false_alarms, 0, 10); /* 5 are expected, and more than 11 once in a hundred seeds */
    assert_in_range(found, 90, TRIALS);
    assert_in_range(others, 0, 10);
    assert_in_range(inside, 88, TRIALS);
}

static void
few_runs(void **ctx)
{
    (void)ctx;
    double value[] = {1, 1, 1, 100, 100, 100}, many[] = {1, 1, 1, 1, 2, 2, 2, 2};
    struct sb_noise out;
    sb_noise_find(value, NULL, 1, 3, 3, &out);
    assert_true(out.p > 0.05 && sb_noise_least(3, 3) > 0.05); /* one of the ten ways to make two halves */
    sb_noise_find(value, NULL, 1, 1, 1, &out);
    assert_true(isnan(out.p) && isnan(out.low));
    sb_noise_find(many, NULL, 1, 4, 4, &out);
    assert_true(fabs(out.p - sb_noise_least(4, 4)) < 1e-9 && out.p <= 0.05);
}

/* A figure that hardly varies is not different by a hair. */
static void
hair(void **ctx)
{
    (void)ctx;
    double value[] = {
        1000, 1000, 1000, 1000, 1001, 1001, 1001, 1001, /* and one that varies as much as the hair */
        100,  101,  99,   102,  100,  99,   102,  101};
    struct sb_noise out[2];
    sb_noise_find(value, NULL, 2, 4, 4, out);
    assert_true(out[0].p > 0.05);
}

/* Counts of samples vary by their square root, also where the runs that were made happen to agree. */
static void
samples(void **ctx)
{
    (void)ctx;
    double value[] = {5, 5, 5, 5, 8, 8, 8, 8, 500, 500, 500, 500, 800, 800, 800, 800};
    const bool sampled[] = {true, true};
    struct sb_noise out[2];
    sb_noise_find(value, sampled, 2, 4, 4, out);
    assert_true(out[0].low < 0 && out[1].low > 0);
    sb_noise_find(value, NULL, 2, 4, 4, out);
    assert_true(out[0].low > 0);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(trials), cmocka_unit_test(few_runs),
                                       cmocka_unit_test(hair), cmocka_unit_test(samples)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
