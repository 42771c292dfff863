/* Learning from the whole trace, before the first window. */
#include "engine/input/inputs.h"
#include "engine/order/order_impl.h"
#include "engine/order/stretch.h"
#include "engine/world/control.h"
#include "engine/world/waits.h"

struct learning {
    struct sb_order *o;
    uint64_t until;
    struct sb_learner *learner;
};

static void
take_part(void *ctx, size_t i, unsigned worker)
{
    struct learning *l = ctx;
    struct sb_items *window = &l->o->run->part[i].items.window;
    window->n = 0;
    sb_order_take(l->o, i, l->until);
    sb_order_sort(window, &l->o->bundler[worker].spare);
}

static void
learn_part(void *ctx, size_t i, unsigned worker)
{
    struct learning *l = ctx;
    struct sb_part *x = &l->o->run->part[i];
    sb_stretch_lay_out(x, 0, x->items.window.n, sb_order_end_of(l->until));
    sb_learner_look(l->learner, i, &x->items.line, worker);
}

static bool
learn_window(struct sb_order *o, struct learning *l, struct sb_err *e)
{
    SB_TRY(sb_order_advance(o, &l->until, e));
    sb_order_each_part(o, take_part, l);
    sb_pool_each(o->run->services.pool, SB_PARTS, learn_part, l);
    sb_order_slice(&o->control, &o->control_taken, l->until);
    sb_order_slice(&o->named, &o->named_taken, l->until);
    o->until = l->until;
    return true;
}

static void
from_the_start(struct sb_order *o)
{
    if (o->read.bounded) {
        for (unsigned i = 0; i < SB_PARTS; i++)
            o->run->part[i].items.waiting.n = 0;
        o->control.n = o->named.n = 0;
        sb_read_restart(&o->read);
        sb_control_restart(o->run->control);
    }
    memset(o->taken, 0, sizeof o->taken);
    o->control_taken = o->named_taken = 0;
    o->until = 0;
}

bool
sb_order_learn(struct sb_order *o, struct sb_err *e)
{
    struct learning l = {o, 0, sb_learner_open(o->run)};
    bool ok = true;
    sb_inputs_quiet(o->run, o->read.bounded);
    while (ok && o->until != UINT64_MAX)
        ok = learn_window(o, &l, e);
    sb_inputs_quiet(o->run, false);
    sb_learner_close(l.learner);
    from_the_start(o);
    return ok;
}
