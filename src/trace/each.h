/* Every block of a source decoded, on all cores, for questions whose answer does not depend on the order. */
#ifndef SB_TRACE_EACH_H
#define SB_TRACE_EACH_H
#include "base/pool.h"
#include "trace/source.h"

/* Called for each block, by any worker, with the block's events in their order. */
typedef void sb_each_fn(void *ctx, const struct sb_block *b, const struct sb_events *events, unsigned worker);
bool sb_source_each(struct sb_source *s, struct sb_pool *pool, sb_each_fn *fn, void *ctx, struct sb_err *e);

#endif
