/*
 *     run run run run ...      the notes of the next pairs of each  -->  sorted, added up, rows (any thread)
 *     \_ a cursor each _/      \____________ a batch ____________/
 *
 * While the caller reads some batches, the pool makes the next ones.
 */
#include "engine/edges/edge_order.h"
#include "engine/edges/edges.h"
#include "engine/state/run.h"

enum {
    AT_ONCE = 1 << 13,      /* notes per batch, about */
    OF_A_RUN = 16,          /* but at least this many per run, since every batch visits all runs */
    READ_MEMORY = 16 << 20, /* for the buffers of all cursors */
    READ_LEAST = 1 << 11,
    READ_MOST = 1 << 15 /* bytes per read, at least and at most */
};

struct batch {
    const struct sb_edge_walk *walk;
    struct sb_edge_notes notes;
    struct sb_edge_order order;
    struct sb_rows rows;
};

struct sb_edge_walk {
    const struct sb_run *run;
    sb_edge_put_fn *put;
    void *ctx;
    SB_VEC(struct sb_edge_cursor) cursors;
    size_t at_once; /* notes per batch, about */
    uint64_t pairs; /* number of pairs per batch, at most */
    struct sb_jobs making;
    unsigned n, next;           /* number of batches made at once; index of the next one to return */
    struct batch *made, *given; /* n of each */
};

/* ---- batches ---- */

static uint64_t
first_pair(const struct sb_edge_walk *w)
{
    uint64_t first = UINT64_MAX;
    for (size_t i = 0; i < w->cursors.n; i++)
        first = w->cursors.at[i].pair < first ? w->cursors.at[i].pair : first;
    return first;
}

/* Adapts the number of pairs per batch: the density of pairs varies between senders. */
static void
pace(struct sb_edge_walk *w, size_t n)
{
    const double most = 0x1p62; /* above the number of pairs */
    double twice = 2 * (double)w->pairs, fit = (double)w->pairs * (double)w->at_once / (double)(n + 1);
    fit = fit < twice ? fit : twice;
    w->pairs = (uint64_t)(fit < most ? fit : most) + 1;
}

static void
take(struct sb_edge_walk *w, struct batch *b)
{
    uint64_t first = first_pair(w), until = first < UINT64_MAX - w->pairs ? first + w->pairs : UINT64_MAX;
    b->notes.talks.n = b->notes.edges.n = 0;
    for (size_t i = 0; i < w->cursors.n;) {
        if (sb_edge_cursor_take(&w->cursors.at[i], &w->run->edges->file, until, &b->notes)) {
            i++;
            continue;
        }
        sb_edge_cursor_close(&w->cursors.at[i]);
        w->cursors.at[i] = w->cursors.at[--w->cursors.n];
    }
    pace(w, b->notes.talks.n + b->notes.edges.n);
}

static void
make(void *ctx, size_t i, unsigned worker)
{
    struct batch *b = (struct batch *)ctx + i;
    sb_edge_order_begin(&b->order, b->walk->run->ids.processes);
    sb_edge_order_add(&b->order, &b->notes);
    sb_edge_order_sort(&b->order);
    sb_rows_clear(&b->rows);
    for (size_t k = 0, end; k < b->order.key.n; k = end) {
        end = sb_edge_order_end(&b->order, k);
        struct sb_edge e = sb_edge_order_sum(&b->order, k, end);
        b->walk->put(b->walk->ctx, worker, &e, &b->rows);
    }
}

static void
make_ahead(struct sb_edge_walk *w)
{
    for (unsigned i = 0; i < w->n; i++)
        take(w, &w->made[i]);
    w->making = (struct sb_jobs){.n = w->n, .fn = make, .ctx = w->made};
    sb_pool_start(w->run->services.pool, &w->making);
}

/* Swaps the two sets of batches: those made ahead are returned next. */
static void
turn(struct sb_edge_walk *w)
{
    struct batch *made = w->made;
    sb_pool_wait(w->run->services.pool, &w->making);
    w->made = w->given;
    w->given = made;
    w->next = 0;
    make_ahead(w);
}

struct sb_rows *
sb_edges_next(struct sb_edge_walk *w)
{
    if (w->next == w->n)
        turn(w);
    struct sb_rows *rows = &w->given[w->next++].rows;
    return rows->n > 0 ? rows : NULL;
}

/* ---- opening and closing ---- */

static size_t
room_of_each(const struct sb_edges *v)
{
    size_t runs = 1;
    for (unsigned i = 0; i < SB_SHARES; i++)
        runs += v->share[i].n;
    size_t room = READ_MEMORY / runs;
    return room < READ_LEAST ? READ_LEAST : room < READ_MOST ? room : READ_MOST;
}

struct sb_edge_walk *
sb_edges_walk(const struct sb_run *r, sb_edge_put_fn *put, void *ctx)
{
    struct sb_edge_walk *w = sb_zeroed_or_die(1, sizeof *w);
    struct batch *made = sb_zeroed_or_die(r->services.workers, sizeof *made),
                 *given = sb_zeroed_or_die(r->services.workers, sizeof *given);
    size_t room = room_of_each(r->edges);
    *w = (struct sb_edge_walk){.run = r,
                               .put = put,
                               .ctx = ctx,
                               .pairs = AT_ONCE,
                               .n = r->services.workers,
                               .next = r->services.workers,
                               .made = made,
                               .given = given};
    for (unsigned i = 0; i < w->n; i++)
        made[i].walk = given[i].walk = w;
    for (unsigned i = 0; i < SB_SHARES; i++)
        for (size_t k = 0; k < r->edges->share[i].n; k++)
            sb_edge_cursor_open(SB_PUSH(&w->cursors), &r->edges->file, &r->edges->share[i].at[k], room);
    w->at_once = w->cursors.n * OF_A_RUN > AT_ONCE ? w->cursors.n * OF_A_RUN : AT_ONCE;
    make_ahead(w);
    return w;
}

static void
close_batch(struct batch *b)
{
    sb_edge_notes_free(&b->notes);
    sb_edge_order_close(&b->order);
    sb_rows_free(&b->rows);
}

void
sb_edges_end(struct sb_edge_walk *w)
{
    sb_pool_wait(w->run->services.pool, &w->making);
    for (unsigned i = 0; i < w->n; i++) {
        close_batch(&w->made[i]);
        close_batch(&w->given[i]);
    }
    for (size_t i = 0; i < w->cursors.n; i++)
        sb_edge_cursor_close(&w->cursors.at[i]);
    SB_VEC_FREE(&w->cursors);
    free(w->made);
    free(w->given);
    free(w);
}
