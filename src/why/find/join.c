#include "why/find/join.h"
#include <math.h>

struct joined {
    const struct sb_finding *best; /* of the piece where it gains most */
    size_t at, first, last, n;     /* that piece; of its pieces: the first, the last, how many */
    struct sb_bounded gain;        /* of the run */
    int64_t sure_ns;               /* the lower bounds of the pieces */
    double share[SB_PIECES];       /* of the time of each piece that a cure saves */
};
typedef SB_VEC(struct joined) all_joined;

/* ---- which findings are one ---- */

static bool
is_same(const struct joined *j, const struct sb_finding *f)
{
    return j->best->process == f->process && j->best->with == f->with &&
           (f->process > 0 || strcmp(j->best->subject, f->subject) == 0);
}

static bool
is_alike(const struct sb_why *run, const struct joined *j, const struct sb_finding *f)
{
    int64_t group = f->process > 0 ? run->x.actor[f->process].group : 0;
    return f->process > 0 && j->best->process > 0 &&
           (j->best->process == f->process || (group > 0 && run->x.actor[j->best->process].group == group));
}

/* One that has none of that piece yet. */
static struct joined *
joined_of(const struct sb_why *run, all_joined *v, const struct sb_finding *f, size_t piece)
{
    struct joined *alike = NULL;
    for (size_t i = 0; i < v->n; i++) {
        struct joined *j = &v->at[i];
        if (j->last == piece)
            continue;
        if (is_same(j, f))
            return j;
        alike = !alike && is_alike(run, j, f) ? j : alike;
    }
    if (!alike) {
        alike = SB_PUSH(v);
        *alike = (struct joined){.best = f, .at = piece, .first = piece, .last = piece};
    }
    return alike;
}

/* ---- gains ---- */

static int64_t
scaled(int64_t ns, double scale)
{
    return ns == SB_NULL ? SB_NULL : (int64_t)((double)ns * scale);
}

static int64_t
sum(int64_t a, int64_t b, bool is_first)
{
    return is_first ? b : a == SB_NULL || b == SB_NULL ? SB_NULL : a + b;
}

static int64_t
most_of(const struct sb_bounded *g)
{
    return g->ns == SB_NULL ? g->high : g->ns;
}

static void
add(struct joined *j, const struct sb_pieces *pieces, const struct sb_finding *f, size_t piece)
{
    int64_t length = pieces->at[piece].to - pieces->at[piece].from, most = most_of(&f->gain);
    double part = (double)(pieces->run.to - pieces->run.from) / (double)pieces->n,
           scale = part / (double)length;
    bool first = j->n == 0;
    j->gain = (struct sb_bounded){sum(j->gain.low, scaled(f->gain.low, scale), first),
                                  sum(j->gain.ns, scaled(f->gain.ns, scale), first),
                                  sum(j->gain.high, scaled(f->gain.high, scale), first)};
    j->sure_ns += f->gain.low > 0 ? f->gain.low : 0;
    j->share[piece] = most > 0 ? (double)most / (double)length : 0;
    if (j->share[piece] > j->share[j->at]) {
        j->best = f;
        j->at = piece;
    }
    j->last = piece;
    j->n++;
}

/* Two standard errors of a sample at equal distances, from the differences between neighbours: what goes on for long is
 * no error, where it begins or ends in a part is one. */
static int64_t
error_of(const struct joined *j, const struct sb_pieces *pieces)
{
    double run = (double)(pieces->run.to - pieces->run.from), n = (double)pieces->n, squares = 0;
    for (size_t i = 1; i < pieces->n; i++)
        squares += (j->share[i] - j->share[i - 1]) * (j->share[i] - j->share[i - 1]);
    return (int64_t)(2 * sqrt(squares / (2 * (n - 1) * n)) * run);
}

static void
set_bounds(struct joined *j, const struct sb_pieces *pieces)
{
    int64_t error = error_of(j, pieces), run = pieces->run.to - pieces->run.from;
    struct sb_bounded *g = &j->gain;
    if (g->low != SB_NULL)
        g->low = g->low - error > j->sure_ns ? g->low - error : j->sure_ns;
    if (g->high != SB_NULL)
        g->high = sb_least(g->high + error, run);
    if (g->ns != SB_NULL)
        g->ns = sb_least(g->ns, g->high == SB_NULL ? run : g->high);
}

/* ---- the findings of the run ---- */

static const char *
where(const struct sb_why *run, const struct sb_pieces *pieces, const struct joined *j)
{
    struct sb_arena *a = run->arena;
    const struct sb_range *best = &pieces->at[j->at];
    const char *others = j->n == 1 || j->n == pieces->n ? ""
                                                        : sb_words(a, ", the first at %s, the last at %s",
                                                                   sb_words_ns(a, pieces->at[j->first].from),
                                                                   sb_words_ns(a, pieces->at[j->last].from));
    return sb_words(a, " (from %s to %s; the same in %zu of %zu pieces looked at, %s of the program's %s%s)",
                    sb_words_ns(a, best->from), sb_words_ns(a, best->to), j->n, pieces->n,
                    sb_words_ns(a, pieces->covered_ns), sb_words_ns(a, pieces->run.to - pieces->run.from),
                    others);
}

static void
put(struct sb_why *run, const struct sb_pieces *pieces, struct joined *j)
{
    struct sb_finding f = *j->best;
    if (f.rule->about_run && !f.rule->of_run && 2 * j->n <= pieces->n)
        return;
    set_bounds(j, pieces);
    f.title = sb_words(run->arena, "%s%s", f.title, f.rule->of_run ? "" : where(run, pieces, j));
    f.subject = sb_words(run->arena, "%s", f.subject);
    f.evidence = sb_words(run->arena, "%s", f.evidence);
    f.gain = j->gain;
    sb_why_keep(run, f);
}

void
sb_findings_join(struct sb_why *run, const struct sb_pieces *pieces, const struct sb_piece *of,
                 const struct sb_rule *rule)
{
    all_joined v = {0};
    for (size_t i = 0; i < pieces->n; i++)
        for (size_t k = 0; k < of[i].w.found.n; k++) {
            const struct sb_finding *f = &of[i].w.found.at[k];
            if (f->rule == rule)
                add(joined_of(run, &v, f, i), pieces, f, i);
        }
    for (size_t i = 0; i < v.n; i++)
        put(run, pieces, &v.at[i]);
    SB_VEC_FREE(&v);
}
