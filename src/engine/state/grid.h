/* Time in buckets of 2^level ns, from t0 to the last stamp of the trace. The last bucket also takes
 * everything later. While a trace grows, so does the axis: buckets are then made wider, pair by pair. */
#pragma once
#include <stddef.h>
#include <stdint.h>

struct sb_grid {
    unsigned level;
    size_t n; /* number of buckets */
};
/* Returns the finest axis from 0 to `last` with at most `most` buckets, of width 2^least at least. */
static inline struct sb_grid
sb_grid_of(int64_t last, size_t most, unsigned least)
{
    unsigned level = least;
    while ((uint64_t)last >> level >= most)
        level++;
    return (struct sb_grid){level, (size_t)((uint64_t)last >> level) + 1};
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
