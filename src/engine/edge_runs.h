/* Edges that have been put away: packed in their part, in runs sorted by pair; beyond a bound in the run's file. */
#ifndef SB_ENGINE_EDGE_RUNS_H
#define SB_ENGINE_EDGE_RUNS_H
#include "engine/part.h"

static inline uint64_t
sb_edge_pair(uint32_t sender, uint32_t receiver)
{
    return (uint64_t)sender << 32 | receiver;
}
void sb_edge_runs_put(struct sb_part *x, const struct sb_edge *e); /* pairs rise within a run */
void sb_edge_runs_end(struct sb_part *x);                          /* of a run: what comes next begins another */
void sb_edge_runs_free(struct sb_part *x);

#endif
