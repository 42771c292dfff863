#include "why/predict/forecast.h"
#include "profile/derive.h"
#include "why/program/words.h"
#include "why/predict/ops_change.h"
#include "why/predict/replays.h"
#include "why/account/whole.h"
#include <math.h>
#include <stdlib.h>

/* Five of six programs that compute took within 10 % of their replay's time; of ten that exchange messages, nine at
 * most 50 % more. */
enum { USUAL_ERROR_PERCENT = 10, MESSAGES_ERROR_PERCENT = 50 };

/* ---- what all forecasts of a profile share ---- */

static bool
has_unexplained(const struct sb_ops *o)
{
    bool has = false;
    for (uint32_t i = 0; i < o->from[o->n_lines + 1]; i++)
        has |= o->op[i].unexplained;
    return has;
}

static bool
make_base(void *value, const struct sb_profile *p, struct sb_arena *a, struct sb_err *e)
{
    (void)a;
    struct sb_forecast_base *b = value;
    SB_TRY(sb_ops_build(&b->ops, p, e));
    b->doubts = sb_doubts_of(p, &b->ops, &sb_whole_of(p)->accounts);
    b->has_unexplained = has_unexplained(&b->ops);
    return true;
}

static void
close_base(void *value)
{
    struct sb_forecast_base *b = value;
    sb_ops_close(&b->ops);
}

const struct sb_forecast_base *
sb_forecast_base_of(const struct sb_profile *p, struct sb_err *e)
{
    static const struct sb_derived derived = {sizeof(struct sb_forecast_base), make_base, close_base};
    return sb_profile_derive(p, &derived, e);
}

/* ---- a forecast ---- */

struct forecasting {
    struct sb_forecast *f;
    const struct sb_forecast_base *base;
    struct sb_calibration calibration;
    struct sb_replays replays;
    int64_t turns_ns; /* the copies of no split server do their work faster */
};

static int64_t
percent(int64_t ns, int64_t n)
{
    return (int64_t)((double)ns * (double)n / 100);
}

static int64_t
most(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static int64_t
least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t
replay(struct forecasting *x, uint32_t cores, double times)
{
    struct sb_replay r = sb_replays_of(&x->replays, cores, times);
    if (r.stuck) {
        x->f->stuck = r.stuck;
        x->f->stuck_for = r.stuck_for;
    }
    return r.ns;
}

/* Otherwise the recording has the costs of its schedulers in it. */
static bool
is_of_one(const struct forecasting *x)
{
    return x->f->schedulers == SB_NULL || x->f->schedulers == 1;
}

static bool
adds_costs(const struct forecasting *x, uint32_t cores)
{
    return cores > 1 && is_of_one(x);
}

static int64_t
law(const struct forecasting *x, uint32_t cores)
{
    if (x->f->doubts & 1u << SB_DOUBT_LOCKS)
        return SB_NULL;
    int64_t work =
                most(x->f->work_ns - (x->f->doubts & SB_FORECAST_VOID ? x->base->doubts.polling_ns : 0), 0),
            nodes = x->f->doubts & 1u << SB_DOUBT_NODES ? 2 : 1;
    if (x->base->ops.cores > 0 && nodes == 1) { /* dirty schedulers need cores too */
        uint32_t all = cores > x->base->ops.cores ? cores : x->base->ops.cores;
        work = most(work, (work + x->base->ops.dirty_ns) / all * cores);
    }
    return most(work / cores / nodes, most(x->f->least_ns == SB_NULL ? 0 : x->f->least_ns, x->turns_ns));
}

/* Messages of many senders to one mailbox are not measured, nor how contention grows with the cores: the band takes
 * three times the costs (typical ones five times), and once more for each doubling of the cores beyond those that were
 * measured. */
static double
growth(const struct forecasting *x, uint32_t cores)
{
    double measured = x->calibration.cores > 2 ? x->calibration.cores : 2;
    return (x->calibration.is_measured ? 3 : 5) * (cores > measured ? 1 + log2(cores / measured) : 1);
}

static bool
is_void(const struct forecasting *x)
{
    return x->f->doubts & SB_FORECAST_VOID || x->f->stuck;
}

static bool
is_exposed(const struct forecasting *x)
{
    return x->f->exposure != SB_EXPOSURE_LOW;
}

/* The band, with the replay without costs as its middle. */
static void
put_band(struct forecasting *x, uint32_t cores)
{
    struct sb_forecast_row *r = &x->f->row[x->f->n++];
    *r = (struct sb_forecast_row){cores, law(x, cores), SB_NULL, SB_NULL};
    if (is_void(x))
        return;
    r->ns = replay(x, cores, 0);
    r->high_ns = r->ns;
    r->low_ns = least(r->low_ns, percent(r->ns, 100 - USUAL_ERROR_PERCENT));
    if (adds_costs(x, cores))
        r->high_ns = (int64_t)((double)replay(x, cores, growth(x, cores)) * x->calibration.memory);
    if (x->f->doubts & 1u << SB_DOUBT_FLOODED)
        r->ns = SB_NULL;
}

static bool
needs_costs(const struct forecasting *x, const struct sb_forecast_row *r)
{
    return r->ns != SB_NULL && is_of_one(x) && is_exposed(x);
}

#define CHANGES_ONLY \
    1e-9 /* times the costs: what messages between cores cost vanishes, a change of process does not */

/* What the work takes with its changes from one process to the next, if messages between cores cost nothing. */
static int64_t
with_changes(struct forecasting *x, uint32_t cores)
{
    return most(replay(x, 1, 1) / cores, replay(x, 0, CHANGES_ONLY));
}

/* The part of the work that is certain if the cost of tracing, which was a part of it, was a fifth more than measured:
 * that much it differs between two half hours on one machine. */
static double
sure_part(double tracing)
{
    double part = 1 - 0.2 * tracing / (1 - tracing);
    return part > 1 - tracing ? part : 1 - tracing;
}

/* At most as much of the work as other cores do at the same time can wait for what they do. Waits that the trace does
 * not explain can hide how much that is. */
static double
shared_cost(struct forecasting *x, double share, uint32_t cores)
{
    double saved = (double)(replay(x, 1, 0) - replay(x, cores, 0)) * cores / (cores - 1.0);
    if (!(x->f->doubts & 1u << SB_DOUBT_WAITS))
        share = fmin(share, fmax(saved / (double)x->f->work_ns, 0));
    return sb_shared_cost(&x->f->shared, share, cores);
}

/* Too few samples to tell leave it unknown. */
static void
judge_sharing(struct forecasting *x)
{
    static const double some = 0.3, high = 0.5; /* with that two cores may be slower than one */
    struct sb_forecast *f = x->f;
    if (f->schedulers != 1 || f->shared.samples == 0 || f->exposure == SB_EXPOSURE_UNKNOWN || f->stuck)
        return;
    double cost = shared_cost(x, f->shared.most_share, 2);
    f->sharing = cost < some                                 ? SB_EXPOSURE_LOW
                 : shared_cost(x, f->shared.share, 2) < some ? SB_EXPOSURE_UNKNOWN
                 : cost < high                               ? SB_EXPOSURE_SOME
                                                             : SB_EXPOSURE_HIGH;
    f->doubts |= f->sharing > SB_EXPOSURE_LOW ? 1u << SB_DOUBT_SHARED : 0;
    f->doubts &= f->sharing == SB_EXPOSURE_UNKNOWN ? ~0u : ~(1u << SB_DOUBT_HIDDEN);
}

static int64_t
costs_of_shared(struct forecasting *x, uint32_t cores)
{
    return cores > 1 && x->f->sharing > SB_EXPOSURE_LOW
               ? (int64_t)(shared_cost(x, x->f->shared.most_share, cores) * (double)x->f->work_ns)
               : 0;
}

/* What the trace says of the middle and of the ends. */
static void
judge_row(struct forecasting *x, struct sb_forecast_row *r)
{
    if (is_void(x))
        return;
    uint32_t cores = (uint32_t)r->cores;
    bool has_costs = needs_costs(x, r);
    int64_t middle = replay(x, cores, has_costs ? 1 : 0),
            more = has_costs && cores > 1 ? MESSAGES_ERROR_PERCENT : USUAL_ERROR_PERCENT;
    r->ns = has_costs ? middle : r->ns;
    r->high_ns = most(r->high_ns, percent(middle, 100 + more));
    if (has_costs && cores > 1 && !(x->f->doubts & 1u << SB_DOUBT_WAITS))
        r->low_ns =
            most(r->low_ns, percent(least(with_changes(x, cores), middle), 100 - USUAL_ERROR_PERCENT));
    if (x->f->doubts & 1u << SB_DOUBT_HEAVY)
        r->low_ns = (int64_t)(sure_part(x->base->doubts.tracing) * (double)r->low_ns);
    if (is_exposed(x) && x->f->schedulers != SB_NULL && cores < x->f->schedulers) {
        r->low_ns = r->ns = SB_NULL;
        x->f->doubts |= 1u << SB_DOUBT_FEWER;
    }
    if (x->f->doubts & 1u << SB_DOUBT_WRITES && cores > 1)
        r->ns = r->high_ns = SB_NULL;
    if (x->f->doubts & 1u << SB_DOUBT_STARTED && x->f->schedulers != SB_NULL && cores > x->f->schedulers) {
        r->low_ns = least(r->low_ns, percent(law(x, cores), 100 - USUAL_ERROR_PERCENT));
        r->ns = SB_NULL;
    }
    int64_t more_shared = costs_of_shared(x, cores);
    r->high_ns += more_shared;
    if (more_shared > percent(middle, MESSAGES_ERROR_PERCENT))
        r->ns = SB_NULL;
}

/* A band that is wide because of messages needs a measurement. */
static void
judge(struct forecasting *x)
{
    struct sb_forecast *f = x->f;
    for (size_t i = 0; i < f->n; i++)
        if (f->exposure != SB_EXPOSURE_LOW && f->row[i].cores > 1 && f->row[i].low_ns != SB_NULL &&
            f->row[i].high_ns != SB_NULL && f->row[i].high_ns / 3 > f->row[i].low_ns / 2)
            f->doubts |= is_of_one(x) && f->sharing <= SB_EXPOSURE_LOW ? 1u << SB_DOUBT_BOUND : 0;
    f->doubts |= x->calibration.is_measured ? 0 : 1u << SB_DOUBT_TYPICAL;
}

static bool
knows_one(const struct forecasting *x)
{
    return !is_exposed(x) || is_of_one(x);
}

/* The replays that are certainly needed. */
static void
make_replays(struct forecasting *x, const struct sb_what_if *w)
{
    sb_replays_need(&x->replays, 0, 0);
    if (x->base->has_unexplained)
        sb_replays_need(&x->replays, 0, SB_REPLAYS_LEAST);
    if (adds_costs(x, 2))
        sb_replays_need(&x->replays, 0, 1);
    if (knows_one(x))
        sb_replays_need(&x->replays, 1, 0);
    for (size_t i = 0; i < w->n_cores; i++) {
        sb_replays_need(&x->replays, w->cores[i], 0);
        if (adds_costs(x, w->cores[i]))
            sb_replays_need(&x->replays, w->cores[i], growth(x, w->cores[i]));
    }
    sb_replays_make(&x->replays);
}

static void
find_span(struct forecasting *x)
{
    struct sb_forecast *f = x->f;
    f->span_ns = replay(x, 0, 0);
    f->burdened_ns = adds_costs(x, 2) ? replay(x, 0, 1) : f->span_ns;
    f->least_ns = x->base->has_unexplained ? replay(x, 0, SB_REPLAYS_LEAST) : f->span_ns;
    if (f->stuck)
        f->span_ns = f->burdened_ns = f->least_ns = SB_NULL;
    else if (f->doubts & 1u << SB_DOUBT_STARTED)
        f->least_ns = SB_NULL;
    else if (f->least_ns < percent(f->span_ns, 99))
        f->doubts |= 1u << SB_DOUBT_WAITS;
}

static void
find_one(struct forecasting *x)
{
    struct sb_forecast *f = x->f;
    for (size_t i = 0; i < f->n; i++)
        if (f->row[i].cores == 1)
            f->one_ns = f->row[i].ns;
    if (f->one_ns == SB_NULL && !is_void(x) && knows_one(x))
        f->one_ns = replay(x, 1, is_exposed(x) ? 1 : 0);
}

static void
run(struct forecasting *x, const struct sb_what_if *w)
{
    struct sb_forecast *f = x->f;
    if (!is_void(x)) {
        make_replays(x, w);
        find_span(x);
        judge_sharing(x);
    }
    for (size_t i = 0; i < w->n_cores; i++)
        put_band(x, w->cores[i]);
    for (size_t i = 0; i < f->n; i++)
        if (!is_void(x) && needs_costs(x, &f->row[i]))
            sb_replays_need(&x->replays, w->cores[i], 1);
    sb_replays_make(&x->replays);
    for (size_t i = 0; i < f->n; i++)
        judge_row(x, &f->row[i]);
    find_one(x);
    if (f->stuck)
        for (size_t i = 0; i < f->n; i++)
            f->row[i] = (struct sb_forecast_row){f->row[i].cores, law(x, w->cores[i]), SB_NULL, SB_NULL};
    judge(x);
}

/* ---- changes ---- */

static void
change(struct sb_ops_change *c, const struct sb_profile *p, const struct sb_what_if *w, int sign)
{
    for (size_t i = 0; i < w->n_faster; i++)
        if (w->faster[i].of)
            sb_ops_faster(c, w->faster[i].of, w->faster[i].by);
        else
            sb_ops_faster_function(c, p, &w->faster[i], sign);
    if (w->copies)
        sb_ops_split(c, w->copies);
}

static int64_t
find_turns(const struct sb_ops *o, const uint32_t *copies)
{
    int64_t *work = sb_zeroed_or_die(o->n_processes + 1, sizeof *work), longest = 0;
    for (uint64_t line = 1; line <= o->n_lines; line++) {
        work[o->process[line]] += o->rest_ns[line];
        for (uint32_t i = o->from[line]; i < o->from[line + 1]; i++)
            work[o->process[line]] += o->op[i].work_ns;
    }
    for (uint64_t id = 1; id <= o->n_processes; id++)
        longest = copies[id] > 0 ? most(longest, work[id] / copies[id]) : longest;
    free(work);
    return longest;
}

static bool *
free_messages(const struct sb_ops *o, const struct sb_what_if *w)
{
    bool *of = w->n_free > 0 ? sb_realloc_or_die(NULL, o->n_messages + 1) : NULL;
    for (uint32_t m = 0; of && m < o->n_messages; m++) {
        of[m] = false;
        for (size_t i = 0; i < w->n_free; i++)
            of[m] |= w->free[i].from[o->sender[m]] && w->free[i].to[o->receiver[m]];
    }
    return of;
}

/* `sign`: of the error of shares that are known by samples. */
static bool
make(struct sb_forecast *f, const struct sb_profile *p, const struct sb_what_if *w, int sign,
     struct sb_err *e)
{
    const struct sb_forecast_base *b = sb_forecast_base_of(p, e);
    struct sb_ops_change c;
    if (!b)
        return false;
    *f = (struct sb_forecast){.one_ns = SB_NULL,
                              .recorded_ns = b->ops.end_ns,
                              .startup_ns = b->doubts.startup_ns,
                              .schedulers = b->doubts.schedulers,
                              .span_ns = SB_NULL,
                              .least_ns = SB_NULL,
                              .burdened_ns = SB_NULL,
                              .exposure = b->doubts.exposure,
                              .shared = b->doubts.shared,
                              .sampled = w->sampled,
                              .doubts = b->doubts.bits | (w->sampled.n > 0 ? 1u << SB_DOUBT_SAMPLED : 0)};
    if (b->ops.root == 0)
        return true;
    bool changes = w->n_faster > 0 || w->copies, *free_of = free_messages(&b->ops, w);
    if (changes) {
        sb_ops_change_open(&c, &b->ops);
        change(&c, p, w, sign);
    }
    const struct sb_ops *o = changes ? &c.ops : &b->ops;
    struct forecasting x = {.f = f,
                            .base = b,
                            .calibration = sb_calibration_read(),
                            .replays.plan = {.ops = o, .free = free_of, .copies = w->copies},
                            .turns_ns = w->copies ? find_turns(o, w->copies) : 0};
    x.replays.calibration = &x.calibration;
    f->work_ns = o->work_ns;
    run(&x, w);
    if (changes)
        sb_ops_change_close(&c);
    free(free_of);
    return true;
}

/* True if the run takes as long without the copies. */
static bool
is_split_for_nothing(const struct sb_forecast *f, const struct sb_profile *p, const struct sb_what_if *w)
{
    struct sb_what_if without = *w;
    struct sb_forecast plain;
    struct sb_err e = {0};
    without.copies = NULL;
    if (!w->copies || !make(&plain, p, &without, 0, &e))
        return false;
    for (size_t i = 0; i < f->n; i++)
        if (f->row[i].ns == SB_NULL || plain.row[i].ns == SB_NULL ||
            f->row[i].ns < percent(plain.row[i].ns, 99))
            return false;
    return f->n > 0;
}

bool
sb_forecast_make(struct sb_forecast *f, const struct sb_profile *p, const struct sb_what_if *w,
                 struct sb_err *e)
{
    struct sb_forecast slow, fast;
    SB_TRY(make(f, p, w, 0, e));
    f->doubts |= is_split_for_nothing(f, p, w) ? 1u << SB_DOUBT_SPLIT : 0;
    if (w->sampled.n == 0)
        return true;
    SB_TRY(make(&slow, p, w, -1, e) && make(&fast, p, w, 1, e));
    for (size_t i = 0; i < f->n; i++) { /* SB_NULL is the least number */
        f->row[i].low_ns = least(f->row[i].low_ns, fast.row[i].low_ns);
        f->row[i].high_ns =
            f->row[i].high_ns == SB_NULL ? SB_NULL : most(f->row[i].high_ns, slow.row[i].high_ns);
    }
    return true;
}

double
sb_forecast_speedup(const struct sb_forecast *f, size_t row)
{
    int64_t ns = f->row[row].ns;
    return f->one_ns != SB_NULL && ns != SB_NULL && ns > 0 ? (double)f->one_ns / (double)ns : (double)NAN;
}

static struct sb_str
pid_of(const struct sb_profile *p, uint32_t process)
{
    return process == 0 ? SB_STR("an unknown process") : sb_words_cell(p, process, SB_C_process__pid);
}

static struct sb_str
doubt_text(const struct sb_forecast *f, unsigned doubt, struct sb_arena *a)
{
    if (doubt == SB_DOUBT_SHARED || (doubt == SB_DOUBT_LOCKS && f->shared.samples > 0))
        return sb_shared_text(&f->shared, doubt == SB_DOUBT_LOCKS, a);
    return doubt == SB_DOUBT_SAMPLED ? f->sampled : sb_str_of(sb_doubt_texts[doubt]);
}

struct sb_str
sb_forecast_note(const struct sb_forecast *f, const struct sb_profile *p, struct sb_arena *a)
{
    struct sb_str s = SB_STR("");
    if (f->stuck)
        s = sb_arena_printf(a,
                            "the replay comes to a halt: %.*s waits for a message from %.*s that is never "
                            "sent, so events are missing or messages are paired wrongly",
                            SB_STR_ARG(pid_of(p, f->stuck)), SB_STR_ARG(pid_of(p, f->stuck_for)));
    for (unsigned i = 0; i < SB_N_DOUBTS; i++)
        if (f->doubts & 1u << i)
            s = sb_arena_printf(a, "%.*s%s%.*s", SB_STR_ARG(s), s.n > 0 ? " | " : "",
                                SB_STR_ARG(doubt_text(f, i, a)));
    return s;
}
