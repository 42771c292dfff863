#include "base/pool.h"
#include "base/arena.h"
#include "base/err.h"
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

struct job {
    sb_job_fn *fn;
    void *arg;
};

/* Jobs wait in a ring of `bound`; `unfinished` counts those waiting or running. */
struct sb_pool {
    unsigned n_threads, n_started;
    pthread_t *thread;
    struct job *queue;
    size_t bound, head, waiting, unfinished;
    bool closing;
    pthread_mutex_t lock;
    pthread_cond_t work, room, idle;
};

struct worker {
    struct sb_pool *pool;
    unsigned index;
};

static bool
take(struct sb_pool *p, struct job *out)
{
    while (p->waiting == 0 && !p->closing)
        pthread_cond_wait(&p->work, &p->lock);
    if (p->waiting == 0)
        return false;
    *out = p->queue[p->head];
    p->head = (p->head + 1) % p->bound;
    p->waiting--;
    pthread_cond_signal(&p->room);
    return true;
}

static void *
work(void *arg)
{
    struct worker w = *(struct worker *)arg;
    free(arg);
    struct job job;
    pthread_mutex_lock(&w.pool->lock);
    while (take(w.pool, &job)) {
        pthread_mutex_unlock(&w.pool->lock);
        job.fn(job.arg, w.index);
        pthread_mutex_lock(&w.pool->lock);
        if (--w.pool->unfinished == 0)
            pthread_cond_broadcast(&w.pool->idle);
    }
    pthread_mutex_unlock(&w.pool->lock);
    return NULL;
}

static unsigned
cores(void)
{
    long n = sysconf(_SC_NPROCESSORS_ONLN);
    return n < 1 ? 1 : n > 256 ? 256 : (unsigned)n;
}

/* Fewer threads than asked for is slower, not wrong: none at all means that jobs run in the caller. */
static void
start_threads(struct sb_pool *p)
{
    for (unsigned i = 0; i < p->n_threads; i++) {
        struct worker *w = sb_realloc_or_die(NULL, sizeof *w);
        *w = (struct worker){p, i};
        if (pthread_create(&p->thread[i], NULL, work, w) != 0) {
            free(w);
            break;
        }
        p->n_started++;
    }
}

struct sb_pool *
sb_pool_open(unsigned n_threads, size_t queue_bound)
{
    struct sb_pool *p = sb_realloc_or_die(NULL, sizeof *p);
    *p = (struct sb_pool){.n_threads = n_threads ? n_threads : cores(),
                          .bound = queue_bound ? queue_bound : 1};
    pthread_mutex_init(&p->lock, NULL);
    pthread_cond_init(&p->work, NULL);
    pthread_cond_init(&p->room, NULL);
    pthread_cond_init(&p->idle, NULL);
    p->queue = sb_realloc_or_die(NULL, sb_mul_or_die(p->bound, sizeof *p->queue));
    p->thread = sb_realloc_or_die(NULL, sb_mul_or_die(p->n_threads, sizeof *p->thread));
    if (p->n_threads > 1)
        start_threads(p);
    return p;
}

unsigned
sb_pool_threads(const struct sb_pool *p)
{
    return p->n_threads;
}

void
sb_pool_submit(struct sb_pool *p, sb_job_fn *fn, void *arg)
{
    if (p->n_started == 0) {
        fn(arg, 0);
        return;
    }
    pthread_mutex_lock(&p->lock);
    while (p->waiting == p->bound)
        pthread_cond_wait(&p->room, &p->lock);
    p->queue[(p->head + p->waiting++) % p->bound] = (struct job){fn, arg};
    p->unfinished++;
    pthread_cond_signal(&p->work);
    pthread_mutex_unlock(&p->lock);
}

void
sb_pool_wait(struct sb_pool *p)
{
    pthread_mutex_lock(&p->lock);
    while (p->unfinished > 0)
        pthread_cond_wait(&p->idle, &p->lock);
    pthread_mutex_unlock(&p->lock);
}

void
sb_pool_close(struct sb_pool *p)
{
    if (!p)
        return;
    pthread_mutex_lock(&p->lock);
    p->closing = true;
    pthread_cond_broadcast(&p->work);
    pthread_mutex_unlock(&p->lock);
    for (unsigned i = 0; i < p->n_started; i++)
        pthread_join(p->thread[i], NULL);
    pthread_mutex_destroy(&p->lock);
    pthread_cond_destroy(&p->work);
    pthread_cond_destroy(&p->room);
    pthread_cond_destroy(&p->idle);
    free(p->queue);
    free(p->thread);
    free(p);
}

/* Workers take the next index until none is left. */
struct each {
    atomic_size_t next;
    size_t n;
    void (*fn)(void *ctx, size_t i, unsigned worker);
    void *ctx;
};

static void
each_job(void *arg, unsigned worker)
{
    struct each *e = arg;
    for (size_t i; (i = atomic_fetch_add(&e->next, 1)) < e->n;)
        e->fn(e->ctx, i, worker);
}

void
sb_pool_each(struct sb_pool *p, size_t n, void (*fn)(void *ctx, size_t i, unsigned worker), void *ctx)
{
    struct each e = {.n = n, .fn = fn, .ctx = ctx};
    size_t jobs = p->n_started ? p->n_started : 1;
    for (size_t i = 0; i < jobs && i < n; i++)
        sb_pool_submit(p, each_job, &e);
    sb_pool_wait(p);
}
