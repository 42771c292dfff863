/* Windows in time order: of what was just read, or of the whole trace in memory or on disk. */
#include "engine/order/order_impl.h"
#include "base/order.h"
#include "engine/order/facts.h"
#include "engine/world/compare.h"
#include "engine/world/control.h"
#include "engine/input/merge_rows.h"
#include "engine/world/quiet.h"

enum { BLOCKS_AT_ONCE = 64 };

/* ---- from routers to parts ---- */

static void
append(struct sb_items *to, struct sb_items *from)
{
    if (from->n == 0)
        return;
    SB_RESERVE(to, from->n);
    memcpy(to->at + to->n, from->at, from->n * sizeof *from->at);
    to->n += from->n;
    SB_VEC_FREE(from);
}

static uint64_t
beginning(const struct sb_order *o)
{
    return o->until > sb_bias(o->run->axis.t0) ? o->until : sb_bias(o->run->axis.t0);
}

static void
date_item(struct sb_order *o, struct sb_sort_key *item, uint64_t first)
{
    struct sb_event *ev = (struct sb_event *)(uintptr_t)sb_item_event(*item);
    if (o->until > 0 &&
        !sb_control_is_stated(ev->kind)) /* what a trace states about functions has no place in time */
        o->late = true;
    int64_t at = (int64_t)(first ^ UINT64_C(1) << 63);
    item->key = first;
    ev->at_ns = at;
    while (sb_item_role(*item) == SB_STRETCH && ev->flags & SB_EVF_GOES_ON && ev[1].at_ns <= at)
        (++ev)->at_ns = at;
}

/* Assigns stamps: events without one go to the beginning; an event outside its block's bounds goes to the
 * present position of the reader. */
static void
date(struct sb_order *o, struct sb_sort_key *at, size_t n, uint64_t first)
{
    for (size_t i = 0; i < n; i++)
        if (at[i].key < first)
            date_item(o, &at[i], first);
}

void
sb_order_sort(struct sb_items *v, struct sb_items *scratch)
{
    scratch->n = 0;
    SB_RESERVE(scratch, v->n);
    if (v->n > 0)
        sb_sort_radix(v->at, scratch->at, v->n);
}

static void
gather_control(struct sb_order *o, struct sb_items *v, size_t *taken, size_t which)
{
    SB_SCOPED struct sb_items scratch = {0};
    if (*taken > 0)
        memmove(v->at, v->at + *taken, (v->n - *taken) * sizeof *v->at);
    v->n -= *taken;
    *taken = 0;
    for (unsigned w = 0; w < o->run->services.workers; w++)
        append(v, which ? &o->read.router[w].named : &o->read.router[w].control);
    date(o, v->at, v->n, beginning(o));
    sb_order_sort(v, &scratch);
    if (!o->run->facts.file_order)
        sb_compare_ties(o->run->names, v);
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
    o->has_begun |= routed.min <= routed.max;
    if (o->until == 0) { /* the smallest stamp of all is in the first blocks */
        r->axis.t0 = routed.min <= routed.max ? routed.min : 0;
        r->axis.end = routed.min <= routed.max ? routed.max : 0;
        r->axis.last = o->read.last > r->axis.end ? o->read.last : r->axis.end;
    }
    r->axis.end = routed.max > r->axis.end ? routed.max : r->axis.end;
    r->axis.last = r->grows ? r->axis.end : r->axis.last;
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
    SB_SEARCH(from, to, v->at[mid].key < key);
    return from;
}

struct sb_items
sb_order_slice(struct sb_items *v, size_t *taken, uint64_t until)
{
    size_t to = first_from(v, *taken, until);
    struct sb_items s = {v->at + *taken, to - *taken, 0};
    *taken = to;
    return s;
}

/* Samples are about the time before them, so control gets them ahead of the window. */
void
sb_order_samples(struct sb_order *o, uint64_t until)
{
    uint64_t ahead = until < UINT64_MAX - SB_QUIET_LATE_NS ? until + SB_QUIET_LATE_NS : UINT64_MAX;
    size_t from = first_from(&o->control, 0, o->sampled), to = first_from(&o->control, from, ahead);
    sb_control_samples(o->run, &(struct sb_items){o->control.at + from, to - from, 0});
    o->sampled = ahead;
}

int64_t
sb_order_end_of(uint64_t until)
{
    return until == UINT64_MAX ? INT64_MAX : (int64_t)(until ^ UINT64_C(1) << 63);
}

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
            date(o, p->at, n, first);
            SB_RESERVE(&x->items.waiting, n);
            x->items.waiting.n +=
                part_at(until, p->at, n, &x->items.window, x->items.waiting.at + x->items.waiting.n);
        }
    }
}

static void
take_waiting(struct sb_order *o, struct sb_part *x, uint64_t until)
{
    struct sb_items now = sb_order_slice(&x->items.waiting, &o->taken[x->index], until);
    SB_RESERVE(&x->items.window, now.n);
    if (now.n > 0)
        memcpy(x->items.window.at + x->items.window.n, now.at, now.n * sizeof *now.at);
    x->items.window.n += now.n;
}

void
sb_order_take(struct sb_order *o, size_t i, uint64_t until)
{
    struct sb_part *x = &o->run->part[i];
    x->items.cut.n = part_at(until, x->items.cut.at, x->items.cut.n, &x->items.window, x->items.cut.at);
    (o->read.bounded ? take_routed : take_waiting)(o, x, until);
}

static void
begin_reading(struct sb_order *o)
{
    size_t n = o->read.begun ? 0 : sb_read_enough(&o->read);
    if (n > 0)
        sb_read_begin(&o->read, n);
}

/* Runs `fn` for every part on the items read for it. Then reading continues in the background, while the
 * passes handle this window. */
void
sb_order_each_part(struct sb_order *o, sb_job_fn *fn, void *ctx)
{
    sb_pool_each(o->run->services.pool, SB_PARTS, fn, ctx);
    if (!o->read.bounded)
        return;
    sb_read_taken(&o->read);
    begin_reading(o);
}

static bool
is_window(const struct sb_order *o, uint64_t until)
{
    return until == UINT64_MAX || (o->has_begun && until > beginning(o));
}

/* Reads until a window can be made that is not empty. Returns false, without an error, if a trace that grows is not
 * known that far yet. */
static bool
read_on(struct sb_order *o, uint64_t *until, struct sb_err *e)
{
    sb_read_free(&o->read, o->until); /* so that new events reuse buffers that are still in the cache */
    do {
        begin_reading(o);
        SB_TRY(sb_read_end(&o->read, e));
        gather_facts(o);
        *until = sb_read_known(&o->read);
    } while (!is_window(o, *until) && sb_read_enough(&o->read) > 0);
    if (!is_window(o, *until))
        return false;
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
    date(o, to->at, to->n, beginning(o));
    sb_order_sort(to, &o->bundler[worker].spare);
}

bool
sb_order_load(struct sb_order *o, struct sb_err *e)
{
    while (o->read.next < o->run->plan.n) {
        size_t left = o->run->plan.n - o->read.next;
        sb_read_begin(&o->read, left < BLOCKS_AT_ONCE ? left : BLOCKS_AT_ONCE);
        SB_TRY(sb_read_end(&o->read, e));
    }
    sb_pool_stage(o->run->services.pool, "order all events");
    make_room(o);
    gather_facts(o);
    gather(o);
    sb_pool_each(o->run->services.pool, SB_PARTS, load_part, o);
    sb_read_taken(&o->read);
    return true;
}

/* ---- both ways of reading ---- */

/* Finds the end of the next window; each_part then collects its items. */
bool
sb_order_advance(struct sb_order *o, uint64_t *until, struct sb_err *e)
{
    if (o->read.bounded)
        return read_on(o, until, e);
    rest(o);
    *until = cut(o);
    return true;
}
