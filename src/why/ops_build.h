/* The operations of a run while they are built: as rows with a moment, before they are put in order. */
#ifndef SB_WHY_OPS_BUILD_H
#define SB_WHY_OPS_BUILD_H
#include "base/vec.h"
#include "why/history.h"
#include "why/ops.h"

struct sb_raw_op { /* an operation of a process, at a moment of the recorded run */
    int64_t at;
    uint32_t process, arg;
    uint8_t kind, rank; /* order at one moment: what is sent comes first */
    bool woken;
};

struct sb_ops_build {
    struct sb_ops *o;
    struct sb_history h;
    SB_VEC(struct sb_raw_op) raw;
    SB_VEC(int64_t) waits;
    SB_VEC(uint32_t) sender;
    SB_VEC(uint32_t) receiver;
};

struct sb_work_clock { /* of a process: its work up to a moment; moments only grow from call to call */
    const struct sb_history_slice *stay, *end;
    int64_t done_ns;
};
struct sb_work_clock sb_work_clock_of(const struct sb_history *h, uint64_t process);
int64_t sb_work_until(struct sb_work_clock *c, int64_t at);

/* Moves each fetched message to where its handling begins. The rows are in order of process, then time; they are
 * only moved to later moments, so the order must be restored afterwards. */
void sb_ops_spread(struct sb_ops_build *b);

#endif
