/* Blocks that come from no ring: which functions wait, and the names of funs. */
#ifndef SB_LIVE_DRAIN_FACTS_H
#define SB_LIVE_DRAIN_FACTS_H
#include "live/drain/waits.h"
#include "trace/sbt/ring_layout.h"
#include "trace/sbt/sbt.h"

/* Writes these bytes of the dictionary, which are inside it. */
bool sb_drain_names_put(struct sb_sbt_writer *out, const struct sb_layout *l, uint64_t from, uint64_t to,
                        struct sb_err *e);
/* Finds the facts about the functions in the dictionary of the trace. `cwd`: the working directory of the node; empty:
 * unknown. */
void sb_drain_facts_find(struct sb_waits *w, const struct sb_sbt_writer *out, const struct sb_layout *l,
                         const char *cwd);
/* Writes them as two blocks with the time `at_ns`, so that facts found after the recording do not extend the trace.
 * INT64_MAX: no events. */
bool sb_drain_facts_put(struct sb_sbt_writer *out, const struct sb_waits *w, const struct sb_layout *l,
                        int64_t at_ns, struct sb_err *e);
void sb_drain_facts_free(struct sb_waits *w);

#endif
