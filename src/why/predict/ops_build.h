/* The operations of a run while they are built: as rows with a moment, before they are put in order. */
#ifndef SB_WHY_OPS_BUILD_H
#define SB_WHY_OPS_BUILD_H
#include "base/vec.h"
#include "why/account/account.h"
#include "why/run/history.h"
#include "why/predict/ops.h"

struct sb_raw_op { /* an operation of a process, at a moment of the recorded run */
    int64_t at;
    uint32_t process, arg;
    uint8_t kind, rank;      /* order at one moment: what is sent comes first */
    bool woken, unexplained; /* as in struct sb_op */
    bool is_idle;            /* WAIT: in a receive that no process of the trace ended */
    bool is_left_out;
};

struct sb_raw_message { /* what a process needs of another; several rows may stand for one message */
    int64_t sent;
    uint32_t from, to; /* process.id */
};

struct sb_ops_build {
    struct sb_ops *o;
    const struct sb_accounts *x;
    struct sb_history h;
    SB_VEC(struct sb_raw_op) raw;
    SB_VEC(int64_t) waits;
    SB_VEC(struct sb_raw_message) message;
};

struct sb_work_clock { /* of a process: its work up to a moment; moments only grow from call to call */
    const struct sb_history_slice *slice, *end;
    int64_t done_ns;
};
struct sb_work_clock sb_work_clock_of(const struct sb_history *h, uint64_t process);
int64_t sb_work_until(struct sb_work_clock *c, int64_t at);

/* Puts the rows in order of process, then time. */
void sb_ops_order(struct sb_ops_build *b);
/* Leaves out the waits of a process in its loop that an earlier message would have ended. */
void sb_ops_leave_out_idle(struct sb_ops_build *b);
/* Moves each fetched message to where its handling begins, which is never earlier. Rows of one process may then be out
 * of order. */
void sb_ops_spread(struct sb_ops_build *b);
/* Orders the rows of each process again and writes them as operations. */
void sb_ops_write(struct sb_ops_build *b);

#endif
