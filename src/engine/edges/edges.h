/*
 * Message counts by pair of processes: an edge for each pair. There are too many pairs to look one up for
 * each message. Instead, a message that has left its queue is recorded as a note in its receiver's part. When
 * there are many notes, they are sorted by pair (edge_order.h), added up where that is shorter, and written
 * as a run (edge_run.h). Each thread settles one *share* of the parts at a time. At the end the runs are
 * merged (edge_walk.c).
 */
#pragma once
#include "engine/edges/edge_run.h"
#include "engine/state/part.h"

enum { SB_SHARES = 8 };

struct sb_edges {
    struct sb_spill file;
    size_t most; /* notes in all parts before they are settled */
    struct sb_edge_runs share[SB_SHARES];
    struct sb_settling *settling; /* one per worker */
};
struct sb_edges *sb_edges_open(const struct sb_run *r);
void sb_edges_close(struct sb_edges *v, unsigned workers);

/* Records a message that has left its receiver's queue: received `took_ns` after it was sent, or never
 * (SB_NEVER_TAKEN). */
void sb_edges_count(struct sb_part *x, const struct sb_proc *p, const struct sb_sent *s, int64_t took_ns);
void sb_edges_window(struct sb_run *r); /* after each window: settles the notes if there are many */
void sb_edges_finish(struct sb_run *r); /* after the last message: settles all notes */

/* Iterates over all edges, by sender and receiver, each pair once, as the rows that `put` makes. The pool
 * works ahead of the caller, so several workers call `put` at once. */
typedef void sb_edge_put_fn(void *ctx, unsigned worker, const struct sb_edge *e, struct sb_rows *rows);
struct sb_edge_walk;
struct sb_edge_walk *sb_edges_walk(const struct sb_run *r, sb_edge_put_fn *put, void *ctx);
struct sb_rows *sb_edges_next(struct sb_edge_walk *w); /* valid until the next call; NULL: no more */
void sb_edges_end(struct sb_edge_walk *w);
