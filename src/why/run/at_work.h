/*
 * Who is at work: the one sweep over slices, gaps and collections on which the account and the number at work at once
 * stand. It says when each process and port begins and ceases to do something, in order of time; exact at any size.
 */
#pragma once
#include "profile/otp.h"

enum sb_does {
    SB_DOES_RUN,   /* a process on a normal scheduler */
    SB_DOES_DIRTY, /* on a dirty one */
    SB_DOES_PORT,  /* a port runs, beside a process or in the slice of one that calls its driver */
    /* A process is ready: surely (lower bound), likely (rest of the estimate), perhaps (rest of the upper bound). */
    SB_DOES_SURELY,
    SB_DOES_LIKELY,
    SB_DOES_PERHAPS,
    SB_DOES_HANDOVER,
    SB_DOES_LOST,    /* its state is unknown */
    SB_DOES_WAKE,    /* a moment: its wait ends */
    SB_DOES_COLLECT, /* garbage, on a scheduler that is known */
    SB_DOES_COUNT
};
enum sb_wait_end {
    SB_ENDED_UNKNOWN,
    SB_ENDED_BY_TIMER,
    SB_ENDED_BY_NODE /* another one, or the way there */
};
struct sb_at_work_change {
    int64_t at, step; /* 1: begins; -1: ends */
    enum sb_does what;
    int64_t id;    /* process.id, or port.id */
    uint32_t node; /* node.id; 0: unknown */
    uint32_t
        scheduler; /* a thread of the VM, which runs one process at a time, 0: unknown; WAKE: enum sb_wait_end */
};
struct sb_at_work_thread {
    int64_t processes, ports;
};
struct sb_at_work {
    const struct sb_profile *profile;
    uint64_t n_processes, n_ports, n_nodes, n_schedulers;
    uint32_t *node_of, *node_of_port; /* by id: node.id */
    int64_t dirty_cpu, dirty_io, by_timeout, by_busy, sleeps[SB_SLEEPS];
    bool *is_asleep; /* by process.id: its last slice ended in a sleep, which no message ends */
    bool *is_thread; /* by scheduler.id */
    struct sb_at_work_thread *thread; /* by scheduler.id: for sb_at_work_ports */
    bool is_told;                     /* as in struct sb_sweep */
    unsigned leaves_out;              /* bits of enum sb_does: what the sweep need not tell */
    void *ctx;
    void (*change)(void *ctx, const struct sb_at_work_change *c);
};
void sb_at_work_open(struct sb_at_work *x, const struct sb_profile *p, struct sb_arena *a);
/* How a change changes the number of ports at work. A process calls the driver of a port within its own slice: then
 * the scheduler does one thing, not two. To be asked about each change, once. */
int64_t sb_at_work_ports(struct sb_at_work *x, const struct sb_at_work_change *c);
/* Calls x->change for what begins and ends in [t0, t1). `at_once`: as in struct sb_sweep. */
void sb_at_work_sweep(struct sb_at_work *x, int64_t t0, int64_t t1, size_t at_once);
