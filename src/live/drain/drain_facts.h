/* Blocks that come from no ring: which functions wait, and the names of funs. */
#pragma once
#include "live/drain/waits.h"
#include "trace/sbt/ring_layout.h"

/* Writes these bytes of the dictionary, which are inside it. */
bool sb_drain_names_put(struct sb_sbt_writer *out, const struct sb_layout *l, uint64_t from, uint64_t to,
                        struct sb_err *e);
/* Finds the facts about the functions in the dictionary of the trace. `cwd`: the working directory of the node; empty:
 * unknown. */
void sb_drain_facts_find(struct sb_waits *w, const struct sb_sbt_writer *out, const struct sb_layout *l,
                         const char *cwd);
/* Writes them as two blocks. The records have the time `at_ns`, so that they do not extend the trace. The block states
 * that its events are not before `bound_ns`: a reader meets it before any later event. */
bool sb_drain_facts_put(struct sb_sbt_writer *out, struct sb_waits *w, const struct sb_layout *l,
                        int64_t at_ns, int64_t bound_ns, struct sb_err *e);
void sb_drain_facts_free(struct sb_waits *w);

/* Facts that are stated as the dictionary of a recording grows. */
struct sb_stating {
    struct sb_waits_finder *finder;
    struct sb_waits found; /* not yet written */
    int64_t written_ns;    /* when facts were written last */
    uint64_t dict_bytes;   /* of the dictionary about which all is stated */
};
/* Reads the file of one module at most. `more`: not all is stated. `at_ns`: the first stamp of the trace; INT64_MAX: it
 * has no events, and so no range of time, and nothing is stated. */
bool sb_stating_step(struct sb_stating *s, struct sb_sbt_writer *out, const struct sb_layout *l,
                     int64_t at_ns, bool *more, struct sb_err *e);
bool sb_stating_last(struct sb_stating *s, struct sb_sbt_writer *out, const struct sb_layout *l,
                     int64_t at_ns, struct sb_err *e); /* the rest */
void sb_stating_close(struct sb_stating *s);
