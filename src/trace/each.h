/* Decodes all blocks of a source on all threads, for results that do not depend on the order of the
 * blocks. */
#pragma once
#include "trace/source.h"

/* Called once per block, by any worker, with the events of the block in order. */
typedef void sb_each_fn(void *ctx, const struct sb_block *b, const struct sb_events *events, unsigned worker);
bool sb_source_each(struct sb_source *s, struct sb_pool *pool, sb_each_fn *fn, void *ctx, struct sb_err *e);
