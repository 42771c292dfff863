#include "why/find/simulate.h"
#include "base/order.h"
#include "base/pool.h"
#include "why/predict/forecast.h"
#include "why/predict/ops_change.h"
#include "why/predict/replay.h"

/* A really edited program took within 5 % of what the replay with that change took. */
enum { ERROR_PERCENT = 5 };

struct simulation {
    const struct sb_forecast_base *base;
    uint32_t schedulers;
    uint64_t n_processes;
    const struct sb_finding *of[SB_SIMULATED];
    struct sb_replay replay[SB_SIMULATED + 1]; /* the last is that of the run as it is */
    size_t n;
    struct sb_finding *faster; /* a function is made faster; NULL: none is */
    struct sb_sampled sampled;
    struct sb_replay least, most; /* of that, with the least and the most that its share may be */
};

static struct sb_replay
replay(const struct simulation *s, const struct sb_ops *o, const uint32_t *copies)
{
    return sb_replay_run(&(struct sb_replay_plan){.ops = o, .copies = copies}, s->schedulers);
}

static struct sb_replay
replay_split(const struct simulation *s, const struct sb_finding *f)
{
    struct sb_ops_change c;
    uint32_t *copies = sb_zeroed_or_die(s->n_processes + 1, sizeof *copies);
    copies[f->process] = f->split;
    sb_ops_change_open(&c, &s->base->ops);
    sb_ops_split(&c, copies);
    struct sb_replay r = replay(s, &c.ops, copies);
    sb_ops_change_close(&c);
    free(copies);
    return r;
}

/* Work that is spread over the schedulers does not vanish: they need their part of it at least. */
static struct sb_replay
replay_spread(const struct simulation *s, const struct sb_finding *f)
{
    struct sb_ops_change c;
    bool *of = sb_zeroed_or_die(s->n_processes + 1, sizeof *of);
    of[f->process] = true;
    sb_ops_change_open(&c, &s->base->ops);
    sb_ops_faster(&c, of, s->schedulers);
    struct sb_replay r = replay(s, &c.ops, NULL);
    int64_t least = s->base->ops.work_ns / s->schedulers;
    r.ns = r.ns > least ? r.ns : least;
    sb_ops_change_close(&c);
    free(of);
    return r;
}

/* As `strobe predict --faster` does it. */
static struct sb_replay
replay_faster(const struct simulation *s, int sign)
{
    struct sb_ops_change c;
    struct sb_faster f = {.mfa = s->faster->faster, .sampled = &s->sampled, .by = 2};
    sb_ops_change_open(&c, &s->base->ops);
    sb_ops_faster_function(&c, NULL, &f, sign);
    struct sb_replay r = replay(s, &c.ops, NULL);
    sb_ops_change_close(&c);
    return r;
}

static void
run(void *ctx, size_t i, unsigned worker)
{
    (void)worker;
    struct simulation *s = ctx;
    if (i > s->n)
        *(i == s->n + 1 ? &s->least : &s->most) = replay_faster(s, i == s->n + 1 ? -1 : 1);
    else
        s->replay[i] = i == s->n         ? replay(s, &s->base->ops, NULL)
                       : s->of[i]->split ? replay_split(s, s->of[i])
                                         : replay_spread(s, s->of[i]);
}

/* ---- what can be simulated ---- */

/* A replay keeps the length of what ran on dirty schedulers, collections of large heaps among it. */
static bool
is_dirty(const struct sb_why *w, int64_t process)
{
    int64_t dirty_ns = 0;
    SB_EACH_STEP (&w->x, process, s)
        dirty_ns += s->dirty ? s->dur : 0;
    return dirty_ns > w->x.actor[process].work_ns / 10;
}

static bool
has_cure(const struct sb_why *w, const struct sb_finding *f)
{
    return f->process > 0 && f->gain.ns != SB_NULL && (f->split > 1 || f->spread) && !is_dirty(w, f->process);
}

static int
by_bound(const void *p, const void *q)
{
    const struct sb_finding *a = *(const struct sb_finding *const *)p,
                            *b = *(const struct sb_finding *const *)q;
    return a->gain.ns != b->gain.ns ? (a->gain.ns < b->gain.ns) - (a->gain.ns > b->gain.ns)
                                    : (a > b) - (a < b);
}

static void
choose(struct simulation *s, struct sb_why *w)
{
    const struct sb_finding **all = SB_NEW_N(w->arena, const struct sb_finding *, w->found.n + 1);
    size_t n = 0;
    for (size_t i = 0; i < w->found.n; i++) {
        s->faster = w->found.at[i].faster ? &w->found.at[i] : s->faster;
        if (has_cure(w, &w->found.at[i]))
            all[n++] = &w->found.at[i];
    }
    sb_sort(all, n, sizeof *all, by_bound);
    for (s->n = 0; s->n < n && s->n < SB_SIMULATED; s->n++)
        s->of[s->n] = all[s->n];
}

/* A replay of the run as it is must take about the recorded time, or it says nothing of a changed one. It may be
 * shorter by the part of the work that was tracing or that other programs delayed. */
static bool
is_like_the_run(const struct simulation *s, int64_t recorded_work_ns)
{
    const struct sb_replay *r = &s->replay[s->n];
    const struct sb_ops *o = &s->base->ops;
    double part = (double)r->ns / (double)o->end_ns,
           own = recorded_work_ns > 0 ? (double)o->work_ns / (double)recorded_work_ns : 1;
    return !r->stuck && part >= (own < 1 ? own : 1) / 2 && part <= 1.2;
}

/* A process that existed before and was seen late begins at that moment in every replay, whatever it waited for. */
static bool
is_root_seen_late(const struct sb_ops *o)
{
    uint32_t i = o->from[o->root];
    return i < o->from[o->root + 1] && o->op[i].kind == SB_OP_WAIT && o->at[i] == 0 &&
           o->waits[o->op[i].arg] > o->end_ns / 2;
}

static bool
can_simulate(struct simulation *s, struct sb_why *w)
{
    struct sb_err e = {0};
    const struct sb_profile *p = w->x.profile;
    choose(s, w);
    if ((s->n == 0 && !s->faster) || w->x.is_cut || w->left_out > 0 ||
        sb_profile_rows(p, SB_T_slice) + sb_profile_rows(p, SB_T_message) > SB_SIMULATED_ROWS)
        return false;
    s->base = sb_forecast_base_of(p, &e);
    s->schedulers = (uint32_t)w->x.schedulers;
    s->n_processes = sb_profile_rows(p, SB_T_process);
    return s->base && s->base->ops.root > 0 && s->base->ops.end_ns > 0 && !is_root_seen_late(&s->base->ops) &&
           !(s->base->doubts.bits & SB_FORECAST_VOID);
}

/* ---- results ---- */

/* In the time of the recording. What of that a replay leaves out, the cost of tracing and what other programs delayed,
 * may stay in spite of the cure. A replay of work that is spread may save more than the fault cost; then the bound
 * stays. */
static void
set_gain(const struct sb_why *w, const struct simulation *s, size_t i)
{
    struct sb_finding *f = &w->found.at[s->of[i] - w->found.at];
    double whole = (double)s->base->ops.end_ns, base = (double)s->replay[s->n].ns,
           part = (double)s->replay[i].ns / base, error = part * (double)ERROR_PERCENT / 100;
    int64_t most = f->gain.high != SB_NULL ? f->gain.high : w->x.span_ns,
            low = part + error < 1 ? (int64_t)((base < whole ? base : whole) * (1 - part - error)) : 0;
    if (s->replay[i].stuck || part > 1 || low > most)
        return;
    f->is_simulated = true;
    int64_t high = sb_least((int64_t)(whole * (1 - part + error)), most);
    f->gain = (struct sb_bounded){low, sb_least((int64_t)(whole * (1 - part)), high), high};
}

/* The title says what that saves, and what makes the range as wide as it is. */
static void
put_faster(const struct sb_why *w, const struct simulation *s)
{
    double whole = (double)s->base->ops.end_ns, base = (double)s->replay[s->n].ns,
           error = (double)ERROR_PERCENT / 100;
    const struct sb_sampled_share *of = &s->sampled.all;
    int64_t low = (int64_t)(whole * (1 - (double)s->least.ns / base * (1 + error))),
            high = (int64_t)(whole * (1 - (double)s->most.ns / base * (1 - error)));
    if (s->least.stuck || s->most.stuck || !sb_why_is_material(w, high))
        return;
    const char *least = low > 0 ? sb_words(w->arena, "%s to ", sb_words_ns(w->arena, low)) : "at most ",
               *function = sb_why_text(w, (int32_t)s->faster->faster);
    s->faster->title =
        sb_words(w->arena,
                 "%s; with what it calls, %s is in %.0f to %.0f %% of all samples: twice as fast, that "
                 "function saves %s%s of "
                 "%s in a replay, which may be %d %% off (strobe predict --faster)",
                 s->faster->title, function, 100 * of->low, 100 * of->high, least,
                 sb_words_ns(w->arena, high), sb_words_ns(w->arena, (int64_t)whole), ERROR_PERCENT);
}

/* A cure that the replay shows to be worth little is no finding. */
static void
complete(struct sb_why *w)
{
    size_t n = 0;
    for (size_t i = 0; i < w->found.n; i++) {
        struct sb_finding f = w->found.at[i];
        if (f.is_simulated && !sb_why_is_material(w, f.gain.ns))
            continue;
        if (!f.is_simulated && f.bound)
            f.title = sb_words(w->arena, "%s%s", f.title, f.bound);
        w->found.at[n++] = f;
    }
    w->found.n = n;
}

void
sb_why_simulate(struct sb_why *w)
{
    struct simulation s = {0};
    if (can_simulate(&s, w)) {
        if (s.faster)
            sb_sampled_find(&s.sampled, w->x.profile, s.faster->faster, w->arena);
        bool is_faster = s.faster && s.sampled.samples > 0;
        struct sb_pool *pool = sb_pool_open(0);
        sb_pool_each(pool, s.n + (is_faster ? 3 : 1), run, &s);
        sb_pool_close(pool);
        bool is_like = is_like_the_run(&s, w->x.work_ns);
        for (size_t i = 0; i < s.n && is_like; i++)
            set_gain(w, &s, i);
        if (is_faster && is_like)
            put_faster(w, &s);
    }
    complete(w);
}
