/*
 * Who sent how much to whom: an edge for each pair, kept with the receiver. Edges that have been quiet for long are
 * packed, a fifth of their size: a program that starts processes all day has many, and most are over. A message that
 * still comes begins another edge of the same pair; those are added up when edges are written. Where packed ones become
 * many, they go to a file without a name, in sorted runs (edge_runs.c).
 */
#ifndef SB_ENGINE_EDGES_H
#define SB_ENGINE_EDGES_H
#include "base/sort.h"
#include "engine/part.h"

/* Where the pair is counted now, which matching the message may ask for. */
uint32_t sb_edges_count(struct sb_part *x, struct sb_proc *p, const struct sb_event *ev, uint32_t sender);
void sb_edges_matched(struct sb_part *x, struct sb_proc *p, const struct sb_sent *s, int64_t took_ns);
/* They will be counted in a moment: first what leads to the pair, then the pair, come out of cold memory. */
void sb_edges_expect(const struct sb_part *x, uint32_t receiver, uint32_t sender);
void sb_edges_expect_soon(const struct sb_part *x, uint32_t receiver, uint32_t sender);
void sb_edges_sweep(struct sb_part *x); /* after a window: packs what is quiet, when there is much of it */

/* All edges, by sender and receiver, each pair once. */
struct sb_edge_walk;
struct sb_edge_walk *sb_edges_open(const struct sb_run *r);
bool sb_edges_next(struct sb_edge_walk *w, struct sb_edge *e);
void sb_edges_close(struct sb_edge_walk *w);
void sb_edges_free(struct sb_part *x);

#endif
