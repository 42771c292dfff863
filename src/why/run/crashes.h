/* Processes that ended with a reason other than those of an orderly end, by their parents. */
#pragma once
#include "why/run/evidence.h"

struct sb_crash {
    int64_t parent, entry, start, at; /* start: SB_NULL if it is not in the trace */
    int64_t id;
    struct sb_str reason;
};
typedef SB_VEC(struct sb_crash) sb_crashes; /* by parent, then time */

/* The caller frees them with SB_VEC_FREE. */
void sb_crashes_find(const struct sb_evidence *x, sb_crashes *out);
/* True if a child of the process crashed within (from, to]. */
bool sb_crashes_within(const sb_crashes *v, int64_t parent, int64_t from, int64_t to);
