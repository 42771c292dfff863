#include "why/predict/scaling.h"
#include "base/order.h"
#include "base/table.h"
#include <math.h>
#include <stdlib.h>

enum { AMDAHL_POINTS = 3, UNIVERSAL_POINTS = 4 };
static const double TOLERANCE = 0.05, GROWN = 1.1, PERHAPS = 1.25, CROWDED = 0.1;

static void
find_times(struct sb_scaling_point *p)
{
    int64_t *sorted = sb_realloc_or_die(NULL, p->n * sizeof *sorted);
    memcpy(sorted, p->run_ns, p->n * sizeof *sorted);
    qsort(sorted, p->n, sizeof *sorted, sb_by_number);
    p->low_ns = sorted[0];
    p->high_ns = sorted[p->n - 1];
    p->ns = p->n % 2 ? sorted[p->n / 2] : (sorted[p->n / 2 - 1] + sorted[p->n / 2]) / 2;
    free(sorted);
}

/* Amdahl's serial share from one speed-up (Karp and Flatt); the first point may have several cores. */
static double
serial_of(const struct sb_scaling_point *base, const struct sb_scaling_point *p)
{
    double t = 1 / p->speedup, b = 1.0 / base->cores, c = 1.0 / p->cores;
    double s = (t * b - c) / (t * b - c + 1 - t);
    return s < 0 ? 0 : s > 1 ? 1 : s;
}

void
sb_scaling_find(struct sb_scaling_point *p, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const struct sb_scaling_point *base = &p[0];
        find_times(&p[i]);
        p[i].speedup = (double)base->ns / (double)p[i].ns;
        p[i].least = (double)base->low_ns / (double)p[i].high_ns;
        p[i].most = (double)base->high_ns / (double)p[i].low_ns;
        p[i].efficiency = p[i].speedup * base->cores / p[i].cores;
        p[i].differs = base->n > 1 && p[i].n > 1 && (p[i].least > 1 || p[i].most < 1);
        p[i].serial = p[i].differs && p[i].within && base->within ? serial_of(base, &p[i]) : (double)NAN;
    }
}

/* ---- fits ---- */

/* Returns why no law can be fitted; NULL: one can. `within` gets the number of points that count. */
static const char *
refusal(const struct sb_scaling_point *p, size_t n, size_t needed, double *noise)
{
    size_t within = 0;
    bool differs = false;
    *noise = TOLERANCE;
    for (size_t i = 0; i < n; i++) {
        if (!p[i].within)
            continue;
        within++;
        if (p[i].n < 2)
            return "one run at a number of cores does not show the spread of the times: raise --runs";
        differs |= p[i].differs;
        *noise = fmax(*noise, (double)(p[i].high_ns - p[i].low_ns) / (double)p[i].ns);
    }
    if (within < needed)
        return needed == AMDAHL_POINTS
                   ? "it needs times at three numbers of schedulers that the machine has cores for"
                   : "it needs times at four numbers of schedulers, 1 among them, that the machine has cores "
                     "for";
    return differs ? NULL : "the times differ by no more than the runs at one number of cores do";
}

static double
misfit(double law_ns, const struct sb_scaling_point *p)
{
    return fabs(law_ns - (double)p->ns) / (double)p->ns;
}

static const char too_far[] = "the times do not follow the law within the spread of the runs";

struct sb_scaling_fit
sb_scaling_amdahl(const struct sb_scaling_point *p, size_t n)
{
    struct sb_scaling_fit f = {0};
    double noise, w = 0, x = 0, y = 0, xx = 0, xy = 0;
    f.why_not = refusal(p, n, AMDAHL_POINTS, &noise);
    if (f.why_not)
        return f;
    /* T = a + b / cores, by least squares of relative errors */
    for (size_t i = 0; i < n; i++) {
        double t = (double)p[i].ns, u = 1.0 / p[i].cores, v = p[i].within ? 1 / (t * t) : 0;
        w += v, x += v * u, y += v * t, xx += v * u * u, xy += v * u * t;
    }
    double b = (w * xy - x * y) / (w * xx - x * x), a = (y - b * x) / w;
    a = fmax(a, 0);
    for (size_t i = 0; i < n; i++)
        if (p[i].within)
            f.misfit = fmax(f.misfit, misfit(a + b / p[i].cores, &p[i]));
    f.serial = a / (a + b);
    if (b < 0 || f.misfit > noise)
        f.why_not = too_far;
    return f;
}

/* Fits T(1) * (1 + sigma (N - 1) + kappa N (N - 1)) / N. Both terms are at least 0: if one comes out negative, the law
 * is fitted without it. */
static void
solve_universal(const struct sb_scaling_point *p, size_t n, double *sigma, double *kappa)
{
    double ss = 0, sk = 0, kk = 0, sy = 0, ky = 0;
    for (size_t i = 0; i < n; i++) {
        double c = p[i].cores, y = c / p[i].speedup - 1, s = c - 1, k = c * (c - 1);
        if (!p[i].within || p[i].cores == 1)
            continue;
        double v = p[i].speedup * p[i].speedup / (c * c); /* relative errors */
        ss += v * s * s, sk += v * s * k, kk += v * k * k, sy += v * s * y, ky += v * k * y;
    }
    double det = ss * kk - sk * sk;
    *sigma = (sy * kk - ky * sk) / det;
    *kappa = (ky * ss - sy * sk) / det;
    if (*kappa < 0)
        *kappa = 0, *sigma = fmax(sy / ss, 0);
    else if (*sigma < 0)
        *sigma = 0, *kappa = fmax(ky / kk, 0);
}

struct sb_scaling_fit
sb_scaling_universal(const struct sb_scaling_point *p, size_t n)
{
    struct sb_scaling_fit f = {0};
    double noise;
    f.why_not =
        p[0].cores == 1 ? refusal(p, n, UNIVERSAL_POINTS, &noise) : refusal(p, 0, UNIVERSAL_POINTS, &noise);
    if (f.why_not)
        return f;
    solve_universal(p, n, &f.contention, &f.coherency);
    f.best_cores = f.coherency > 0 ? sqrt(fmax(1 - f.contention, 0) / f.coherency) : (double)INFINITY;
    for (size_t i = 0; i < n; i++) {
        double c = p[i].cores;
        if (p[i].within)
            f.misfit = fmax(f.misfit, misfit((double)p[0].ns / c *
                                                 (1 + f.contention * (c - 1) + f.coherency * c * (c - 1)),
                                             &p[i]));
    }
    if (f.misfit > noise)
        f.why_not = too_far;
    return f;
}

/* ---- work ---- */

int64_t
sb_scaling_work_low_ns(const struct sb_scaling_work *w)
{
    if (w->lost_ns == SB_NULL || w->run_ns == SB_NULL)
        return SB_NULL;
    return w->covered_ns > w->lost_ns ? w->covered_ns - w->lost_ns : 0;
}

int64_t
sb_scaling_work_ns(const struct sb_scaling_work *w)
{
    int64_t low = sb_scaling_work_low_ns(w);
    if (low == SB_NULL)
        return SB_NULL;
    int64_t ns = (int64_t)((double)w->run_ns * w->at_work);
    return ns < low ? low : ns > w->run_ns ? w->run_ns : ns;
}

enum sb_scaling_growth
sb_scaling_grew(const struct sb_scaling_work *from, const struct sb_scaling_work *to, double slowdown)
{
    int64_t a = sb_scaling_work_ns(from), b = sb_scaling_work_ns(to), low = sb_scaling_work_low_ns(to);
    if (low == SB_NULL || from->run_ns == SB_NULL)
        return SB_GREW_UNKNOWN;
    /* programs that take cores also slow those that are left */
    if ((double)low > GROWN * slowdown * (double)from->run_ns)
        return to->preempted > CROWDED ? SB_GREW_MAYBE : SB_GREW;
    if (a == SB_NULL)
        return SB_GREW_UNKNOWN;
    return (double)b > PERHAPS * slowdown * (double)a ? SB_GREW_MAYBE : SB_GREW_NOT;
}
