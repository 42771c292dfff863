#include "why/predict/replays.h"
#include "base/pool.h"
#include "why/predict/span.h"
#include <stdlib.h>

static struct sb_replays_one *
find(struct sb_replays *r, uint32_t cores, double times)
{
    for (size_t i = 0; i < r->n; i++)
        if (r->at[i].cores == cores && r->at[i].times == times)
            return &r->at[i];
    return NULL;
}

/* More cores make no difference: some were idle all the time, or it took no longer than the longest chain does. */
static bool
has_enough(const struct sb_replays *r, const struct sb_replays_one *o)
{
    enum { SAME = 1000 }; /* differences below a thousandth do not count */
    if (o->cores == 0)
        return false;
    bool is_span =
        o->times == 0 && r->knows_span && !o->replay.stuck && o->replay.ns - r->span_ns <= r->span_ns / SAME;
    return !o->replay.full || is_span;
}

/* A replay that answers for these cores too. */
static const struct sb_replays_one *
find_made(const struct sb_replays *r, uint32_t cores, double times)
{
    for (size_t i = 0; i < r->n; i++) {
        const struct sb_replays_one *o = &r->at[i];
        bool is_enough = o->is_made && o->cores < cores && has_enough(r, o);
        if (o->is_made && o->times == times && (o->cores == cores || is_enough))
            return o;
    }
    return NULL;
}

void
sb_replays_need(struct sb_replays *r, uint32_t cores, double times)
{
    if (!find(r, cores, times) && r->n < SB_REPLAYS)
        r->at[r->n++] = (struct sb_replays_one){.cores = cores, .times = times};
}

static void
make(const struct sb_replays *r, struct sb_replays_one *o)
{
    struct sb_replay_plan plan = r->plan;
    struct sb_replay_costs costs = sb_calibration_costs(r->calibration, o->times);
    plan.costs = o->times > 0 ? &costs : NULL;
    o->replay = o->cores > 0 ? sb_replay_run(&plan, o->cores) : sb_span_find(&plan);
    o->is_made = true;
}

/* Replays without costs are one job, so that each can answer for the larger numbers of cores. The first of them is
 * the longest chain. */
struct work {
    struct sb_replays *r;
    struct sb_replays_one *job[SB_REPLAYS]; /* by cores; the first n_free are without costs */
    size_t n, n_free;
};

static void
note_span(struct sb_replays *r, const struct sb_replays_one *o)
{
    if (o->cores > 0 || o->replay.stuck)
        return;
    r->knows_span = true;
    r->span_ns = o->replay.ns;
}

static void
run(void *ctx, size_t i, unsigned worker)
{
    (void)worker;
    struct work *w = ctx;
    if (i > 0) {
        make(w->r, w->job[w->n_free + i - 1]);
        return;
    }
    for (size_t k = 0; k < w->n_free; k++) {
        make(w->r, w->job[k]);
        note_span(w->r, w->job[k]);
        if (has_enough(w->r, w->job[k]))
            return;
    }
}

static int
by_cores(const void *p, const void *q)
{
    const struct sb_replays_one *a = *(struct sb_replays_one *const *)p,
                                *b = *(struct sb_replays_one *const *)q;
    bool a_is_free = a->times == 0, b_is_free = b->times == 0;
    if (a_is_free != b_is_free)
        return a_is_free ? -1 : 1;
    return a_is_free ? (a->cores > b->cores) - (a->cores < b->cores)
                     : (a->cores < b->cores) - (a->cores > b->cores);
}

void
sb_replays_make(struct sb_replays *r)
{
    struct work w = {.r = r};
    for (size_t i = 0; i < r->n; i++) {
        struct sb_replays_one *o = &r->at[i];
        if (o->is_made || find_made(r, o->cores, o->times))
            continue;
        w.job[w.n++] = o;
        w.n_free += o->times == 0;
    }
    if (w.n == 0)
        return;
    qsort(w.job, w.n, sizeof w.job[0], by_cores);
    struct sb_pool *pool = sb_pool_open(0);
    sb_pool_each(pool, 1 + w.n - w.n_free, run, &w);
    sb_pool_close(pool);
}

struct sb_replay
sb_replays_of(struct sb_replays *r, uint32_t cores, double times)
{
    const struct sb_replays_one *made = find_made(r, cores, times);
    if (made)
        return made->replay;
    sb_replays_need(r, cores, times);
    struct sb_replays_one *o = find(r, cores, times);
    make(r, o);
    return o->replay;
}
