/* The windows of an analysis, from the first to the last. */
#include "engine/order/order_impl.h"
#include "engine/world/actors.h"
#include "engine/world/control.h"
#include "engine/world/lanes.h"
#include "engine/world/waits.h"

struct window {
    struct sb_order *o;
    uint64_t until;
};

static void
window_part(void *ctx, size_t i, unsigned worker)
{
    struct window *w = ctx;
    sb_order_take(w->o, i, w->until);
    sb_bundle_window(&w->o->run->part[i], &w->o->bundler[worker], sb_order_end_of(w->until));
}

static void
make_window(struct sb_order *o, uint64_t until)
{
    struct sb_run *r = o->run;
    for (unsigned i = 0; i < SB_PARTS; i++)
        r->part[i].items.window.n = 0;
    sb_pool_stage(r->services.pool, "follow names, links, schedulers and losses");
    struct sb_items control = sb_order_slice(&o->control, &o->control_taken, until);
    struct sb_items named = sb_order_slice(&o->named, &o->named_taken, until);
    sb_order_samples(o, until);
    sb_control_window(r, &control, &named);
    struct window w = {o, until};
    sb_pool_stage(r->services.pool, "order the events of each process");
    sb_order_each_part(o, window_part, &w);
    sb_pool_stage(r->services.pool, "follow names, links, schedulers and losses");
    sb_lanes_window(r);
    sb_control_schedulers(r, &control);
    sb_actors_number(r);
    o->until = until;
    r->axis.window_end = sb_order_end_of(until);
}

static bool
start(struct sb_order *o, struct sb_err *e)
{
    SB_TRY(sb_read_plan(&o->read, e));
    o->items.spill = o->read.bounded ? NULL : &o->read.spill;
    o->started = true;
    if (o->run->plan.n == 0 || o->run->grows)
        return true;
    if (!o->read.bounded)
        SB_TRY(sb_order_load(o, e));
    return sb_learner_wanted(o->run) ? sb_order_learn(o, e) : true;
}

bool
sb_order_grow(struct sb_order *o, int64_t known_ns, struct sb_err *e)
{
    if (!o->started)
        SB_TRY(start(o, e));
    return sb_read_grow(&o->read, known_ns, e);
}

void
sb_order_rest(struct sb_order *o)
{
    sb_read_rest(&o->read);
}

bool
sb_order_misled(const struct sb_order *o)
{
    return o->late;
}

void
sb_order_end_here(const struct sb_order *o)
{
    struct sb_run *r = o->run;
    r->facts.n_events -= sb_read_beyond(&o->read, r->axis.window_end);
    r->axis.end = r->axis.end < r->axis.window_end ? r->axis.end : r->axis.window_end - 1;
    r->axis.last = r->axis.end;
    for (size_t i = 0; i < r->inputs.n; i++)
        if (r->inputs.at[i].last > r->axis.end)
            r->inputs.at[i].last = r->axis.end;
}

bool
sb_order_next(struct sb_order *o, struct sb_err *e)
{
    uint64_t until;
    e->code = SB_OK;
    if (!o->started)
        SB_TRY(start(o, e));
    if (o->run->plan.n == 0 || o->until == UINT64_MAX)
        return false;
    SB_TRY(sb_order_advance(o, &until, e));
    make_window(o, until);
    return true;
}

struct sb_order *
sb_order_open(struct sb_run *r)
{
    struct sb_order *o = sb_zeroed_or_die(1, sizeof *o);
    struct sb_bundler *bundler = sb_zeroed_or_die(r->services.workers, sizeof *bundler);
    o->run = r;
    o->bundler = bundler;
    sb_read_open(&o->read, r);
    return o;
}

static void
close_items(struct sb_part_items *v, bool owned) /* a trace that is read first waits in o->items */
{
    if (owned)
        SB_VEC_FREE(&v->waiting);
    SB_VEC_FREE(&v->window);
    SB_VEC_FREE(&v->cut);
    SB_VEC_FREE(&v->line);
    SB_VEC_FREE(&v->bundles);
    SB_VEC_FREE(&v->spare);
    *v = (struct sb_part_items){0};
}

void
sb_order_close(struct sb_order *o)
{
    if (!o)
        return;
    for (unsigned w = 0; w < o->run->services.workers; w++)
        sb_bundler_close(&o->bundler[w]);
    free(o->bundler);
    for (unsigned i = 0; i < SB_PARTS; i++)
        close_items(&o->run->part[i].items, o->read.bounded);
    sb_store_close(&o->items);
    sb_read_close(&o->read);
    SB_VEC_FREE(&o->control);
    SB_VEC_FREE(&o->named);
    free(o);
}
