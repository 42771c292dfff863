#include "engine/order/read.h"
#include "engine/input/inputs.h"
#include "engine/world/quiet.h"

enum {
    EVENTS_AT_ONCE = 1 << 17, /* events per window, about */
    EVENT_COSTS = 512,        /* bytes of the memory limit per event of a window */
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

struct sb_events
sb_read_buffer(struct sb_read *o, uint64_t n_events)
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
    sb_pool_stage(o->run->services.pool, "read blocks, route events");
    struct sb_events events = o->bounded ? sb_read_buffer(o, p->b.n_events) : o->buffer[worker];
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

void
sb_read_rest(struct sb_read *o)
{
    if (o->begun > 0)
        sb_pool_wait(o->run->services.pool, &o->reading);
    o->next += o->begun;
    o->begun = 0;
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

bool
sb_read_end(struct sb_read *o, struct sb_err *e)
{
    sb_read_rest(o);
    return go_on(o, e);
}

size_t
sb_read_enough(const struct sb_read *o)
{
    /* a window cannot end at a block without bounds */
    size_t n = 0, must = o->next == 0 ? SB_READ_LAST_BLOCKS : 0;
    uint64_t events = 0;
    while (o->next + n < o->run->plan.n && o->run->plan.at[o->next + n].b.first_ns < o->bound &&
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
    int64_t next = o->next < r->plan.n ? r->plan.at[o->next].b.first_ns : INT64_MAX;
    next = next < o->bound ? next : o->bound;
    if (next == INT64_MAX)
        return UINT64_MAX;
    uint64_t first = sb_bias(next);
    return first > SB_QUIET_LATE_NS ? first - SB_QUIET_LATE_NS : 0;
}

uint64_t
sb_read_beyond(const struct sb_read *o, int64_t until)
{
    uint64_t n = 0;
    for (size_t i = 0; i < o->held.n; i++)
        for (size_t k = 0; k < o->held.at[i].events.n; k++)
            n += o->held.at[i].events.at[k].at_ns >= until;
    return n;
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

void
sb_read_open(struct sb_read *o, struct sb_run *r)
{
    *o = (struct sb_read){
        .run = r, .spill.fd = -1, .last = INT64_MIN, .bound = r->grows ? INT64_MIN : INT64_MAX};
    o->memory = sb_memory(r);
    o->at_once = o->memory / EVENT_COSTS < EVENTS_AT_ONCE ? o->memory / EVENT_COSTS + 16 : EVENTS_AT_ONCE;
    o->router = sb_zeroed_or_die(r->services.workers, sizeof *o->router);
    o->buffer = sb_zeroed_or_die(r->services.workers, sizeof *o->buffer);
    o->store = sb_zeroed_or_die(r->services.workers, sizeof *o->store);
    pthread_mutex_init(&o->lock, NULL);
}

void
sb_read_close(struct sb_read *o)
{
    sb_read_rest(o);
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
