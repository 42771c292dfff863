/*
 * Who sent how much to whom: an edge for each pair. There are so many pairs that none is looked up: a message that has
 * left its queue, so that all is known of it, is noted with its receiver's part; when notes are many they are sorted
 * by pair, added up, packed and put away as a run (edge_runs.c). Runs are merged when edges are written.
 */
#ifndef SB_ENGINE_EDGES_H
#define SB_ENGINE_EDGES_H
#include "base/sort.h"
#include "engine/part.h"

/* A message has left the queue of its receiver: taken `took_ns` after it was sent, or never (SB_NEVER_TAKEN). */
enum { SB_NEVER_TAKEN = -1 };
void sb_edges_count(struct sb_part *x, const struct sb_proc *p, const struct sb_sent *s, int64_t took_ns);
void sb_edges_settle(struct sb_part *x); /* when all were counted */

/* Two edges of one pair. */
static inline void
sb_edge_add(struct sb_edge *sum, const struct sb_edge *e)
{
    sum->first = sum->count == 0 || e->first < sum->first ? e->first : sum->first;
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
