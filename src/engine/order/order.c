#include "engine/order/order.h"
#include "engine/order/facts.h"
#include "engine/world/actors.h"
#include "engine/order/bundle.h"
#include "engine/world/compare.h"
#include "engine/world/control.h"
#include "engine/input/inputs.h"
#include "engine/world/lanes.h"
#include "engine/order/read.h"
#include "engine/input/merge_rows.h"
#include "engine/order/stretch.h"
#include "engine/world/quiet.h"
#include "engine/world/waits.h"

enum { BLOCKS_AT_ONCE = 64 };

struct sb_order {
    struct sb_run *run;
    struct sb_read read;
    struct sb_bundler *bundler; /* one per worker */
    struct sb_store items; /* all items of the parts, if the whole trace is read before the first window */
    struct sb_items control, named; /* items not yet in a window, in time order */
    size_t control_taken, named_taken;
    size_t taken[SB_PARTS]; /* from each part's waiting items */
    bool started;           /* if not bounded, everything has been read */
    uint64_t until;         /* biased end of the last window */
    uint64_t sampled;       /* the same of the samples that control has seen */
};

/* ---- from routers to parts ---- */

static void
append(struct sb_items *to, struct sb_items *from)
{
    if (from->n == 0)
        return;
    SB_RESERVE(to, from->n);
    memcpy(to->at + to->n, from->at, from->n * sizeof *from->at);
    to->n += from->n;
    from->n = 0;
}

static uint64_t
beginning(const struct sb_order *o)
{
    return o->until > sb_bias(o->run->axis.t0) ? o->until : sb_bias(o->run->axis.t0);
}

static void
date_item(struct sb_sort_key *item, uint64_t first)
{
    struct sb_event *ev = (struct sb_event *)(uintptr_t)sb_item_event(*item);
    int64_t at = (int64_t)(first ^ UINT64_C(1) << 63);
    item->key = first;
    ev->at_ns = at;
    while (sb_item_role(*item) == SB_STRETCH && ev->flags & SB_EVF_GOES_ON && ev[1].at_ns <= at)
        (++ev)->at_ns = at;
}

/* Assigns stamps: events without one go to the beginning; an event outside its block's bounds goes to the
 * present position of the reader. */
static void
date(struct sb_sort_key *at, size_t n, uint64_t first)
{
    for (size_t i = 0; i < n; i++)
        if (at[i].key < first)
            date_item(&at[i], first);
}

static void
sort_items(struct sb_items *v, struct sb_items *scratch)
{
    scratch->n = 0;
    SB_RESERVE(scratch, v->n);
    if (v->n > 0)
        sb_sort_radix(v->at, scratch->at, v->n);
}

static void
gather_control(struct sb_order *o, struct sb_items *v, size_t *taken, size_t which)
{
    struct sb_items scratch = {0};
    if (*taken > 0)
        memmove(v->at, v->at + *taken, (v->n - *taken) * sizeof *v->at);
    v->n -= *taken;
    *taken = 0;
    for (unsigned w = 0; w < o->run->services.workers; w++)
        append(v, which ? &o->read.router[w].named : &o->read.router[w].control);
    date(v->at, v->n, beginning(o));
    sort_items(v, &scratch);
    if (!o->run->facts.file_order)
        sb_compare_ties(o->run->names, v);
    SB_VEC_FREE(&scratch);
}

static void
gather_facts(struct sb_order *o)
{
    struct sb_run *r = o->run;
    struct sb_routed routed = {.min = INT64_MAX, .max = INT64_MIN};
    uint64_t events = 0;
    for (unsigned w = 0; w < r->services.workers; w++) {
        sb_routed_add(&routed, &o->read.router[w].routed);
        events += o->read.router[w].n_events;
    }
    sb_facts_read(&r->facts, &routed, events);
    if (o->until == 0) { /* the smallest stamp of all is in the first blocks */
        r->axis.t0 = routed.min <= routed.max ? routed.min : 0;
        r->axis.end = routed.min <= routed.max ? routed.max : 0;
        r->axis.last = o->read.last > r->axis.end ? o->read.last : r->axis.end;
    }
    r->axis.end = routed.max > r->axis.end ? routed.max : r->axis.end;
}

/* Collects the items that concern all parts. */
static void
gather(struct sb_order *o)
{
    if (o->run->merges && !o->run->stored)
        o->run->stored = sb_merge_rows_open(o->run); /* the beginning of the axis is known now */
    for (unsigned w = 0; w < o->run->services.workers; w++)
        sb_control_ahead(o->run, &o->read.router[w].control);
    gather_control(o, &o->control, &o->control_taken, 0);
    gather_control(o, &o->named, &o->named_taken, 1);
}

/* ---- windows ---- */

static size_t
first_from(const struct sb_items *v, size_t from, uint64_t key)
{
    size_t to = v->n;
    while (from < to) {
        size_t mid = from + (to - from) / 2;
        if (v->at[mid].key < key)
            from = mid + 1;
        else
            to = mid;
    }
    return from;
}

static struct sb_items
slice_of(struct sb_items *v, size_t *taken, uint64_t until)
{
    size_t to = first_from(v, *taken, until);
    struct sb_items s = {v->at + *taken, to - *taken, 0};
    *taken = to;
    return s;
}

/* Samples are about the time before them, so control gets them ahead of the window. */
static void
take_samples(struct sb_order *o, uint64_t until)
{
    uint64_t ahead = until < UINT64_MAX - SB_QUIET_LATE_NS ? until + SB_QUIET_LATE_NS : UINT64_MAX;
    size_t from = first_from(&o->control, 0, o->sampled), to = first_from(&o->control, from, ahead);
    sb_control_samples(o->run, &(struct sb_items){o->control.at + from, to - from, 0});
    o->sampled = ahead;
}

static int64_t
end_of(uint64_t until)
{
    return until == UINT64_MAX ? INT64_MAX : (int64_t)(until ^ UINT64_C(1) << 63);
}

struct window {
    struct sb_order *o;
    uint64_t until;
};

/* Moves the items before the end of the window to the window and keeps the others in order. `from` is in
 * any order. */
static size_t
part_at(uint64_t until, const struct sb_sort_key *from, size_t n, struct sb_items *window,
        struct sb_sort_key *stay)
{
    SB_RESERVE(window, n);
    struct sb_sort_key *now = window->at + window->n, *later = stay;
    for (size_t i = 0; i < n; i++)
        if (from[i].key < until)
            *now++ = from[i];
        else
            *later++ = from[i];
    window->n = (size_t)(now - window->at);
    return (size_t)(later - stay);
}

static void
take_routed(struct sb_order *o, struct sb_part *x, uint64_t until)
{
    uint64_t first = beginning(o);
    x->items.waiting.n =
        part_at(until, x->items.waiting.at, x->items.waiting.n, &x->items.window, x->items.waiting.at);
    for (unsigned w = 0; w < o->run->services.workers; w++) {
        const struct sb_item_pages *pages = &o->read.router[w].to[x->index];
        for (struct sb_item_page *p = pages->first; p; p = p->next) {
            size_t n = sb_page_items(pages, p);
            date(p->at, n, first);
            SB_RESERVE(&x->items.waiting, n);
            x->items.waiting.n +=
                part_at(until, p->at, n, &x->items.window, x->items.waiting.at + x->items.waiting.n);
        }
    }
}

static void
take_waiting(struct sb_order *o, struct sb_part *x, uint64_t until)
{
    struct sb_items now = slice_of(&x->items.waiting, &o->taken[x->index], until);
    SB_RESERVE(&x->items.window, now.n);
    if (now.n > 0)
        memcpy(x->items.window.at + x->items.window.n, now.at, now.n * sizeof *now.at);
    x->items.window.n += now.n;
}

/* Adds the items of the window; control has already put exits of linked processes there. */
static void
take_items(struct sb_order *o, size_t i, uint64_t until)
{
    struct sb_part *x = &o->run->part[i];
    x->items.cut.n = part_at(until, x->items.cut.at, x->items.cut.n, &x->items.window, x->items.cut.at);
    (o->read.bounded ? take_routed : take_waiting)(o, x, until);
}

static void
window_part(void *ctx, size_t i, unsigned worker)
{
    struct window *w = ctx;
    take_items(w->o, i, w->until);
    sb_bundle_window(&w->o->run->part[i], &w->o->bundler[worker], end_of(w->until));
}

/* Runs `fn` for every part on the items read for it. Then reading continues in the background, while the
 * passes handle this window. */
static void
each_part(struct sb_order *o, sb_job_fn *fn, void *ctx)
{
    sb_pool_each(o->run->services.pool, SB_PARTS, fn, ctx);
    if (!o->read.bounded)
        return;
    sb_read_taken(&o->read);
    if (o->read.next < o->run->plan.n)
        sb_read_begin(&o->read, sb_read_enough(&o->read));
}

static void
make_window(struct sb_order *o, uint64_t until)
{
    struct sb_run *r = o->run;
    for (unsigned i = 0; i < SB_PARTS; i++)
        r->part[i].items.window.n = 0;
    struct sb_items control = slice_of(&o->control, &o->control_taken, until);
    struct sb_items named = slice_of(&o->named, &o->named_taken, until);
    take_samples(o, until);
    sb_control_window(r, &control, &named);
    struct window w = {o, until};
    each_part(o, window_part, &w);
    sb_lanes_window(r);
    sb_control_schedulers(r, &control);
    sb_actors_number(r);
    o->until = until;
    r->axis.window_end = end_of(until);
}

/* Reads until a window can be made that is not empty. */
static bool
read_on(struct sb_order *o, uint64_t *until, struct sb_err *e)
{
    sb_read_free(&o->read, o->until); /* so that new events reuse buffers that are still in the cache */
    do {
        if (o->read.begun == 0)
            sb_read_begin(&o->read, sb_read_enough(&o->read));
        SB_TRY(sb_read_end(&o->read, e));
        gather_facts(o);
        *until = sb_read_known(&o->read);
    } while (*until <= beginning(o));
    gather(o);
    return true;
}

/* ---- the whole trace in memory or on disk ---- */

/* Returns the end of the next window, chosen so that the fullest part gets a fixed share. */
static uint64_t
cut(const struct sb_order *o)
{
    size_t most = 0, items = 0;
    unsigned which = 0;
    for (unsigned i = 0; i < SB_PARTS; i++) {
        size_t left = o->run->part[i].items.waiting.n - o->taken[i];
        items += o->run->part[i].items.waiting.n;
        if (left > most) {
            most = left;
            which = i;
        }
    }
    size_t step = o->read.at_once / SB_PARTS;
    if (items < o->run->facts.n_events) /* an item may stand for several events */
        step = step * items / o->run->facts.n_events;
    if (most <= step)
        return UINT64_MAX;
    return o->run->part[which].items.waiting.at[o->taken[which] + step].key + 1;
}

/* Releases pages of spilled memory between windows. */
static void
rest(struct sb_order *o)
{
    for (unsigned w = 0; w < o->run->services.workers; w++)
        sb_store_rest(&o->read.store[w]);
    sb_store_rest(&o->items);
}

/* Reserves memory for the items of all parts. */
static void
make_room(struct sb_order *o)
{
    for (unsigned i = 0; i < SB_PARTS; i++) {
        size_t n = 0;
        for (unsigned w = 0; w < o->run->services.workers; w++)
            n += sb_pages_items(&o->read.router[w].to[i]);
        o->run->part[i].items.waiting =
            (struct sb_items){sb_store_take(&o->items, n * sizeof(struct sb_sort_key)), 0, n};
    }
}

static void
load_part(void *ctx, size_t i, unsigned worker)
{
    struct sb_order *o = ctx;
    struct sb_items *to = &o->run->part[i].items.waiting;
    for (unsigned w = 0; w < o->run->services.workers; w++) {
        const struct sb_item_pages *pages = &o->read.router[w].to[i];
        for (const struct sb_item_page *p = pages->first; p; p = p->next) {
            size_t n = sb_page_items(pages, p);
            memcpy(to->at + to->n, p->at, n * sizeof *p->at);
            to->n += n;
        }
    }
    date(to->at, to->n, beginning(o));
    sort_items(to, &o->bundler[worker].spare);
}

static bool
load(struct sb_order *o, struct sb_err *e)
{
    while (o->read.next < o->run->plan.n) {
        size_t left = o->run->plan.n - o->read.next;
        sb_read_begin(&o->read, left < BLOCKS_AT_ONCE ? left : BLOCKS_AT_ONCE);
        SB_TRY(sb_read_end(&o->read, e));
    }
    make_room(o);
    gather_facts(o);
    gather(o);
    sb_pool_each(o->run->services.pool, SB_PARTS, load_part, o);
    sb_read_taken(&o->read);
    return true;
}

/* ---- both ways of reading ---- */

/* Finds the end of the next window; each_part then collects its items. */
static bool
advance(struct sb_order *o, uint64_t *until, struct sb_err *e)
{
    if (o->read.bounded)
        return read_on(o, until, e);
    rest(o);
    *until = cut(o);
    return true;
}

/* ---- learning from the whole trace, before the first window ---- */

struct learning {
    struct window w;
    struct sb_learner *learner;
};

static void
take_part(void *ctx, size_t i, unsigned worker)
{
    struct learning *l = ctx;
    struct sb_items *window = &l->w.o->run->part[i].items.window;
    window->n = 0;
    take_items(l->w.o, i, l->w.until);
    sort_items(window, &l->w.o->bundler[worker].spare);
}

static void
learn_part(void *ctx, size_t i, unsigned worker)
{
    struct learning *l = ctx;
    struct sb_part *x = &l->w.o->run->part[i];
    sb_stretch_lay_out(x, 0, x->items.window.n, end_of(l->w.until));
    sb_learner_look(l->learner, i, &x->items.line, worker);
}

static bool
learn_window(struct sb_order *o, struct learning *l, struct sb_err *e)
{
    SB_TRY(advance(o, &l->w.until, e));
    each_part(o, take_part, l);
    sb_pool_each(o->run->services.pool, SB_PARTS, learn_part, l);
    slice_of(&o->control, &o->control_taken, l->w.until);
    slice_of(&o->named, &o->named_taken, l->w.until);
    o->until = l->w.until;
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
    }
    memset(o->taken, 0, sizeof o->taken);
    o->control_taken = o->named_taken = 0;
    o->until = 0;
}

static bool
learn(struct sb_order *o, struct sb_err *e)
{
    struct learning l = {{o, 0}, sb_learner_open(o->run)};
    bool ok = true;
    sb_inputs_quiet(o->run, o->read.bounded);
    while (ok && o->until != UINT64_MAX)
        ok = learn_window(o, &l, e);
    sb_inputs_quiet(o->run, false);
    sb_learner_close(l.learner);
    from_the_start(o);
    return ok;
}

static bool
start(struct sb_order *o, struct sb_err *e)
{
    SB_TRY(sb_read_plan(&o->read, e));
    o->items.spill = o->read.bounded ? NULL : &o->read.spill;
    o->started = true;
    if (o->run->plan.n == 0)
        return true;
    if (!o->read.bounded)
        SB_TRY(load(o, e));
    return sb_learner_wanted(o->run) ? learn(o, e) : true;
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
    SB_TRY(advance(o, &until, e));
    make_window(o, until);
    return true;
}

struct sb_order *
sb_order_open(struct sb_run *r)
{
    struct sb_order *o = calloc(1, sizeof *o);
    struct sb_bundler *bundler = calloc(r->services.workers, sizeof *bundler);
    if (!o || !bundler)
        sb_out_of_memory(sizeof *o);
    o->run = r;
    o->bundler = bundler;
    sb_read_open(&o->read, r);
    return o;
}

void
sb_order_close(struct sb_order *o)
{
    if (!o)
        return;
    for (unsigned w = 0; w < o->run->services.workers; w++)
        sb_bundler_close(&o->bundler[w]);
    free(o->bundler);
    for (unsigned i = 0; i < SB_PARTS && !o->read.bounded; i++)
        o->run->part[i].items.waiting = (struct sb_items){0};
    sb_store_close(&o->items);
    sb_read_close(&o->read);
    SB_VEC_FREE(&o->control);
    SB_VEC_FREE(&o->named);
    free(o);
}
