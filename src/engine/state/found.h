/* How passes store results in a part: rows of tables, and spans of a state for the pyramids. */
#pragma once
#include "engine/state/run.h"
#include "engine/state/part.h"

static inline void
sb_span_put(struct sb_part *x, const struct sb_proc *p, struct sb_part_span s)
{
    if (s.to <= s.from)
        return;
    s.process = p->index;
    s.id = p->id;
    *SB_PUSH(&x->spans) = s;
}

/* Adds a row to `t` at time `at` (an absolute stamp), to be filled at once: its numbers are cells of
 * x->rows[t]. */
static inline void *
sb_row_put(struct sb_part *x, enum sb_tab t, int64_t at, const struct sb_proc *p)
{
    return sb_rows_put(&x->rows[t], t, at, p->who);
}
static inline uint32_t
sb_cell_known(struct sb_rows *r, uint64_t v)
{
    return sb_cell(r, v == SB_UNKNOWN ? SB_NULL : (int64_t)v);
}

static inline int64_t
sb_rel_or_null(const struct sb_run *r, int64_t at)
{
    return at == SB_NULL ? SB_NULL : sb_rel(r, at);
}
