/*
 * Who sent how much to whom: an edge for each pair. There are so many pairs that none is looked up: a message
 * that has left its queue, so that all is known of it, is noted with its receiver's part. When notes are many
 * they are put in order by pair (edge_order.h), added up where that is shorter, and put away (edge_run.h), a
 * *share* of the parts at a time, on any thread. At the end the runs are merged (edge_walk.c).
 */
#ifndef SB_ENGINE_EDGES_H
#define SB_ENGINE_EDGES_H
#include "engine/edges/edge_run.h"
#include "engine/state/part.h"

enum { SB_SHARES = 8 };

struct sb_edges {
    struct sb_spill file;
    size_t most; /* notes in all parts */
    struct sb_edge_runs share[SB_SHARES];
    struct sb_settling *settling; /* one a worker */
};
struct sb_edges *sb_edges_open(const struct sb_run *r);
void sb_edges_close(struct sb_edges *v, unsigned workers);

/* A message has left the queue of its receiver: taken `took_ns` after it was sent, or never (SB_NEVER_TAKEN).
 */
void sb_edges_count(struct sb_part *x, const struct sb_proc *p, const struct sb_sent *s, int64_t took_ns);
void sb_edges_window(struct sb_run *r); /* after each: what was counted is put away when it is much */
void sb_edges_finish(struct sb_run *r); /* all were counted: what is left is put away */

/* All edges, by sender and receiver, each pair once, as rows that `put` makes of them: in the pool, which
   works ahead of who asks, so it is called by several workers at once. */
typedef void sb_edge_put_fn(void *ctx, unsigned worker, const struct sb_edge *e, struct sb_rows *rows);
struct sb_edge_walk;
struct sb_edge_walk *sb_edges_walk(const struct sb_run *r, sb_edge_put_fn *put, void *ctx);
struct sb_rows *sb_edges_next(struct sb_edge_walk *w); /* some, until the next call; NULL: that were all */
void sb_edges_end(struct sb_edge_walk *w);

#endif
