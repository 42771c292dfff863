#include "answer/noise.h"
#include "base/order.h"
#include "base/vec.h"
#include <math.h>

enum { MOST_WAYS = 5000 };
#define FLOOR 0.005 /* of the figure, added to each standard error */

struct deal { /* the runs in two sets */
    size_t n_a, n;
    bool *is_b; /* by run */
    bool sampled;
};

static double
ways(size_t n_a, size_t n)
{
    double c = 1;
    for (size_t i = 1; i <= n_a; i++)
        c = c * (double)(n - n_a + i) / (double)i;
    return c;
}

double
sb_noise_least(size_t n_a, size_t n_b)
{
    double all = ways(n_a, n_a + n_b);
    /* of equal sizes, each way has a mirror image with the same difference */
    return (n_a == n_b ? 2 : 1) / (all <= MOST_WAYS ? all : MOST_WAYS + 1);
}

struct moments {
    double mean, var; /* of the mean */
};

static struct moments
moments_of(const double *v, const struct deal *d, bool of_b)
{
    double sum = 0, squares = 0;
    size_t n = of_b ? d->n - d->n_a : d->n_a;
    for (size_t i = 0; i < d->n; i++)
        sum += d->is_b[i] == of_b ? v[i] : 0;
    double mean = sum / (double)n, of_mean;
    for (size_t i = 0; i < d->n; i++)
        squares += d->is_b[i] == of_b ? (v[i] - mean) * (v[i] - mean) : 0;
    of_mean = n > 1 ? squares / (double)(n - 1) / (double)n : 0;
    return (struct moments){mean, d->sampled ? fmax(of_mean, mean / (double)n) : of_mean};
}

/* The difference of a question in standard errors. */
static double
size_of(const double *v, const struct deal *d)
{
    struct moments a = moments_of(v, d, false), b = moments_of(v, d, true);
    double most = fmax(fabs(a.mean), fabs(b.mean)), se = sqrt(a.var + b.var) + FLOOR * most;
    return se > 0 ? fabs(b.mean - a.mean) / se : 0;
}

/* The 97.5 % quantile of Student's t, by Hill's expansion around the normal one; exact enough from 2 degrees on. */
static double
t_quantile(double df)
{
    static const double exact[] = {12.706, 4.303, 3.182, 2.776, 2.571};
    if (df < 5)
        return exact[df < 1 ? 0 : (int)df - 1];
    const double z = 1.959964;
    return z + (z * z * z + z) / (4 * df) + (5 * pow(z, 5) + 16 * z * z * z + 3 * z) / (96 * df * df);
}

static struct sb_noise
describe(const double *v, const struct deal *d)
{
    struct moments a = moments_of(v, d, false), b = moments_of(v, d, true);
    double n_a = (double)d->n_a, n_b = (double)(d->n - d->n_a), var = a.var + b.var;
    struct sb_noise r = {a.mean, b.mean, NAN, NAN, NAN};
    if (n_a < 2 || n_b < 2)
        return r;
    double df = var > 0 ? var * var / (a.var * a.var / (n_a - 1) + b.var * b.var / (n_b - 1)) : n_a;
    double reach = t_quantile(df) * sqrt(var);
    r.low = b.mean - a.mean - reach;
    r.high = b.mean - a.mean + reach;
    return r;
}

/* ---- the ways to deal ---- */

/* The first way in lexical order is the one seen. */
static void
deal_first(struct deal *d)
{
    for (size_t i = 0; i < d->n; i++)
        d->is_b[i] = i >= d->n_a;
}

/* The next one; false: that was the last. */
static bool
deal_next(struct deal *d)
{
    size_t i = d->n - 1, ones = 0;
    for (; i > 0 && (d->is_b[i - 1] || !d->is_b[i]); i--)
        ones += d->is_b[i];
    if (i == 0)
        return false;
    d->is_b[i - 1] = true; /* one of the ones behind it moves here, the others go to the end */
    for (size_t k = i; k < d->n; k++)
        d->is_b[k] = k >= d->n - ones;
    return true;
}

static void
deal_at_random(struct deal *d, uint64_t *state)
{
    for (size_t i = d->n; i > 1; i--) {
        *state = *state * UINT64_C(6364136223846793005) + 1442695040888963407u;
        size_t k = (size_t)((*state >> 33) % i);
        bool swap = d->is_b[i - 1];
        d->is_b[i - 1] = d->is_b[k];
        d->is_b[k] = swap;
    }
}

/* ---- step-down maxT ---- */

struct question {
    size_t at;
    bool sampled;
    double size;
    size_t as_large; /* ways in which it or one that differs less was as large */
};

SB_ORDER(by_size, struct question, SB_DOWN(size) ?: SB_UP(at))

/* `q` is in descending order of size. */
static void
count_way(struct question *q, size_t n, const double *value, struct deal *d)
{
    double most = 0;
    for (size_t i = n; i-- > 0;) {
        d->sampled = q[i].sampled;
        double size = size_of(value + q[i].at * d->n, d);
        most = size > most ? size : most;
        q[i].as_large += most >= q[i].size * (1 - 1e-12);
    }
}

static size_t
count_ways(struct question *q, size_t n, const double *value, struct deal *d)
{
    size_t seen = 1;
    uint64_t random = 1;
    bool all = ways(d->n_a, d->n) <= MOST_WAYS;
    for (count_way(q, n, value, d); all ? deal_next(d) : seen <= MOST_WAYS; seen++) {
        if (!all)
            deal_at_random(d, &random);
        count_way(q, n, value, d);
    }
    return seen;
}

void
sb_noise_find(const double *value, const bool *sampled, size_t n_questions, size_t n_a, size_t n_b,
              struct sb_noise *out)
{
    struct deal d = {n_a, n_a + n_b, sb_realloc_or_die(NULL, n_a + n_b + 1), false};
    struct question *q = sb_realloc_or_die(NULL, (n_questions + 1) * sizeof *q);
    deal_first(&d);
    for (size_t i = 0; i < n_questions; i++) {
        d.sampled = sampled && sampled[i];
        out[i] = describe(value + i * d.n, &d);
        q[i] = (struct question){i, d.sampled, size_of(value + i * d.n, &d), 0};
    }
    if (n_a >= 2 && n_b >= 2) {
        qsort(q, n_questions, sizeof *q, by_size);
        size_t all = count_ways(q, n_questions, value, &d);
        double p = 0;
        for (size_t i = 0; i < n_questions; i++) {
            double mine = (double)q[i].as_large / (double)all;
            p = mine > p ? mine : p;
            out[q[i].at].p = p;
        }
    }
    free(q);
    free(d.is_b);
}
