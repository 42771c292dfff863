/*
 *     share:   run run run ...       of each the edges of the next senders  -->  sorted by pair, added up   (any thread)
 *     share:   run run ...           \________ a cursor each ________/           \_____ a batch _____/
 *                                                                                         |
 *     all:                                               the first of the shares' batches, again and again
 *
 * While one batch of each share is asked for, the next is made.
 */
#include "base/sort.h"
#include "engine/edges.h"
#include "engine/run.h"

enum {
    AT_ONCE = 1 << 15,                   /* edges that are sorted together, about */
    READ_MEMORY = 16 << 20,              /* for what is read of all runs, */
    READ_LEAST = 1 << 11, READ_MOST = 1 << 15 /* of each so many bytes at once */
};

struct batch {
    struct sb_edge *at;
    size_t n, cap;
    size_t next; /* that was not yet asked for */
};

struct share {
    struct sb_edge_walk *walk;
    SB_VEC(struct sb_edge_cursor) cursors;
    SB_VEC(struct sb_edge) some; /* as they come, and */
    SB_VEC(struct sb_sort_key) key; /* by pair: which of them */
    SB_VEC(struct sb_sort_key) scratch;
    struct batch made, given; /* the next one, and the one that is asked for */
};

struct sb_edge_walk {
    const struct sb_run *run;
    uint64_t senders, until; /* so many senders at once; of those below batches are made */
    struct sb_jobs making;
    struct share share[SB_SHARES];
};

/* ---- the next batch of a share ---- */

/* Its edges of the next senders; false when it is at its end. */
static bool
take_from(struct share *s, struct sb_edge_cursor *c)
{
    while (c->edge.sender < s->walk->until) {
        *SB_PUSH(&s->key) = (struct sb_sort_key){sb_edge_pair(c->edge.sender, c->edge.receiver), s->some.n};
        *SB_PUSH(&s->some) = c->edge;
        if (!sb_edge_cursor_next(c, &s->walk->run->edges->file))
            return false;
    }
    return true;
}

static void
take_some(struct share *s)
{
    s->some.n = s->key.n = s->scratch.n = 0;
    for (size_t i = 0; i < s->cursors.n;) {
        if (take_from(s, &s->cursors.at[i])) {
            i++;
            continue;
        }
        sb_edge_cursor_close(&s->cursors.at[i]);
        s->cursors.at[i] = s->cursors.at[--s->cursors.n];
    }
    SB_RESERVE(&s->scratch, s->key.n);
    if (s->key.n > 0)
        sb_sort_radix(s->key.at, s->scratch.at, s->key.n);
}

static void
make_batch(void *ctx, size_t i, unsigned worker)
{
    (void)worker;
    struct share *s = (struct share *)ctx + i;
    take_some(s);
    s->made.n = s->made.next = 0;
    SB_RESERVE(&s->made, s->key.n);
    for (size_t k = 0; k < s->key.n;) {
        struct sb_edge *sum = &s->made.at[s->made.n++];
        uint64_t pair = s->key.at[k].key;
        *sum = s->some.at[s->key.at[k++].value];
        for (; k < s->key.n && s->key.at[k].key == pair; k++)
            sb_edge_add(sum, &s->some.at[s->key.at[k].value]);
    }
}

static void
make_ahead(struct sb_edge_walk *w)
{
    w->until += w->senders;
    w->making = (struct sb_jobs){.n = SB_SHARES, .fn = make_batch, .ctx = w->share};
    sb_pool_start(w->run->pool, &w->making);
}

/* ---- all of them ---- */

/* Some send to few, some to all, and these come first. */
static void
pace(struct sb_edge_walk *w)
{
    size_t n = 0;
    for (unsigned i = 0; i < SB_SHARES; i++)
        n += w->share[i].key.n;
    uint64_t fit = w->senders * AT_ONCE / (n + 1) + 1;
    w->senders = fit < 2 * w->senders ? fit : 2 * w->senders;
}

/* What was made ahead is given now; false when nothing was left. */
static bool
turn(struct sb_edge_walk *w)
{
    size_t left = 0;
    sb_pool_wait(w->run->pool, &w->making);
    for (unsigned i = 0; i < SB_SHARES; i++) {
        struct share *s = &w->share[i];
        struct batch swap = s->given;
        s->given = s->made;
        s->made = swap;
        left += s->cursors.n + s->given.n;
    }
    pace(w);
    make_ahead(w);
    return left > 0;
}

static struct batch *
first(struct sb_edge_walk *w)
{
    struct batch *first = NULL;
    uint64_t least = UINT64_MAX;
    for (unsigned i = 0; i < SB_SHARES; i++) {
        struct batch *b = &w->share[i].given;
        uint64_t pair = b->next < b->n ? sb_edge_pair(b->at[b->next].sender, b->at[b->next].receiver) : UINT64_MAX;
        if (pair < least) {
            least = pair;
            first = b;
        }
    }
    return first;
}

bool
sb_edges_next(struct sb_edge_walk *w, struct sb_edge *e)
{
    struct batch *b;
    while (!(b = first(w)))
        if (!turn(w))
            return false;
    *e = b->at[b->next++];
    return true;
}

/* ---- opening and closing ---- */

static void
open_share(struct share *s, struct sb_edge_walk *w, const struct sb_edge_runs *runs, size_t room)
{
    s->walk = w;
    SB_RESERVE(&s->cursors, runs->n);
    for (size_t i = 0; i < runs->n; i++)
        sb_edge_cursor_open(&s->cursors.at[s->cursors.n++], &w->run->edges->file, &runs->at[i], room);
}

struct sb_edge_walk *
sb_edges_walk(const struct sb_run *r)
{
    struct sb_edge_walk *w = calloc(1, sizeof *w);
    if (!w)
        sb_out_of_memory(sizeof *w);
    size_t runs = 1;
    for (unsigned i = 0; i < SB_SHARES; i++)
        runs += r->edges->share[i].n;
    size_t room = READ_MEMORY / runs;
    room = room < READ_LEAST ? READ_LEAST : room < READ_MOST ? room : READ_MOST;
    w->run = r;
    w->senders = 1;
    for (unsigned i = 0; i < SB_SHARES; i++)
        open_share(&w->share[i], w, &r->edges->share[i], room);
    make_ahead(w);
    return w;
}

void
sb_edges_end(struct sb_edge_walk *w)
{
    sb_pool_wait(w->run->pool, &w->making);
    for (unsigned i = 0; i < SB_SHARES; i++) {
        struct share *s = &w->share[i];
        for (size_t k = 0; k < s->cursors.n; k++)
            sb_edge_cursor_close(&s->cursors.at[k]);
        SB_VEC_FREE(&s->cursors);
        SB_VEC_FREE(&s->some);
        SB_VEC_FREE(&s->key);
        SB_VEC_FREE(&s->scratch);
        SB_VEC_FREE(&s->made);
        SB_VEC_FREE(&s->given);
    }
    free(w);
}
