/* The state of one process (or port, or the "nobody" of a node) while events are handled. A comment with the
 * name of a pass's file after a member of struct sb_proc makes it that pass's state (tools/check-layers). */
#pragma once
#include "base/table.h"
#include "base/vec.h"
#include "engine/state/asked.h"
#include "engine/state/ids.h"
#include "engine/state/sent.h"
#include "trace/event.h"

enum sb_stay_state {
    SB_STAY_UNSEEN, /* no event yet */
    SB_STAY_ON,     /* on a scheduler since `since` */
    SB_STAY_OFF,    /* off, since `since` */
    SB_STAY_GONE,   /* exited */
};
enum sb_vm { SB_VM_UNKNOWN, SB_VM_ACTIVE, SB_VM_INACTIVE };
enum sb_cause {
    SB_CAUSE_UNKNOWN,
    SB_CAUSE_MESSAGE,
    SB_CAUSE_EXIT,
    SB_CAUSE_SPAWN,
    SB_CAUSE_PREEMPTED,
    SB_CAUSE_TIMEOUT,
    SB_CAUSE_HANDOVER,
    SB_CAUSE_BUSY
};

struct sb_gap { /* off from `from` to `to`, and what happened meanwhile */
    int64_t from, to;
    int64_t ready_at;  /* as the VM reported; SB_AT_UNKNOWN: it did not */
    int64_t woken_at;  /* SB_AT_UNKNOWN: nothing of its node woke it */
    int64_t abroad_at; /* a message of another node was sent; SB_AT_UNKNOWN: none */
    int64_t exit_at;   /* exit of a linked process; SB_AT_UNKNOWN: none */
    sb_actor exit_of;
    uint32_t waker;    /* process.id of the sender of the message that woke it; 0: none */
    uint32_t abroad;   /* the same of the message of another node */
    uint32_t fn;       /* function in which it was scheduled out */
    uint32_t timeouts; /* in the slice before */
    sb_lane lane;      /* where it was scheduled out; SB_LANE_NONE: unknown */
    bool had_mail, spawn;
    bool reported; /* reported by the VM at its beginning */
    bool crosses;  /* from a normal scheduler to a dirty one, or back */
    bool to_dirty; /* crosses to a dirty scheduler */
    bool returns;  /* to the scheduler that it left */
    bool acted;    /* the process had an event while it was off: an `in` is missing */
    bool unended;  /* the trace, or what is known of it, ended during the gap */
};

struct sb_stay_sums { /* of a process */
    int64_t run_ns, dirty_ns, gc_ns, dirty_gc_ns, runnable_ns, wait_ns, handover_ns, low_ns, high_ns;
    uint64_t slices, migrations;
};

struct sb_stay { /* stay.c: slices; gap.c: the gaps between them */
    enum sb_stay_state state;
    bool pending;   /* `gap` has ended; the next event of the process decides what it was */
    bool tentative; /* OFF only because the VM reported it runnable: an `out` would show that it ran */
    enum sb_vm vm;
    sb_lane lane;                     /* of this slice */
    struct sb_scheduler_id scheduler; /* of `lane` */
    int64_t since;
    int64_t ready_since; /* OFF, reported by the VM: runnable from here; SB_AT_UNKNOWN: waiting */
    uint32_t fn;         /* function in which it was scheduled in */
    uint32_t timeouts;   /* in this slice */
    bool polled;         /* its last event in the slice was a timeout */
    int64_t gc_ns;       /* in this slice */
    int64_t delay_ns;    /* estimated time of this process from waking to running */
    struct sb_gap gap;
    struct sb_stay_sums sum;
    bool collecting;    /* a collection runs, */
    int64_t gc_counted; /* of which the time up to here is counted */
};

struct sb_collect { /* collect.c */
    int64_t since;  /* SB_AT_UNKNOWN: not collecting */
    bool major;
    uint64_t heap, old, bin, mbuf;
    uint64_t count, reclaimed, peak;
};

struct sb_place { /* a function that it waited in */
    uint32_t fn;
    int64_t count, total, max;
    double mean, m2;
    /* gaps that an elapsed `after` ended: shorter than any timer; longer */
    uint32_t short_gaps, long_gaps;
};

struct sb_lifetime { /* life.c */
    int64_t start, end, parent_at;
    sb_actor parent;
    uint32_t name, label, entry, spawn_mfa, reason;
    uint32_t spawned; /* number of children */
    bool spawn_seen;
};

enum { SB_STATUS_NOT_RECORDED = 6 }; /* status of `exists`: the process is out of the capture's scope */

struct sb_proc {
    sb_actor actor;
    uint32_t id;    /* the same as in its life */
    uint32_t index; /* in its part */
    uint64_t who;   /* orders rows of equal time: its id; ports follow all processes */
    int64_t first_seen;
    int64_t last_seen;              /* SB_NULL: it was not traced, so its activity is unknown */
    size_t losses;                  /* number of losses delivered to it */
    struct sb_lifetime life;        /* life.c */
    bool calls_copied;              /* calls.c: a merge has copied its call trees */
    struct sb_stay stay;            /* stay.c */
    struct sb_mail mail;            /* mail.c */
    struct sb_collect gc;           /* collect.c */
    SB_VEC(struct sb_place) places; /* stay.c */
    int64_t place_since;            /* stay.c: reported by the VM: inactive since, in */
    uint32_t place;                 /* stay.c */
    struct sb_calltree *calls;      /* calls.c */
    struct sb_sampled *sampled;     /* stacks.c; NULL: never sampled */
    struct sb_asking asking;        /* asked.c */
};

/* It has events of its own, or the capture was set to record them. */
static inline bool
sb_proc_is_traced(const struct sb_proc *p)
{
    return p->last_seen != SB_NULL;
}

static inline bool
sb_proc_is_port(const struct sb_proc *p)
{
    return sb_actor_kind(p->actor) == SB_PORT;
}
