#include "base/pool_log.h"
#include "base/arena.h"
#include "base/order.h"
#include "base/progress.h"
#include "base/vec.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { NONE = UINT32_MAX };

enum does { RUN, GIVE, WAIT };

struct piece {
    enum does does;
    uint32_t jobs;     /* GIVE and WAIT */
    int64_t ns;        /* RUN */
    const char *stage; /* RUN */
};

struct sb_pool_strand {
    uint32_t jobs; /* which it belongs to; NONE: the caller */
    const char *stage;
    int64_t since;
    struct {
        struct piece *at;
        size_t n, cap;
    } piece;
};

struct sb_pool_log {
    pthread_mutex_t lock;
    struct {
        struct sb_pool_strand **at;
        size_t n, cap;
    } strand;
    uint32_t n_jobs; /* how often jobs were given */
};

static _Thread_local struct sb_pool_strand *current;

/* ---- recording */

static void
charge(struct sb_pool_strand *s)
{
    int64_t now = sb_thread_cpu_ns();
    *SB_PUSH(&s->piece) = (struct piece){.does = RUN, .ns = now - s->since, .stage = s->stage};
    s->since = now;
}

static void
begin(struct sb_pool_log *l, struct sb_pool_given given)
{
    struct sb_pool_strand *s = SB_HEAP(struct sb_pool_strand, .jobs = given.number, .stage = given.stage);
    pthread_mutex_lock(&l->lock);
    *SB_PUSH(&l->strand) = s;
    pthread_mutex_unlock(&l->lock);
    current = s;
    s->since = sb_thread_cpu_ns();
}

struct sb_pool_log *
sb_pool_log_open(void)
{
    struct sb_pool_log *l = sb_zeroed_or_die(1, sizeof *l);
    pthread_mutex_init(&l->lock, NULL);
    begin(l, (struct sb_pool_given){.number = NONE});
    return l;
}

void
sb_pool_log_end(struct sb_pool_log *l)
{
    (void)l;
    charge(current);
    current = NULL;
}

void
sb_pool_log_close(struct sb_pool_log *l)
{
    if (!l)
        return;
    for (size_t i = 0; i < l->strand.n; i++) {
        free(l->strand.at[i]->piece.at);
        free(l->strand.at[i]);
    }
    free(l->strand.at);
    pthread_mutex_destroy(&l->lock);
    free(l);
}

struct sb_pool_given
sb_pool_log_give(struct sb_pool_log *l)
{
    charge(current);
    pthread_mutex_lock(&l->lock);
    uint32_t jobs = l->n_jobs++;
    pthread_mutex_unlock(&l->lock);
    *SB_PUSH(&current->piece) = (struct piece){.does = GIVE, .jobs = jobs};
    return (struct sb_pool_given){jobs, current->stage};
}

struct sb_pool_strand *
sb_pool_log_begin(struct sb_pool_log *l, struct sb_pool_given given)
{
    struct sb_pool_strand *rests = current;
    begin(l, given);
    return rests;
}

void
sb_pool_log_done(struct sb_pool_strand *rested)
{
    charge(current);
    current = rested;
}

void
sb_pool_log_wait(struct sb_pool_given given)
{
    charge(current);
    *SB_PUSH(&current->piece) = (struct piece){.does = WAIT, .jobs = given.number};
}

/* What the thread did meanwhile belongs to other strands. */
void
sb_pool_log_waited(void)
{
    current->since = sb_thread_cpu_ns();
}

void
sb_pool_log_stage(const char *stage)
{
    charge(current);
    current->stage = stage;
}

/* ---- the same work on some number of cores: cores take the strand that can go on, first those that have begun */

struct point { /* where a chain of pieces has come to: the piece that ended then, and what it waited for */
    int64_t ns;
    const struct piece *piece;
    uint32_t before; /* another point; NONE: the beginning */
};

struct running {
    int64_t until;
    uint32_t strand;
};

struct on {
    const struct sb_pool_log *log;
    unsigned cores;
    int64_t now;
    struct {
        struct point *at;
        size_t n, cap;
    } point;
    size_t *next;      /* of each strand: its next piece */
    uint32_t *come;    /* of each strand: its point */
    uint32_t *first;   /* of jobs: where their strands begin in `by_jobs` */
    uint32_t *by_jobs; /* strands in the order of their jobs */
    size_t *left;      /* of jobs: strands that have not ended */
    uint32_t *last;    /* of jobs: the point at which the last one ended */
    uint32_t *waiting; /* of jobs: the strand that waits for them */
    struct {
        uint32_t *at;
        size_t n, cap;
    } begun, fresh; /* strands that a free core can take */
    size_t fresh_from;
    struct {
        struct running *at; /* a heap, the earliest first */
        size_t n, cap;
    } running;
};

static void
sift(struct on *o, size_t i)
{
    struct running *a = o->running.at;
    for (size_t k; (k = 2 * i + 1) < o->running.n; i = k) {
        if (k + 1 < o->running.n && a[k + 1].until < a[k].until)
            k++;
        if (a[i].until <= a[k].until)
            return;
        struct running x = a[i];
        a[i] = a[k];
        a[k] = x;
    }
}

static void
push(struct on *o, struct running r)
{
    *SB_PUSH(&o->running) = r;
    struct running *a = o->running.at;
    for (size_t i = o->running.n - 1; i > 0 && a[i].until < a[(i - 1) / 2].until; i = (i - 1) / 2) {
        struct running x = a[i];
        a[i] = a[(i - 1) / 2];
        a[(i - 1) / 2] = x;
    }
}

static struct running
pop(struct on *o)
{
    struct running r = o->running.at[0];
    o->running.at[0] = o->running.at[--o->running.n];
    sift(o, 0);
    return r;
}

static void
give(struct on *o, uint32_t strand, uint32_t jobs)
{
    for (uint32_t i = o->first[jobs]; i < o->first[jobs + 1]; i++) {
        o->come[o->by_jobs[i]] = o->come[strand];
        *SB_PUSH(&o->fresh) = o->by_jobs[i];
    }
}

static void
end(struct on *o, uint32_t strand)
{
    uint32_t jobs = o->log->strand.at[strand]->jobs;
    if (jobs == NONE || --o->left[jobs] > 0)
        return;
    o->last[jobs] = o->come[strand];
    uint32_t waiting = o->waiting[jobs];
    if (waiting == NONE)
        return;
    o->come[waiting] = o->come[strand];
    *SB_PUSH(&o->begun) = waiting;
}

/* A core goes on with a strand until it runs for a while, waits or ends. */
static void
go_on(struct on *o, uint32_t strand)
{
    const struct sb_pool_strand *s = o->log->strand.at[strand];
    while (o->next[strand] < s->piece.n) {
        const struct piece *p = &s->piece.at[o->next[strand]++];
        if (p->does == GIVE) {
            give(o, strand, p->jobs);
        } else if (p->does == WAIT) {
            if (o->left[p->jobs] > 0) {
                o->waiting[p->jobs] = strand;
                return;
            }
            if (o->last[p->jobs] != NONE && o->come[strand] != NONE &&
                o->point.at[o->last[p->jobs]].ns > o->point.at[o->come[strand]].ns)
                o->come[strand] = o->last[p->jobs];
        } else if (p->ns > 0) {
            *SB_PUSH(&o->point) = (struct point){o->now + p->ns, p, o->come[strand]};
            o->come[strand] = (uint32_t)(o->point.n - 1);
            push(o, (struct running){o->now + p->ns, strand});
            return;
        }
    }
    end(o, strand);
}

static bool
take(struct on *o, uint32_t *strand)
{
    if (o->begun.n > 0) {
        *strand = o->begun.at[--o->begun.n];
        return true;
    }
    if (o->fresh_from == o->fresh.n)
        return false;
    *strand = o->fresh.at[o->fresh_from++];
    return true;
}

static void *
filled(size_t n, size_t size, int byte)
{
    return memset(sb_realloc_or_die(NULL, sb_mul_or_die(n, size)), byte, n * size);
}

static void
sort_by_jobs(struct on *o)
{
    const struct sb_pool_log *l = o->log;
    for (size_t i = 0; i < l->strand.n; i++)
        if (l->strand.at[i]->jobs != NONE)
            o->left[l->strand.at[i]->jobs]++;
    for (size_t j = 0; j < l->n_jobs; j++)
        o->first[j + 1] = o->first[j] + (uint32_t)o->left[j];
    uint32_t *next = filled(l->n_jobs + 1, sizeof *next, 0);
    memcpy(next, o->first, l->n_jobs * sizeof *next);
    for (size_t i = 0; i < l->strand.n; i++)
        if (l->strand.at[i]->jobs != NONE)
            o->by_jobs[next[l->strand.at[i]->jobs]++] = (uint32_t)i;
    free(next);
}

static void
open_on(struct on *o, const struct sb_pool_log *l, unsigned cores)
{
    size_t n = l->strand.n, jobs = l->n_jobs + 1; /* one more, so that none is empty */
    *o = (struct on){.log = l, .cores = cores};
    o->next = filled(n, sizeof *o->next, 0);
    o->come = filled(n, sizeof *o->come, 0xff);
    o->by_jobs = filled(n, sizeof *o->by_jobs, 0);
    o->first = filled(jobs, sizeof *o->first, 0);
    o->left = filled(jobs, sizeof *o->left, 0);
    o->last = filled(jobs, sizeof *o->last, 0xff);
    o->waiting = filled(jobs, sizeof *o->waiting, 0xff);
    sort_by_jobs(o);
}

static void
close_on(struct on *o)
{
    free(o->point.at);
    free(o->next);
    free(o->come);
    free(o->first);
    free(o->by_jobs);
    free(o->left);
    free(o->last);
    free(o->waiting);
    free(o->begun.at);
    free(o->fresh.at);
    free(o->running.at);
}

/* Returns the point of the last end; NONE: nothing took any time. */
static uint32_t
replay(struct on *o)
{
    uint32_t strand, last = NONE;
    for (size_t i = 0; i < o->log->strand.n; i++)
        if (o->log->strand.at[i]->jobs == NONE)
            *SB_PUSH(&o->begun) = (uint32_t)i;
    for (;;) {
        while (o->running.n < o->cores && take(o, &strand))
            go_on(o, strand);
        if (o->running.n == 0)
            return last;
        struct running r = pop(o);
        o->now = r.until;
        last = o->come[r.strand];
        *SB_PUSH(&o->begun) = r.strand;
    }
}

int64_t
sb_pool_log_on(const struct sb_pool_log *l, unsigned cores)
{
    struct on o;
    open_on(&o, l, cores);
    replay(&o);
    int64_t ns = o.now;
    close_on(&o);
    return ns;
}

/* ---- stages */

static struct sb_pool_stage *
stage_of(struct sb_pool_stages *s, const char *name)
{
    for (size_t i = 0; i < s->n; i++)
        if (s->at[i].name == name || (name && s->at[i].name && strcmp(s->at[i].name, name) == 0))
            return &s->at[i];
    s->at = sb_realloc_or_die(s->at, (s->n + 1) * sizeof *s->at);
    s->at[s->n] = (struct sb_pool_stage){.name = name};
    return &s->at[s->n++];
}

SB_ORDER(by_work, struct sb_pool_stage, SB_DOWN(work_ns))

struct sb_pool_stages
sb_pool_log_stages(const struct sb_pool_log *l)
{
    struct sb_pool_stages s = {0};
    for (size_t i = 0; i < l->strand.n; i++) {
        const struct sb_pool_strand *x = l->strand.at[i];
        for (size_t k = 0; k < x->piece.n; k++)
            if (x->piece.at[k].does == RUN)
                stage_of(&s, x->piece.at[k].stage)->work_ns += x->piece.at[k].ns;
        if (x->stage)
            stage_of(&s, x->stage)->strands++;
    }
    struct on o;
    open_on(&o, l, UINT32_MAX);
    for (uint32_t at = replay(&o); at != NONE; at = o.point.at[at].before)
        stage_of(&s, o.point.at[at].piece->stage)->path_ns += o.point.at[at].piece->ns;
    s.path_ns = o.now;
    close_on(&o);
    for (size_t i = 0; i < s.n; i++)
        s.work_ns += s.at[i].work_ns;
    SB_SORT(&s, by_work);
    return s;
}
