/* The operations of a run while they are built: at moments, before they are put in order. */
#pragma once
#include "base/vec.h"
#include "why/run/history.h"
#include "why/predict/ops.h"

struct sb_ops_edge { /* what a process needs of another; several may stand for one message */
    int64_t made, needed;
    uint32_t from, to; /* process.id */
};

struct sb_ops_build {
    struct sb_ops *o;
    const struct sb_profile *p;
    struct sb_history h;
    SB_VEC(struct sb_op)
    own;                /* by process: all but both ends of messages; only the RECV of an edge that woke */
    uint64_t *own_from; /* by process.id, and where the last one's end */
    SB_VEC(int64_t) waits;
    SB_VEC(struct sb_ops_edge) edge;
    uint64_t n_wakes; /* the first edges: those that ended a wait or began a process */
};

struct sb_ops_rows { /* the operations of a process while they are built */
    uint32_t process;
    size_t n;
    struct sb_op *at;
};

struct sb_work_clock { /* of a process: its work up to a moment; moments only grow from call to call */
    const struct sb_history_slice *slice, *end;
    int64_t done_ns;
};
struct sb_work_clock sb_work_clock_of(const struct sb_history *h, uint64_t process);
int64_t sb_work_until(struct sb_work_clock *c, int64_t at);

/* Leaves out the waits of a process in its loop that an earlier message would have ended. */
void sb_ops_leave_out_idle(const struct sb_ops_build *b, struct sb_ops_rows *r);
/* Moves each fetched message to where its handling begins, which is never earlier. The rows may then be out of order.
 * `fetched`: by process.id, of one thread; it begins with zeros. */
void sb_ops_spread(const struct sb_ops_build *b, struct sb_ops_rows *r, uint32_t *fetched);
/* Puts both ends of the edges beside what is the processes' own, in order of time, and writes the operations. */
void sb_ops_write(struct sb_ops_build *b);
