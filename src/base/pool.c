#include "base/pool.h"
#include "base/arena.h"
#include "base/pool_log.h"
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { LOOKS = 50 }; /* how often an idle thread looks for work before it sleeps */

struct sb_pool {
    unsigned n_threads, n_started;
    pthread_t *thread;
    struct sb_jobs *first; /* jobs waiting or running */
    bool closing;
    struct sb_pool_log *log;
    atomic_uint changes; /* counts submissions and completions */
    pthread_mutex_t lock;
    pthread_cond_t work, done; /* for idle threads; for waiting callers */
};

struct worker {
    struct sb_pool *pool;
    unsigned index;
};

struct submitted {
    struct sb_jobs jobs;
    void (*fn)(void *arg, unsigned worker);
    void *arg;
};

/* ---- jobs, with the lock held ---- */

static bool
has_some(const struct sb_jobs *j)
{
    return atomic_load_explicit(&j->next, memory_order_relaxed) < j->n;
}

static bool
is_done(const struct sb_jobs *j)
{
    return !has_some(j) && j->busy == 0;
}

static struct sb_jobs *
find(const struct sb_pool *p, bool only_first)
{
    for (struct sb_jobs *j = p->first; j && (j->first || !only_first); j = j->behind)
        if (has_some(j))
            return j;
    return NULL;
}

static void
put(struct sb_pool *p, struct sb_jobs *j)
{
    struct sb_jobs **at = &p->first;
    while (*at && !j->first)
        at = &(*at)->behind;
    j->behind = *at;
    *at = j;
    p->changes++;
    (j->n > 1 ? pthread_cond_broadcast : pthread_cond_signal)(&p->work);
    if (j->first)
        pthread_cond_broadcast(&p->done);
}

static void
take_away(struct sb_pool *p, struct sb_jobs *j)
{
    struct sb_jobs **at = &p->first;
    while (*at != j)
        at = &(*at)->behind;
    *at = j->behind;
    if (j->submitted)
        free(j);
}

static void
run(struct sb_pool *p, struct sb_jobs *j, size_t i, unsigned worker)
{
    struct sb_pool_strand *rested = p->log ? sb_pool_log_begin(p->log, j->given) : NULL;
    j->fn(j->ctx, i, worker);
    if (p->log)
        sb_pool_log_done(rested);
}

/* Runs the jobs that nobody has taken. */
static void
join(struct sb_pool *p, struct sb_jobs *j, unsigned worker)
{
    j->busy++;
    pthread_mutex_unlock(&p->lock);
    for (size_t i; (i = atomic_fetch_add_explicit(&j->next, 1, memory_order_relaxed)) < j->n;)
        run(p, j, i, worker);
    pthread_mutex_lock(&p->lock);
    if (--j->busy > 0)
        return;
    if (j->submitted)
        take_away(p, j);
    p->changes++;
    pthread_cond_broadcast(&p->done);
}

/* Waits for work. Sleeping and waking costs more than most waits last, so a thread first polls a few times
 * and yields its core in between. */
static void
rest(struct sb_pool *p, pthread_cond_t *woken)
{
    unsigned seen = p->changes;
    pthread_mutex_unlock(&p->lock);
    for (unsigned i = 0; i < LOOKS && p->changes == seen; i++)
        sched_yield();
    pthread_mutex_lock(&p->lock);
    if (p->changes == seen)
        pthread_cond_wait(woken, &p->lock);
}

/* ---- threads ---- */

static void *
work(void *arg)
{
    struct worker w = *(struct worker *)arg;
    struct sb_pool *p = w.pool;
    free(arg);
    pthread_mutex_lock(&p->lock);
    for (;;) {
        struct sb_jobs *j = find(p, false);
        if (j)
            join(p, j, w.index);
        else if (p->closing)
            break;
        else
            rest(p, &p->work);
    }
    pthread_mutex_unlock(&p->lock);
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
    pthread_mutex_lock(&p->lock); /* workers start once their number is known */
    for (unsigned i = 0; i + 1 < p->n_threads; i++) {
        struct worker *w = sb_realloc_or_die(NULL, sizeof *w);
        *w = (struct worker){p, i};
        if (pthread_create(&p->thread[i], NULL, work, w) != 0) {
            free(w);
            break;
        }
        p->n_started++;
    }
    pthread_mutex_unlock(&p->lock);
}

/* One of the pool's own threads, or the one from outside. */
static unsigned
this_worker(const struct sb_pool *p)
{
    for (unsigned i = 0; i < p->n_started; i++)
        if (pthread_equal(p->thread[i], pthread_self()))
            return i;
    return p->n_threads - 1;
}

struct sb_pool *
sb_pool_open(unsigned n_threads)
{
    struct sb_pool *p = sb_realloc_or_die(NULL, sizeof *p);
    *p = (struct sb_pool){.n_threads = n_threads ? n_threads : cores()};
    pthread_mutex_init(&p->lock, NULL);
    pthread_cond_init(&p->work, NULL);
    pthread_cond_init(&p->done, NULL);
    p->thread = sb_realloc_or_die(NULL, sb_mul_or_die(p->n_threads, sizeof *p->thread));
    start_threads(p);
    return p;
}

unsigned
sb_pool_threads(const struct sb_pool *p)
{
    return p->n_threads;
}

void
sb_pool_log_to(struct sb_pool *p, struct sb_pool_log *l)
{
    p->log = l;
}

void
sb_pool_stage(const struct sb_pool *p, const char *what)
{
    if (p->log)
        sb_pool_log_stage(what);
}

void
sb_pool_close(struct sb_pool *p)
{
    if (!p)
        return;
    pthread_mutex_lock(&p->lock);
    p->closing = true;
    p->changes++;
    pthread_cond_broadcast(&p->work);
    pthread_mutex_unlock(&p->lock);
    for (unsigned i = 0; i < p->n_started; i++)
        pthread_join(p->thread[i], NULL);
    pthread_mutex_destroy(&p->lock);
    pthread_cond_destroy(&p->work);
    pthread_cond_destroy(&p->done);
    free(p->thread);
    free(p);
}

/* ---- submitting and waiting ---- */

static void
give(struct sb_pool *p, struct sb_jobs *j)
{
    atomic_store(&j->next, 0);
    atomic_store(&j->busy, 0);
    if (p->log)
        j->given = sb_pool_log_give(p->log);
    pthread_mutex_lock(&p->lock);
    put(p, j);
    pthread_mutex_unlock(&p->lock);
}

void
sb_pool_start(struct sb_pool *p, struct sb_jobs *j)
{
    j->first = j->submitted = false;
    give(p, j);
}

void
sb_pool_wait(struct sb_pool *p, struct sb_jobs *j)
{
    unsigned worker = this_worker(p);
    if (p->log)
        sb_pool_log_wait(j->given);
    pthread_mutex_lock(&p->lock);
    if (has_some(j))
        join(p, j, worker);
    while (!is_done(j)) {
        struct sb_jobs *other = find(p, true);
        if (other)
            join(p, other, worker);
        else
            rest(p, &p->done);
    }
    take_away(p, j);
    pthread_mutex_unlock(&p->lock);
    if (p->log)
        sb_pool_log_waited();
}

void
sb_pool_each(struct sb_pool *p, size_t n, sb_job_fn *fn, void *ctx)
{
    struct sb_jobs j = {.n = n, .fn = fn, .ctx = ctx, .first = true};
    give(p, &j);
    sb_pool_wait(p, &j);
}

static void
do_submitted(void *ctx, size_t i, unsigned worker)
{
    (void)i;
    struct submitted *s = ctx;
    s->fn(s->arg, worker);
}

void
sb_pool_submit(struct sb_pool *p, void (*fn)(void *arg, unsigned worker), void *arg)
{
    if (p->n_started == 0) {
        fn(arg, p->n_threads - 1);
        return;
    }
    struct submitted *s = sb_realloc_or_die(NULL, sizeof *s);
    *s = (struct submitted){{.n = 1, .fn = do_submitted, .ctx = s, .submitted = true}, fn, arg};
    give(p, &s->jobs);
}

bool
sb_pool_drain(struct sb_pool *p, int64_t ns)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    ns += until.tv_nsec;
    until.tv_sec += ns / 1000000000, until.tv_nsec = ns % 1000000000;
    pthread_mutex_lock(&p->lock);
    while (p->first && pthread_cond_timedwait(&p->done, &p->lock, &until) != ETIMEDOUT)
        continue;
    bool done = p->first == NULL;
    pthread_mutex_unlock(&p->lock);
    return done;
}
