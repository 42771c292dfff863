/* What is known of one process (or port, or nobody) while events go by: a part per pass, each owned by its
 * file. */
#ifndef SB_ENGINE_PROC_H
#define SB_ENGINE_PROC_H
#include "base/table.h"
#include "base/vec.h"
#include "trace/event.h"

enum sb_stay_state {
    SB_STAY_UNSEEN, /* nothing tells yet */
    SB_STAY_ON,     /* on a scheduler since `since` */
    SB_STAY_OFF,    /* off, since `since` */
    SB_STAY_GONE,   /* exited */
};
enum sb_vm { SB_VM_UNTOLD, SB_VM_ACTIVE, SB_VM_INACTIVE };
enum sb_cause {
    SB_CAUSE_UNKNOWN,
    SB_CAUSE_MESSAGE,
    SB_CAUSE_EXIT,
    SB_CAUSE_SPAWN,
    SB_CAUSE_PREEMPTED,
    SB_CAUSE_TIMEOUT,
    SB_CAUSE_HANDOVER
};

struct sb_gap { /* off from `from` to `to`, and what was seen meanwhile */
    int64_t from, to;
    int64_t ready_at; /* as the VM told, SB_AT_UNKNOWN: it was not */
    int64_t woken_at; /* SB_AT_UNKNOWN: nothing woke it */
    int64_t exit_at;  /* an exit of what it is linked to, SB_AT_UNKNOWN: none */
    sb_actor exit_of;
    uint32_t waker;    /* process.id of who sent what woke it, 0: nobody */
    uint32_t fn;       /* where it went out */
    uint32_t timeouts; /* in the slice before */
    sb_lane lane;      /* where it went out; SB_LANE_NONE: not told */
    bool had_mail, spawn;
    bool told;     /* by the VM, when it began */
    bool crosses;  /* from a normal scheduler to a dirty one, or back */
    bool to_dirty; /* and it is the way there */
    bool returns;  /* to the scheduler that it left */
    bool acted;    /* it did something while it was off: an `in` is missing */
    bool unended;  /* the trace, or what is known of it, ended before the gap did */
};

struct sb_stay { /* stay.c: slices; gap.c: what lies between them */
    enum sb_stay_state state;
    bool pending;   /* `gap` is over and not yet judged: the next event of its own tells */
    bool tentative; /* OFF only because the VM said runnable: an `out` shows that it ran */
    enum sb_vm vm;
    sb_lane lane;       /* of this slice */
    uint32_t scheduler; /* the same as scheduler.id, 0: not told */
    int64_t since;
    int64_t ready_since; /* OFF, told by the VM: runnable from here; SB_AT_UNKNOWN: waiting */
    uint32_t fn;         /* where it went in */
    uint32_t timeouts;   /* in this slice */
    bool polled;         /* the last thing in it was a timeout */
    int64_t gc_ns;       /* in this slice */
    int64_t delay_ns;    /* how long this process takes from waking to running, about */
    struct sb_gap gap;
    int64_t run_ns, dirty_ns, dirty_gc_ns, runnable_ns, wait_ns, handover_ns, low_ns, high_ns;
    uint64_t slices, migrations;
};

struct sb_sent { /* a message on its way */
    int64_t at;
    uint64_t words, ext;
    uint32_t sender;      /* process.id, 0: nobody */
    uint32_t hash, alias; /* 0: not told */
    uint16_t scheduler;   /* scheduler.id it was sent on, 0: not told */
    bool at_least : 1, stale : 1, taken : 1;
};

struct sb_mail {        /* mail.c */
    struct sb_sent *at; /* a ring */
    uint32_t head, n, cap, fresh, max_fresh;
    uint32_t passed;   /* so many at its head are taken or stale */
    uint32_t answered; /* the alias that the last answer came by */
    uint64_t sends, send_words, send_ext, receives, receive_words, receive_ext, timeouts, timeout_ext;
    /* messages of which only a lower bound of the size was told */
    uint64_t send_at_least, receive_at_least;
};

/* By an alias that has had its answer; it is dropped. */
static inline bool
sb_mail_is_late(const struct sb_mail *m, const struct sb_event *sent)
{
    return sent->f && sent->f == m->answered;
}

struct sb_collect { /* collect.c */
    int64_t since;  /* SB_AT_UNKNOWN: not collecting */
    int64_t counted_from;
    bool major;
    uint64_t heap, old, bin, mbuf;
    int64_t gc_ns;
    uint64_t count, reclaimed, peak;
};

struct sb_place { /* a function it waited in */
    uint32_t fn;
    int64_t count, total, max;
    double mean, m2;
    /* that an elapsed `after` ended, below and from a timer's least time on */
    uint32_t short_gaps, long_gaps;
};

enum { SB_STATUS_NOT_RECORDED = 6 }; /* of `exists`: whoever it tells of is out of the capture's scope */

struct sb_proc {
    sb_actor actor;
    uint32_t id;    /* as its life says */
    uint32_t index; /* in its part */
    uint64_t who;   /* of whom its rows are: its id, but a port stands behind all others */
    int64_t first_seen;
    int64_t last_seen; /* SB_NULL: it was not traced, and what it did is unknown */
    size_t losses;     /* losses up to here have been told to it */
    /* life.c */
    int64_t start, end, parent_at;
    sb_actor parent;
    uint32_t name, label, entry, spawn_mfa, reason;
    uint32_t spawned; /* children */
    bool told_spawned, told_calls;
    struct sb_stay stay;
    struct sb_mail mail;
    struct sb_collect gc;
    SB_VEC(struct sb_place) places;
    int64_t place_since; /* told by the VM: inactive since, in */
    uint32_t place;
    struct sb_calltree *calls;  /* calls.c */
    struct sb_sampled *sampled; /* stacks.c; NULL: it was never sampled */
};

/* It has events of its own, or the capture told that it would have. */
static inline bool
sb_proc_is_traced(const struct sb_proc *p)
{
    return p->last_seen != SB_NULL;
}

#endif
