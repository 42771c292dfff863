/*
 * A run as operations: for each process, pieces of work and what follows each of them. They hold what depends on what
 * and not when it happened, so a replay may execute them on any number of cores.
 *
 *     SEND m    message m exists from here on; a spawn, and an exit that ends a wait, are messages too
 *     RECV m    needs message m
 *     WAIT d    for something that the trace does not show (a timer, a port), or on a dirty I/O scheduler: takes d ns
 *     DIRTY d   computes for d ns on a dirty CPU scheduler, such as the collection of a large heap
 *     YIELD     was preempted: lets others run
 *
 * A line is a sequence of operations that follow each other: a process, or, in a server that is split, one request.
 */
#pragma once
#include "profile/profile.h"

enum sb_op_kind { SB_OP_SEND, SB_OP_RECV, SB_OP_WAIT, SB_OP_YIELD, SB_OP_DIRTY };
struct sb_op {
    union {
        int64_t work_ns; /* before it, on a core */
        int64_t at;      /* while it is built: its moment in the recorded run */
    };
    uint32_t arg; /* a message; for WAIT and DIRTY: index in `waits` */
    uint8_t kind;
    bool woken; /* RECV: the message ended a wait; a second RECV of it is where the process fetched it */
    bool unexplained; /* WAIT: nothing in the trace shows what ended it */
    bool is_idle;     /* WAIT: in a receive that no process of the trace ended */
};

struct sb_ops {
    uint64_t n_lines; /* from 1 on; line = process.id for the first n_processes */
    uint64_t n_processes;
    uint32_t *from; /* by line, up to n_lines + 1: its first operation; line 0 is empty */
    struct sb_op *op;
    int64_t *at;       /* by operation: its moment in the recorded run */
    int64_t *rest_ns;  /* by line: work after its last operation */
    uint32_t *process; /* by line */
    double
        *scale; /* by process: the part of its time on a scheduler that is work, not tracing or preemption */
    int64_t *waits;
    uint32_t n_messages, *sender, *receiver; /* by message: process.id */
    uint32_t n_receives; /* operations RECV: messages, and once more each that ended a wait */
    uint32_t root;       /* process.id; the run ends when it does. 0: no process was at work */
    int64_t work_ns;     /* on normal schedulers */
    int64_t dirty_ns;    /* on dirty CPU schedulers */
    uint32_t cores;      /* of the machine of the recording; 0: unknown */
    int64_t end_ns;      /* of the recorded run: the VM shuts down, or the trace ends */
};
bool sb_ops_build(struct sb_ops *o, const struct sb_profile *p, struct sb_err *e);
void sb_ops_close(struct sb_ops *o);
