/*
 * Who sent how much to whom: an edge for each pair, kept with the receiver. A message is counted once, when it has left
 * the queue and all is known of it; and a little late, because its pair lies in cold memory, mostly. Edges that have been quiet for long are
 * packed, a fifth of their size: a program that starts processes all day has many, and most are over. A message that
 * still comes begins another edge of the same pair; those are added up when edges are written. Where packed ones become
 * many, they go to a file without a name, in sorted runs (edge_runs.c).
 */
#ifndef SB_ENGINE_EDGES_H
#define SB_ENGINE_EDGES_H
#include "base/sort.h"
#include "engine/part.h"

/* A message has left the queue of its receiver: taken `took_ns` after it was sent, or never (SB_NEVER_TAKEN). */
enum { SB_NEVER_TAKEN = -1 };
void sb_edges_count(struct sb_part *x, const struct sb_proc *p, const struct sb_sent *s, int64_t took_ns);
void sb_edges_settle(struct sb_part *x); /* all that were counted are in their pairs */
void sb_edges_sweep(struct sb_part *x); /* after a window: packs what is quiet, when there is much of it */

/* Two edges of one pair. */
static inline void
sb_edge_add(struct sb_edge *sum, const struct sb_edge *e)
{
    sum->first = sum->count == 0 || (e->count > 0 && e->first < sum->first) ? e->first : sum->first;
    sum->last = e->last > sum->last ? e->last : sum->last;
    sum->count += e->count;
    sum->words += e->words;
    sum->max_words = e->max_words > sum->max_words ? e->max_words : sum->max_words;
    sum->ext += e->ext;
    sum->matched += e->matched;
    sum->latency += e->latency;
    sum->max_latency = e->max_latency > sum->max_latency ? e->max_latency : sum->max_latency;
}

/* All edges, by sender and receiver, each pair once. */
struct sb_edge_walk;
struct sb_edge_walk *sb_edges_open(const struct sb_run *r);
bool sb_edges_next(struct sb_edge_walk *w, struct sb_edge *e);
void sb_edges_close(struct sb_edge_walk *w);
void sb_edges_free(struct sb_part *x);

#endif
