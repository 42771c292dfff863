/* Which blocks there are, and the order to read them in. */
#include "engine/input/inputs.h"
#include "base/order.h"
#include "engine/order/facts.h"
#include "engine/order/read.h"
#include "engine/state/thread_sum.h"

enum {
    WAITING_COSTS = 128, /* bytes of the memory limit per event that waits for its window */
};

SB_ORDER(by_first, struct sb_planned, SB_UP(b.first_ns) ?: SB_UP(input) ?: SB_UP(b.seq))

static bool
has_bounds(const struct sb_block *b)
{
    return b->first_ns != INT64_MIN || b->last_ns != INT64_MAX;
}

/* Whether the blocks of every trace have bounds: a trace with bounds in any block has them in all blocks
 * that hold events. */
static bool
all_bounded(const struct sb_run *r)
{
    for (uint32_t i = 0; i < r->inputs.n; i++) {
        bool bounded = false, any = false;
        for (size_t k = 0; k < r->plan.n; k++) {
            any |= r->plan.at[k].input == i;
            bounded |= r->plan.at[k].input == i && has_bounds(&r->plan.at[k].b);
        }
        if (any && !bounded)
            return false;
    }
    return r->plan.n > 0;
}

/* Sets the bounds of blocks whose stamps are not in order: each begins where the blocks before it ended
 * (never_back). */
static void
bounds_in_file_order(struct sb_run *r)
{
    int64_t at = INT64_MIN;
    for (size_t i = 0; i < r->plan.n; i++) {
        struct sb_block *b = &r->plan.at[i].b;
        int64_t last = b->last_ns;
        b->first_ns = at;
        at = last > at ? last : at;
        b->last_ns = at;
    }
}

static int64_t
on_axis(const struct sb_run *r, const struct sb_planned *p, int64_t at_ns)
{
    if (at_ns == INT64_MIN || at_ns == INT64_MAX)
        return at_ns;
    return sb_route_bound(sb_route_bound(at_ns) + r->inputs.at[p->input].offset_ns);
}

static void
set_on_axis(const struct sb_run *r, struct sb_planned *p)
{
    if (!has_bounds(&p->b))
        return;
    p->b.first_ns = on_axis(r, p, p->b.first_ns);
    p->b.last_ns = on_axis(r, p, p->b.last_ns);
}

static void
order_blocks(struct sb_run *r)
{
    for (size_t i = 0; i < r->plan.n; i++)
        set_on_axis(r, &r->plan.at[i]);
    if (r->facts.file_order)
        bounds_in_file_order(r);
    else
        qsort(r->plan.at, r->plan.n, sizeof *r->plan.at, by_first);
}

/* Reads the last blocks first: facts at the end of a trace (which functions wait) are needed from the
 * start. */
static void
last_blocks_first(struct sb_run *r)
{
    size_t last = r->plan.n < SB_READ_LAST_BLOCKS ? r->plan.n : SB_READ_LAST_BLOCKS;
    struct sb_planned end[SB_READ_LAST_BLOCKS];
    memcpy(end, r->plan.at + r->plan.n - last, last * sizeof *end);
    memmove(r->plan.at + last, r->plan.at, (r->plan.n - last) * sizeof *r->plan.at);
    memcpy(r->plan.at, end, last * sizeof *end);
}

static int
by_last(const void *a, const void *b)
{
    int64_t x = (*(struct sb_planned *const *)a)->b.last_ns, y = (*(struct sb_planned *const *)b)->b.last_ns;
    return (x > y) - (x < y);
}

/* Returns all blocks by last stamp; the caller frees the list. */
static const struct sb_planned **
blocks_by_last(const struct sb_run *r)
{
    const struct sb_planned **ended = sb_realloc_or_die(NULL, (r->plan.n + 1) * sizeof *ended);
    for (size_t i = 0; i < r->plan.n; i++)
        ended[i] = &r->plan.at[i];
    qsort(ended, r->plan.n, sizeof *ended, by_last);
    return ended;
}

/* Returns the largest number of events in blocks that are open at one time. */
static uint64_t
most_waiting(const struct sb_run *r)
{
    uint64_t waiting = 0, most = 0;
    const struct sb_planned **ended = blocks_by_last(r);
    for (size_t i = 0, k = 0; i < r->plan.n; i++) {
        for (; k < r->plan.n && ended[k]->b.last_ns < r->plan.at[i].b.first_ns; k++)
            waiting -= ended[k]->b.n_events;
        waiting += r->plan.at[i].b.n_events;
        most = waiting > most ? waiting : most;
    }
    free(ended);
    return most;
}

/* Bounds found by scanning say nothing about the order within, so check that overlapping blocks fit in
 * memory. */
static bool
fits(const struct sb_read *o)
{
    bool looked_for = false;
    for (size_t i = 0; i < o->run->plan.n; i++)
        looked_for |= o->run->plan.at[i].b.kinds != 0;
    return !looked_for || most_waiting(o->run) * WAITING_COSTS <= o->memory;
}

/* Returns the last stamp of an event in the block. Bounds found by scanning are stamps of events. */
static int64_t
last_in(struct sb_read *o, const struct sb_planned *p)
{
    int64_t last = INT64_MIN;
    if (p->b.kinds != 0)
        return sb_route_bound(p->b.last_ns);
    struct sb_events events = sb_read_buffer(o, p->b.n_events);
    sb_inputs_decode(o->run, p->input, &p->b, 0, &events);
    for (size_t i = 0; i < events.n; i++)
        if (events.at[i].at_ns != SB_AT_UNKNOWN && events.at[i].at_ns > last &&
            !sb_is_reading(events.at[i].kind))
            last = events.at[i].at_ns;
    events.n = 0;
    *SB_PUSH(&o->spare) = events;
    return last == INT64_MIN ? last : sb_route_bound(last);
}

/*
 * Finds the end of the time axis, which is needed before the first window. No event is later than its block's
 * last stamp, but that stamp may be later than all events: a chunk is closed after its last event, and an
 * open one has no end. So the few blocks that may hold the last event are decoded.
 */
static void
find_last(struct sb_read *o)
{
    const struct sb_planned **ended = blocks_by_last(o->run);
    sb_inputs_quiet(o->run, true);
    for (size_t i = o->run->plan.n; i-- > 0 && ended[i]->b.last_ns > o->last;) {
        int64_t last = has_bounds(&ended[i]->b) ? last_in(o, ended[i]) : INT64_MIN;
        o->last = last > o->last ? last : o->last;
    }
    sb_inputs_quiet(o->run, false);
    free(ended);
}

static void
may_spill(struct sb_read *o)
{
    sb_spill_open(&o->spill, o->run->o->tmp_dir, o->run->path, o->memory);
    for (unsigned w = 0; w < o->run->services.workers; w++) {
        o->store[w].spill = &o->spill;
        o->router[w].store.spill = &o->spill;
    }
}

bool
sb_read_grow(struct sb_read *o, int64_t known_ns, struct sb_err *e)
{
    struct sb_run *r = o->run;
    sb_read_rest(o); /* the plan may move */
    size_t had = r->plan.n;
    SB_TRY(sb_inputs_plan(r, e));
    for (size_t i = had; i < r->plan.n; i++)
        set_on_axis(r, &r->plan.at[i]);
    if (r->plan.n > o->next)
        qsort(r->plan.at + o->next, r->plan.n - o->next, sizeof *r->plan.at, by_first);
    o->bound = known_ns > o->bound ? known_ns : o->bound;
    return true;
}

/* Reads a trace that grows as far as it is known. */
static void
plan_growth(struct sb_read *o)
{
    sb_facts_plan(o->run);
    for (unsigned w = 0; w < o->run->services.workers; w++)
        sb_route_init(&o->router[w], o->run);
    o->bounded = true;
}

bool
sb_read_plan(struct sb_read *o, struct sb_err *e)
{
    struct sb_run *r = o->run;
    if (r->grows) {
        plan_growth(o);
        return true;
    }
    SB_TRY(sb_inputs_plan(r, e));
    sb_facts_plan(r);
    for (unsigned w = 0; w < r->services.workers; w++)
        sb_route_init(&o->router[w], r);
    if (r->facts.untimed)
        sb_build_untimed(r->services.build);
    o->file_time = SB_AT_UNKNOWN;
    for (size_t i = 0; i < r->inputs.n; i++)
        o->total_bytes += sb_source_info(r->inputs.at[i].source)->bytes;
    o->bounded = all_bounded(r);
    if (o->bounded) {
        order_blocks(r);
        o->bounded = fits(o);
    }
    if (!o->bounded)
        may_spill(o);
    else
        find_last(o);
    if (o->bounded && !r->facts.file_order)
        last_blocks_first(r);
    return true;
}
