/*
 * A fixed set of threads that do jobs. Whoever waits works along: n_threads are the caller and those started here, so
 * with one of them everything runs in the calling thread: same code, no threads, easy to debug.
 *
 *     first -> each -> each -> started -> started -> submitted      free threads take from the front;
 *              `--- new ones `--------------------- new ones        who waits for an `each` takes from the others, too
 *
 * A job may itself call `each` (its jobs come first then), but no state of its worker may be in use while it does: the
 * thread may do other jobs meanwhile. Beside the pool's own threads one from outside may wait; any may submit.
 */
#ifndef SB_BASE_POOL_H
#define SB_BASE_POOL_H
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

typedef void sb_job_fn(void *ctx, size_t i, unsigned worker); /* worker: 0 .. n_threads-1, for per-worker state */

struct sb_jobs { /* fn(ctx, i, worker) for i in 0 .. n-1 */
    size_t n;
    sb_job_fn *fn;
    void *ctx;
    /* the pool's */
    atomic_size_t next;
    atomic_uint busy; /* threads at it */
    bool first, submitted;
    struct sb_jobs *behind;
};

struct sb_pool;
struct sb_pool *sb_pool_open(unsigned n_threads); /* 0: one per core */
unsigned sb_pool_threads(const struct sb_pool *p);
void sb_pool_close(struct sb_pool *p);

void sb_pool_each(struct sb_pool *p, size_t n, sb_job_fn *fn, void *ctx); /* returns when all are done */
/* For threads that have nothing else to do, until it is waited for; `j` stays where it is until then. */
void sb_pool_start(struct sb_pool *p, struct sb_jobs *j);
void sb_pool_wait(struct sb_pool *p, struct sb_jobs *j);
/* One job that nobody waits for, in another thread, if there is one; until all of them have run. */
void sb_pool_submit(struct sb_pool *p, void (*fn)(void *arg, unsigned worker), void *arg);
void sb_pool_drain(struct sb_pool *p);

#endif
