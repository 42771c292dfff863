/*
 * A fixed set of worker threads and a bounded queue of jobs. Submitting blocks while the queue is full, so a
 * producer can never run ahead of its consumers by more than the bound. With n_threads == 1 jobs run at once in
 * the calling thread: same code, no threads, easy to debug.
 */
#ifndef SB_BASE_POOL_H
#define SB_BASE_POOL_H
#include <stddef.h>

struct sb_pool;
typedef void sb_job_fn(void *arg, unsigned worker); /* worker: 0 .. n_threads-1, for per-worker state */

struct sb_pool *sb_pool_open(unsigned n_threads, size_t queue_bound); /* n_threads 0: one per core */
unsigned sb_pool_threads(const struct sb_pool *p);
void sb_pool_submit(struct sb_pool *p, sb_job_fn *fn, void *arg);
void sb_pool_wait(struct sb_pool *p); /* until everything submitted has run */
void sb_pool_close(struct sb_pool *p);
/* fn(ctx, i, worker) for i in 0..n-1, spread over the workers; returns when all are done */
void sb_pool_each(struct sb_pool *p, size_t n, void (*fn)(void *ctx, size_t i, unsigned worker), void *ctx);

#endif
