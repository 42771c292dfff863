#include "trace/each.h"
#include <pthread.h>

/* Workers frame blocks in turn, under a lock, and decode them in parallel. Framing is cheap. */
struct each {
    struct sb_source *source;
    sb_each_fn *fn;
    void *ctx;
    struct sb_events *events; /* one buffer per worker, reused */
    pthread_mutex_t turn;
    bool ended;
    struct sb_err *err;
};

static bool
take(struct each *each, struct sb_block *block)
{
    pthread_mutex_lock(&each->turn);
    bool taken = !each->ended && sb_source_next(each->source, block, each->err);
    each->ended = !taken;
    pthread_mutex_unlock(&each->turn);
    return taken;
}

static void
work(void *arg, size_t i, unsigned worker)
{
    (void)i;
    struct each *each = arg;
    struct sb_events *events = &each->events[worker];
    for (struct sb_block block; take(each, &block);) {
        events->n = 0;
        sb_source_decode(each->source, &block, events);
        each->fn(each->ctx, &block, events, worker);
    }
}

bool
sb_source_each(struct sb_source *s, struct sb_pool *pool, sb_each_fn *fn, void *ctx, struct sb_err *e)
{
    struct sb_err ignored = {0};
    unsigned n = sb_pool_threads(pool);
    struct each each = {.source = s, .fn = fn, .ctx = ctx, .err = e ? e : &ignored};
    each.events = sb_zeroed_or_die(n, sizeof *each.events);
    pthread_mutex_init(&each.turn, NULL);
    sb_pool_each(pool, n, work, &each);
    pthread_mutex_destroy(&each.turn);
    for (unsigned i = 0; i < n; i++)
        SB_VEC_FREE(&each.events[i]);
    free(each.events);
    return each.err->code == SB_OK;
}
