#include "engine/order/read.h"
#include "engine/order/facts.h"
#include "engine/input/inputs.h"
#include "engine/state/thread_sum.h"
#include "engine/world/quiet.h"

enum {
    EVENTS_AT_ONCE = 1 << 17, /* events per window, about */
    EVENT_COSTS = 512,        /* bytes of the memory limit per event of a window */
    WAITING_COSTS = 128,      /* bytes of the memory limit per event that waits for its window */
    LAST_BLOCKS = 4,          /* number of final blocks that are read first */
    AHEAD = 16,               /* prefetch distance, in items */
};

/* ---- reading ---- */

/* Reserves aligned memory, because an event is one cache line and would otherwise straddle two. Its size
 * is what the block states, within reason; the decoder grows it if needed. */
static void
make_room(struct sb_events *b, uint64_t n_events)
{
    enum { LINE = sizeof *b->at, MOST = 1 << 20, MORE = 64 };
    size_t n = (size_t)(n_events < MOST ? n_events : MOST) + MORE;
    if (b->cap >= n)
        return;
    free(b->at);
    b->at = aligned_alloc(LINE, n * sizeof *b->at);
    if (!b->at)
        sb_out_of_memory(n * sizeof *b->at);
    b->cap = n;
}

static struct sb_events
take_buffer(struct sb_read *o, uint64_t n_events)
{
    struct sb_events b = {0};
    pthread_mutex_lock(&o->lock);
    if (o->spare.n > 0)
        b = o->spare.at[--o->spare.n];
    pthread_mutex_unlock(&o->lock);
    make_room(&b, n_events);
    return b;
}

static void
hold(struct sb_read *o, struct sb_events events, int64_t last)
{
    pthread_mutex_lock(&o->lock);
    *SB_PUSH(&o->held) = (struct sb_decoded){events, last};
    pthread_mutex_unlock(&o->lock);
}

/* Copies events from the worker's buffer, which stays in the cache, to memory of their exact size, for
 * reading the whole trace first. */
static struct sb_events
keep_events(struct sb_read *o, const struct sb_events *from, unsigned worker)
{
    struct sb_events kept = {sb_store_take(&o->store[worker], from->n * sizeof *from->at), from->n, 0};
    if (from->n > 0)
        memcpy(kept.at, from->at, from->n * sizeof *from->at);
    return kept;
}

/* Makes stamps monotonic: stamps of CPU time may run backwards, but the order of the file is right. Events
 * without stamps get consecutive ones. */
static void
never_back(struct sb_read *o, struct sb_events *events)
{
    for (size_t i = 0; i < events->n; i++) {
        struct sb_event *ev = &events->at[i];
        if (o->run->facts.untimed && ev->at_ns == SB_AT_UNKNOWN)
            ev->at_ns = o->file_time == SB_AT_UNKNOWN ? 0 : o->file_time + 1;
        if (ev->at_ns < o->file_time)
            ev->at_ns = o->file_time;
        o->file_time = ev->at_ns;
    }
}

static void
note_bounds(struct sb_read *o, uint32_t input, const struct sb_routed *routed)
{
    struct sb_input *in = &o->run->inputs.at[input];
    pthread_mutex_lock(&o->lock);
    in->first = routed->min < in->first ? routed->min : in->first;
    in->last = routed->max > in->last ? routed->max : in->last;
    pthread_mutex_unlock(&o->lock);
}

static void
read_block(void *ctx, size_t i, unsigned worker)
{
    struct sb_read *o = ctx;
    const struct sb_planned *p = &o->run->plan.at[o->next + i];
    struct sb_events events = o->bounded ? take_buffer(o, p->b.n_events) : o->buffer[worker];
    sb_inputs_decode(o->run, p->input, &p->b, worker, &events);
    if (o->run->facts.file_order)
        never_back(o, &events);
    if (!o->bounded) {
        o->buffer[worker] = events;
        o->buffer[worker].n = 0;
        events = keep_events(o, &events, worker);
    }
    struct sb_routed routed = sb_route_events(&o->router[worker], &events, !o->run->facts.file_order);
    note_bounds(o, p->input, &routed);
    if (o->bounded)
        hold(o, events, routed.until);
    __atomic_fetch_add(&o->done_bytes, p->b.size, __ATOMIC_RELAXED);
}

static int
by_first(const void *a, const void *b)
{
    const struct sb_planned *x = a, *y = b;
    if (x->b.first_ns != y->b.first_ns)
        return x->b.first_ns < y->b.first_ns ? -1 : 1;
    if (x->input != y->input)
        return x->input < y->input ? -1 : 1;
    return (x->b.seq > y->b.seq) - (x->b.seq < y->b.seq);
}

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
order_blocks(struct sb_run *r)
{
    for (size_t i = 0; i < r->plan.n; i++) {
        struct sb_planned *p = &r->plan.at[i];
        if (!has_bounds(&p->b))
            continue;
        p->b.first_ns = on_axis(r, p, p->b.first_ns);
        p->b.last_ns = on_axis(r, p, p->b.last_ns);
    }
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
    size_t last = r->plan.n < LAST_BLOCKS ? r->plan.n : LAST_BLOCKS;
    struct sb_planned end[LAST_BLOCKS];
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
    struct sb_events events = take_buffer(o, p->b.n_events);
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
sb_read_plan(struct sb_read *o, struct sb_err *e)
{
    struct sb_run *r = o->run;
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

static bool
go_on(struct sb_read *o, struct sb_err *e)
{
    const struct sb_engine_options *opt = o->run->o;
    if (!opt->progress || opt->progress(opt->ctx, o->done_bytes, o->total_bytes))
        return true;
    return sb_err_set(e, SB_ERR_LIMIT, "stopped");
}

static void
read_in_file_order(void *ctx, size_t none, unsigned worker)
{
    (void)none;
    (void)worker; /* one router, so that events with equal stamps keep their order */
    struct sb_read *o = ctx;
    for (size_t i = 0; i < o->begun; i++)
        read_block(o, i, 0);
}

void
sb_read_begin(struct sb_read *o, size_t n)
{
    o->begun = n;
    o->reading = o->run->facts.file_order ? (struct sb_jobs){.n = 1, .fn = read_in_file_order, .ctx = o}
                                          : (struct sb_jobs){.n = n, .fn = read_block, .ctx = o};
    sb_pool_start(o->run->services.pool, &o->reading);
}

static void
wait(struct sb_read *o)
{
    if (o->begun > 0)
        sb_pool_wait(o->run->services.pool, &o->reading);
    o->next += o->begun;
    o->begun = 0;
}

bool
sb_read_end(struct sb_read *o, struct sb_err *e)
{
    wait(o);
    return go_on(o, e);
}

size_t
sb_read_enough(const struct sb_read *o)
{
    /* a window cannot end at a block without bounds */
    size_t n = 0, must = o->next == 0 ? LAST_BLOCKS : 0;
    uint64_t events = 0;
    while (o->next + n < o->run->plan.n &&
           (n <= must || events < o->at_once || o->run->plan.at[o->next + n].b.first_ns == INT64_MIN)) {
        const struct sb_block *b = &o->run->plan.at[o->next + n++].b;
        events += b->n_events ? b->n_events : b->size / 8;
    }
    return n;
}

void
sb_read_taken(struct sb_read *o)
{
    for (unsigned w = 0; w < o->run->services.workers; w++)
        sb_route_taken(&o->router[w], !o->bounded);
    o->known = o->held.n;
}

void
sb_read_free(struct sb_read *o, uint64_t until)
{
    size_t kept = 0;
    pthread_mutex_lock(&o->lock);
    for (size_t i = 0; i < o->held.n; i++) {
        struct sb_decoded *d = &o->held.at[i];
        if (i >= o->known || sb_bias(d->last) >= until) {
            o->held.at[kept++] = *d;
            continue;
        }
        d->events.n = 0;
        *SB_PUSH(&o->spare) = d->events;
    }
    o->known -= o->held.n - kept;
    o->held.n = kept;
    pthread_mutex_unlock(&o->lock);
}

uint64_t
sb_read_known(const struct sb_read *o)
{
    const struct sb_run *r = o->run;
    if (o->next == r->plan.n)
        return UINT64_MAX;
    uint64_t first = sb_bias(r->plan.at[o->next].b.first_ns);
    return first > SB_QUIET_LATE_NS ? first - SB_QUIET_LATE_NS : 0;
}

void
sb_read_restart(struct sb_read *o)
{
    sb_read_taken(o);
    sb_read_free(o, UINT64_MAX);
    o->next = 0;
    o->file_time = SB_AT_UNKNOWN;
    for (unsigned w = 0; w < o->run->services.workers; w++)
        o->router[w].n_events = 0;
}

/* ---- opening and closing ---- */

static void *
one_a_worker(const struct sb_run *r, size_t bytes)
{
    void *at = calloc(r->services.workers, bytes);
    if (!at)
        sb_out_of_memory(bytes);
    return at;
}

void
sb_read_open(struct sb_read *o, struct sb_run *r)
{
    *o = (struct sb_read){.run = r, .spill.fd = -1, .last = INT64_MIN};
    o->memory = sb_memory(r);
    o->at_once = o->memory / EVENT_COSTS < EVENTS_AT_ONCE ? o->memory / EVENT_COSTS + 16 : EVENTS_AT_ONCE;
    o->router = one_a_worker(r, sizeof *o->router);
    o->buffer = one_a_worker(r, sizeof *o->buffer);
    o->store = one_a_worker(r, sizeof *o->store);
    pthread_mutex_init(&o->lock, NULL);
}

void
sb_read_close(struct sb_read *o)
{
    wait(o);
    for (unsigned w = 0; w < o->run->services.workers; w++) {
        sb_route_close(&o->router[w]);
        free(o->buffer[w].at);
        sb_store_close(&o->store[w]);
    }
    free(o->router);
    free(o->buffer);
    free(o->store);
    sb_spill_close(&o->spill);
    for (size_t i = 0; i < o->held.n; i++)
        free(o->held.at[i].events.at);
    for (size_t i = 0; i < o->spare.n; i++)
        free(o->spare.at[i].at);
    SB_VEC_FREE(&o->held);
    SB_VEC_FREE(&o->spare);
    pthread_mutex_destroy(&o->lock);
}
