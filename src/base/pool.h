/*
 * A fixed set of threads that run jobs. A thread that waits for jobs runs some of them. n_threads counts the
 * caller, so with one thread everything runs in the calling thread: the same code, no threads, easy to debug.
 *
 *     first -> each -> each -> started -> started -> submitted      free threads take from the front;
 *              `--- new ones `--------------------- new ones        a thread that waits for an `each`
 *                                                                   takes from the others, too
 *
 * A job may itself call `each`, and those jobs come first. It must not rely on the state of its worker across
 * that call, since the thread may run other jobs meanwhile. One thread from outside the pool may wait; any
 * thread may submit.
 */
#pragma once
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef void sb_job_fn(void *ctx, size_t i,
                       unsigned worker); /* worker: 0 .. n_threads-1, for per-worker state */

struct sb_pool_given { /* what a log knows of jobs */
    uint32_t number;
    const char *stage; /* of whom gave them */
};

struct sb_jobs { /* fn(ctx, i, worker) for i in 0 .. n-1 */
    size_t n;
    sb_job_fn *fn;
    void *ctx;
    /* used by the pool */
    atomic_size_t next;
    atomic_uint busy; /* threads running these jobs */
    bool first, submitted;
    struct sb_pool_given given;
    struct sb_jobs *behind;
};

struct sb_pool;
struct sb_pool *sb_pool_open(unsigned n_threads); /* 0: one per core */
unsigned sb_pool_threads(const struct sb_pool *p);
void sb_pool_close(struct sb_pool *p);

struct sb_pool_log;                                            /* pool_log.h */
void sb_pool_log_to(struct sb_pool *p, struct sb_pool_log *l); /* before the first jobs; NULL: no log */
void sb_pool_stage(const struct sb_pool *p, const char *what); /* what the calling thread does from now on */

void sb_pool_each(struct sb_pool *p, size_t n, sb_job_fn *fn, void *ctx); /* returns when all are done */
/* Jobs for idle threads. `j` must stay in place until it has been waited for. */
void sb_pool_start(struct sb_pool *p, struct sb_jobs *j);
void sb_pool_wait(struct sb_pool *p, struct sb_jobs *j);
/* One job that is not waited for by itself; sb_pool_drain waits for all of them, at most this long. It returns
 * whether they are done. */
void sb_pool_submit(struct sb_pool *p, void (*fn)(void *arg, unsigned worker), void *arg);
bool sb_pool_drain(struct sb_pool *p, int64_t ns);
