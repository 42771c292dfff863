/* Time in buckets of 2^level ns, from t0 to the last stamp of the trace. The last bucket also takes
 * everything later. */
#ifndef SB_ENGINE_GRID_H
#define SB_ENGINE_GRID_H
#include "engine/state/run.h"

struct sb_grid {
    unsigned level;
    size_t n; /* number of buckets */
};
/* Returns the finest axis with at most `most` buckets, made coarser by `halved` levels. */
static inline struct sb_grid
sb_grid_of(const struct sb_run *r, size_t most, unsigned halved)
{
    uint64_t span = (uint64_t)sb_rel(r, r->axis.last);
    unsigned level = 0;
    while (span >> level >= most)
        level++;
    return (struct sb_grid){level + halved, (size_t)(span >> (level + halved)) + 1};
}
static inline size_t
sb_grid_bucket(struct sb_grid x, int64_t at)
{
    size_t b = (size_t)((uint64_t)at >> x.level);
    return b < x.n ? b : x.n - 1;
}
static inline int64_t
sb_grid_start(struct sb_grid x, size_t bucket)
{
    return (int64_t)(bucket << x.level);
}

#endif
