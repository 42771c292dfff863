/* The operations of a run with a change: they belong to the copy, the rest to the original, which must outlive it. */
#pragma once
#include "why/predict/ops.h"
#include "why/predict/what_if.h"

struct sb_ops_change {
    struct sb_ops ops; /* starts as the original; replaced arrays belong to the change */
    const struct sb_ops *original;
};
void sb_ops_change_open(struct sb_ops_change *c, const struct sb_ops *o);
void sb_ops_change_close(struct sb_ops_change *c);

/* The work of these processes takes 1/by of its time. `of` is by process.id. */
void sb_ops_faster(struct sb_ops_change *c, const bool *of, double by);
/* The same for the work of a function, from the table activation or by samples: of these its share, or for `sign` -1
 * and 1 the least and the most that it may be. Before any split. */
void sb_ops_faster_function(struct sb_ops_change *c, const struct sb_profile *p, const struct sb_faster *f,
                            int sign);
/* Makes each request of the processes with copies a line of its own. After the other changes. */
void sb_ops_split(struct sb_ops_change *c, const uint32_t *copies);
