#include "answer/diff.h"
#include "answer/noise.h"
#include "base/order.h"
#include "base/progress.h"
#include <math.h>

struct fact {
    const char *kind;
    enum sb_unit unit;
    bool costs, parts, sampled;
    uint32_t least_ppm;
    const char *doc, *sql;
};
#define FACT(kind, unit, costs, parts, sampled, least, doc, sql) \
    {#kind, SB_U_##unit, costs, parts, sampled, least, doc, sql},
static const struct fact facts[] = {
#include "answer/diff.def"
};
#undef FACT
enum { FACTS = sizeof facts / sizeof *facts };
_Static_assert((int)FACTS < (int)SB_DIFF_KINDS, "a kind has no room");

#define COLUMN(id, ...) {__VA_ARGS__},
static const struct sb_column columns[] = {
#include "answer/diff_columns.def"
};
#undef COLUMN
enum { COLUMNS = sizeof columns / sizeof *columns };

/* ---- the figures of the runs ---- */

void
sb_diff_init(struct sb_diff *d)
{
    *d = (struct sb_diff){0};
    sb_intern_init(&d->question);
}

void
sb_diff_close(struct sb_diff *d)
{
    sb_intern_close(&d->question);
    SB_VEC_FREE(&d->subject);
    SB_VEC_FREE(&d->value);
    SB_VEC_FREE(&d->of_b);
}

/* The first byte of a question is its kind, the rest its key. */
static size_t
kind_of(const struct sb_diff *d, uint32_t question)
{
    return (size_t)(unsigned char)sb_intern_text(&d->question, question).p[0];
}

static struct sb_str
key_of(const struct sb_diff *d, uint32_t question)
{
    struct sb_str text = sb_intern_text(&d->question, question);
    return sb_str_sub(text, 1, text.n);
}

/* All pairs of a run beyond the first are one figure: it counts for the whole, and is no question. */
static bool
is_rest(struct sb_str subject)
{
    return sb_str_eq(subject, SB_STR(SB_DIFF_REST));
}

static void
put(struct sb_diff *d, size_t kind, const struct sb_table *t, size_t r)
{
    const union sb_cell *row = t->cell + r * t->n_columns;
    struct sb_str subject = row[0].s, key = t->column[1].type == SB_TEXT ? row[1].s : subject;
    if (!subject.p || row[2].i == SB_NULL)
        return;
    d->cut[kind] |= is_rest(subject);
    uint32_t question =
        sb_intern_put(&d->question, sb_arena_printf(t->arena, "%c%.*s", (char)kind, SB_STR_ARG(key)));
    SB_REACH(&d->subject, question);
    if (!d->subject.at[question].p)
        d->subject.at[question] = sb_arena_str(&d->question.arena, subject);
    *SB_PUSH(&d->value) = (struct sb_diff_value){question, (uint32_t)d->of_b.n - 1, row[2].i};
}

static bool
ask(const struct sb_diff *d, struct sb_sql *sql, const struct fact *f, struct sb_arena *a, struct sb_table *t,
    struct sb_err *e)
{
    int64_t left_ns = d->deadline_ns ? d->deadline_ns - sb_clock_ns() : 0;
    struct sb_sql_limits limits = {d->deadline_ns && left_ns < 1 ? 1 : left_ns, d->most, d->cancelled};
    SB_TRY(sb_sql_ask(sql, sb_str_of(f->sql), NULL, 0, &limits, a, t, e));
    return t->rows_left_out == 0 ||
           sb_err_set(e, SB_ERR_LIMIT, "a run has more than %llu figures of the kind %s",
                      (unsigned long long)d->most, f->kind) ||
           sb_err_advise(e, "strobe diff compares any number of them");
}

bool
sb_diff_add(struct sb_diff *d, const struct sb_profile *p, struct sb_sql *sql, bool of_b, struct sb_err *e)
{
    size_t n_values = d->value.n;
    bool ok = sb_profile_rows(p, SB_T_process) > 0 || sb_err_set(e, SB_ERR_INPUT, "nothing was recorded") ||
              sb_err_advise(e, "record it again");
    *SB_PUSH(&d->of_b) = of_b;
    for (size_t i = 0; ok && i < FACTS; i++) {
        SB_ARENA(a);
        struct sb_table t;
        ok = ask(d, sql, &facts[i], &a, &t, e);
        bool has_values = ok && t.n_rows > 0 && t.column[0].type == SB_TEXT && t.column[2].type == SB_INT;
        for (size_t r = 0; has_values && r < t.n_rows; r++)
            put(d, i + 1, &t, r);
    }
    ok = ok && !sb_profile_damage(p, e);
    d->value.n = ok ? d->value.n : n_values;
    d->of_b.n -= !ok;
    return ok;
}

size_t
sb_diff_runs(const struct sb_diff *d, bool of_b)
{
    size_t n = 0;
    for (size_t i = 0; i < d->of_b.n; i++)
        n += d->of_b.at[i] == of_b;
    return n;
}

bool
sb_diff_can_tell(const struct sb_diff *d)
{
    size_t n_a = sb_diff_runs(d, false), n_b = sb_diff_runs(d, true);
    return n_a >= 2 && n_b >= 2 && sb_noise_least(n_a, n_b) <= 0.05;
}

/* ---- questions ---- */

struct grid { /* of figures: by question, then run, those of A first */
    size_t n_questions, n_a, n_runs;
    uint32_t *question;
    double *value;              /* NaN: the run does not have it */
    double whole[FACTS + 1][2]; /* all figures of a kind, of A and B */
};

/* A run in which a group, function or part does not occur spent nothing there. A percentile or a test is unknown, and
 * so is what may be among the others of a kind. */
static bool
is_sum(const struct fact *f)
{
    return f->least_ppm > 0;
}

static double
mean(const double *v, size_t n)
{
    double sum = 0, have = 0;
    for (size_t i = 0; i < n; i++)
        if (!isnan(v[i])) {
            sum += v[i];
            have++;
        }
    return have > 0 ? sum / have : NAN;
}

static double
spread(const double *v, size_t n)
{
    double m = mean(v, n), squares = 0, have = 0;
    for (size_t i = 0; i < n; i++)
        if (!isnan(v[i])) {
            squares += (v[i] - m) * (v[i] - m);
            have++;
        }
    return have > 1 ? sqrt(squares / (have - 1)) : NAN;
}

static void
fill(const struct sb_diff *d, struct grid *g, struct sb_arena *a)
{
    size_t next[2] = {0, g->n_a};
    size_t *place = SB_NEW_N(a, size_t, g->n_runs + 1);
    for (size_t r = 0; r < g->n_runs; r++)
        place[r] = next[d->of_b.at[r]]++;
    for (uint32_t q = 1; q < d->subject.n; q++)
        for (size_t r = 0; r < g->n_runs; r++)
            g->value[q * g->n_runs + r] =
                is_sum(&facts[kind_of(d, q) - 1]) && !d->cut[kind_of(d, q)] ? 0 : NAN;
    for (size_t i = 0; i < d->value.n; i++) {
        const struct sb_diff_value *v = &d->value.at[i];
        g->value[v->question * g->n_runs + place[v->run]] = (double)v->value;
    }
}

/* The means of both sides; 0 if a side does not have it. */
static void
means(const struct grid *g, const double *v, double side[2])
{
    double a = mean(v, g->n_a), b = mean(v + g->n_a, g->n_runs - g->n_a);
    side[0] = isnan(a) ? 0 : a;
    side[1] = isnan(b) ? 0 : b;
}

/* Leaves out figures that are a small part of all of their kind. */
static void
choose(const struct sb_diff *d, struct grid *g)
{
    double whole[FACTS + 1] = {0}, side[2];
    for (uint32_t q = 1; q < d->subject.n; q++) {
        size_t kind = kind_of(d, q);
        means(g, g->value + q * g->n_runs, side);
        whole[kind] += fmax(side[0], side[1]);
        g->whole[kind][0] += side[0];
        g->whole[kind][1] += side[1];
    }
    for (uint32_t q = 1; q < d->subject.n; q++) {
        size_t kind = kind_of(d, q);
        double *v = g->value + q * g->n_runs;
        means(g, v, side);
        double w = fmax(side[0], side[1]);
        if (w == 0 || w < whole[kind] * facts[kind - 1].least_ppm / 1e6 || is_rest(d->subject.at[q]))
            continue;
        memmove(g->value + g->n_questions * g->n_runs, v, g->n_runs * sizeof *v);
        g->question[g->n_questions++] = q;
    }
}

static struct grid
make_grid(const struct sb_diff *d, struct sb_arena *a)
{
    struct grid g = {.n_a = sb_diff_runs(d, false), .n_runs = d->of_b.n};
    g.question = SB_NEW_N(a, uint32_t, d->subject.n + 1);
    g.value = SB_NEW_N(a, double, (d->subject.n + 1) * (g.n_runs + 1));
    if (d->subject.n > 1) {
        fill(d, &g, a);
        choose(d, &g);
    }
    return g;
}

static bool
is_complete(const double *v, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (isnan(v[i]))
            return false;
    return true;
}

/* Only questions that every run answers are tested together. */
static struct sb_noise *
find_noise(const struct sb_diff *d, const struct grid *g, struct sb_arena *a)
{
    size_t n = 0, *which = SB_NEW_N(a, size_t, g->n_questions + 1);
    double *value = SB_NEW_N(a, double, g->n_questions * g->n_runs + 1);
    bool *sampled = SB_NEW_N(a, bool, g->n_questions + 1);
    struct sb_noise *some = SB_NEW_N(a, struct sb_noise, g->n_questions + 1),
                    *all = SB_NEW_N(a, struct sb_noise, g->n_questions + 1);
    for (size_t q = 0; q < g->n_questions; q++) {
        const double *v = g->value + q * g->n_runs;
        all[q] = (struct sb_noise){mean(v, g->n_a), mean(v + g->n_a, g->n_runs - g->n_a), NAN, NAN, NAN};
        if (!is_complete(v, g->n_runs))
            continue;
        memcpy(value + n * g->n_runs, v, g->n_runs * sizeof *v);
        sampled[n] = facts[kind_of(d, g->question[q]) - 1].sampled;
        which[n++] = q;
    }
    sb_noise_find(value, sampled, n, g->n_a, g->n_runs - g->n_a, some);
    for (size_t i = 0; i < n; i++)
        all[which[i]] = some[i];
    return all;
}

/* ---- rows ---- */

static double
share(const struct fact *f, double part, double whole)
{
    return f->parts && whole > 0 ? part / whole : NAN;
}

/* The subject; its place in the tree where another question of the kind has the same subject. */
static struct sb_str
name_of(const struct sb_diff *d, uint32_t question)
{
    if (sb_str_eq(key_of(d, question), d->subject.at[question]))
        return d->subject.at[question];
    for (uint32_t q = 1; q < d->subject.n; q++)
        if (q != question && kind_of(d, q) == kind_of(d, question) &&
            sb_str_eq(d->subject.at[q], d->subject.at[question]))
            return key_of(d, question);
    return d->subject.at[question];
}

static void
put_row(const struct sb_diff *d, const struct grid *g, size_t i, const struct sb_noise *n, struct sb_table *t)
{
    static const char *const units[] = {[SB_U_NS] = "ns",
                                        [SB_U_COUNT] = "count",
                                        [SB_U_WORDS] = "words",
                                        [SB_U_BYTES] = "bytes",
                                        [SB_U_PPM] = "ppm"};
    uint32_t question = g->question[i];
    const double *v = g->value + i * g->n_runs;
    size_t kind = kind_of(d, question);
    const struct fact *f = &facts[kind - 1];
    bool tells = sb_diff_can_tell(d) && !isnan(n->p), has_base = n->a != 0;
    union sb_cell *c = sb_table_row(t);
    c[SB_DIFF_KIND].s = sb_str_of(f->kind);
    c[SB_DIFF_SUBJECT].s = name_of(d, question);
    c[SB_DIFF_UNIT].s = sb_str_of(units[f->unit]);
    c[SB_DIFF_A].f = n->a;
    c[SB_DIFF_B].f = n->b;
    c[SB_DIFF_DIFFERENCE].f = n->b - n->a;
    c[SB_DIFF_A_SHARE].f = share(f, n->a, g->whole[kind][0]);
    c[SB_DIFF_B_SHARE].f = share(f, n->b, g->whole[kind][1]);
    c[SB_DIFF_A_SPREAD].f = spread(v, g->n_a);
    c[SB_DIFF_B_SPREAD].f = spread(v + g->n_a, g->n_runs - g->n_a);
    c[SB_DIFF_CHANGE].f = has_base ? n->b / n->a - 1 : NAN;
    c[SB_DIFF_LOW].f = has_base ? n->low / n->a : NAN;
    c[SB_DIFF_HIGH].f = has_base ? n->high / n->a : NAN;
    c[SB_DIFF_P].f = tells ? n->p : NAN;
    c[SB_DIFF_SIGNIFICANT].i = tells ? n->p <= 0.05 : SB_NULL;
}

struct place {
    size_t at;
    bool beyond;
    size_t kind;
    double size;
};

SB_ORDER(by_rank, struct place, SB_DOWN(beyond) ?: SB_UP(kind) ?: SB_DOWN(size) ?: SB_UP(at))

void
sb_diff_table(const struct sb_diff *d, struct sb_arena *a, struct sb_table *t)
{
    struct grid g = make_grid(d, a);
    struct sb_noise *noise = find_noise(d, &g, a);
    struct place *order = SB_NEW_N(a, struct place, g.n_questions + 1);
    for (size_t i = 0; i < g.n_questions; i++) {
        double size = fabs(noise[i].b - noise[i].a);
        order[i] = (struct place){i, sb_diff_can_tell(d) && noise[i].p <= 0.05, kind_of(d, g.question[i]),
                                  isnan(size) ? 0 : size};
    }
    qsort(order, g.n_questions, sizeof *order, by_rank);
    sb_table_init(t, a, columns, COLUMNS);
    t->title = g.n_a < g.n_runs ? SB_STR("Differences") : SB_STR("Mean and spread");
    for (size_t i = 0; i < g.n_questions; i++)
        put_row(d, &g, order[i].at, &noise[order[i].at], t);
}

size_t
sb_diff_over(const struct sb_table *t, double share)
{
    size_t n = 0;
    for (size_t r = 0; r < t->n_rows; r++) {
        const union sb_cell *c = t->cell + r * t->n_columns;
        for (size_t i = 0; i < FACTS; i++)
            if (facts[i].costs && sb_str_eq(c[SB_DIFF_KIND].s, sb_str_of(facts[i].kind)))
                n += c[SB_DIFF_SIGNIFICANT].i == 1 && (c[SB_DIFF_CHANGE].f > share || c[SB_DIFF_A].f == 0);
    }
    return n;
}
