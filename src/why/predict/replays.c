#include "why/predict/replays.h"
#include "base/pool.h"
#include "why/predict/span.h"
#include <pthread.h>
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

static struct sb_replay
make(const struct sb_replays *r, const struct sb_replays_one *o)
{
    struct sb_replay_plan plan = r->plan;
    struct sb_replay_costs costs = sb_calibration_costs(r->calibration, o->times);
    plan.costs = o->times > 0 ? &costs : NULL;
    plan.is_least = o->times < 0;
    return o->cores > 0 ? sb_replay_run(&plan, o->cores) : sb_span_find(&plan);
}

/* Replays without costs come first, the longest chain before the smaller numbers of cores: each may answer for those
 * after it. One that was made nevertheless, beside it, is forgotten. */
struct work {
    struct sb_replays *r;
    struct sb_replays_one *job[SB_REPLAYS];
    size_t n, n_free; /* `n_free`: those without costs that are needed */
    pthread_mutex_t lock;
};

static bool
is_needed(struct work *w, size_t i)
{
    pthread_mutex_lock(&w->lock);
    bool is = i < w->n_free || w->job[i]->times != 0;
    pthread_mutex_unlock(&w->lock);
    return is;
}

static void
find_needed(struct work *w)
{
    struct sb_replays *r = w->r;
    for (size_t i = 0; i < w->n_free; i++) {
        const struct sb_replays_one *o = w->job[i];
        if (o->is_made && o->cores == 0 && !o->replay.stuck) {
            r->knows_span = true;
            r->span_ns = o->replay.ns;
        }
        if (o->is_made && has_enough(r, o))
            w->n_free = i + 1;
    }
}

static void
run(void *ctx, size_t i, unsigned worker)
{
    (void)worker;
    struct work *w = ctx;
    if (!is_needed(w, i))
        return;
    struct sb_replays_one *o = w->job[i];
    struct sb_replay made = make(w->r, o);
    pthread_mutex_lock(&w->lock);
    o->replay = made;
    o->is_made = true;
    find_needed(w);
    pthread_mutex_unlock(&w->lock);
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
    struct work w = {.r = r, .lock = PTHREAD_MUTEX_INITIALIZER};
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
    sb_pool_each(pool, w.n, run, &w);
    sb_pool_close(pool);
    for (size_t i = w.n_free; i < w.n; i++)
        w.job[i]->is_made = w.job[i]->times != 0;
}

struct sb_replay
sb_replays_of(struct sb_replays *r, uint32_t cores, double times)
{
    const struct sb_replays_one *made = find_made(r, cores, times);
    if (made)
        return made->replay;
    sb_replays_need(r, cores, times);
    struct sb_replays_one *o = find(r, cores, times);
    o->is_made = true;
    return o->replay = make(r, o);
}
