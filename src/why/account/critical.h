/*
 * The critical path: the chain of work and waits that set the length of a recorded run. It is followed back from
 * the process of the program that stopped the node, or else from the one that ran last: through its slices, from a
 * wait to its waker, from a spawn to the parent, from a sleep that was one of several looks to the work that it ended
 * after.
 *
 *     client    ##run##|...............wait..............|#run##|  <- the path begins here, at the end
 *                      \ message                  message/
 *     server            |..queue..|#######run############|
 *
 * The steps cover the run without gaps or overlaps, so their durations add up to its length exactly. Where the
 * trace does not show what a process waited for, the wait is a step of its own.
 */
#pragma once
#include "profile/sql/computed.h"
#include "why/run/history.h"

#define SB_CRITICAL_KINDS(X) \
    X(RUN, "run")           /* on a normal scheduler */ \
    X(GC, "gc")             /* collecting garbage */ \
    X(MESSAGE, "message")   /* from the sender's last slice until the message ended the wait; often 0 */ \
    X(QUEUE, "queue")       /* runnable, in a run queue */ \
    X(TIMER, "timer")       /* waiting until a timeout; with a peer, late for the end of its work */ \
    X(PORT, "port")         /* waiting until a port ran */ \
    X(DIRTY, "dirty")       /* on a dirty scheduler, or handed over to one */ \
    X(OUTSIDE, "outside")   /* waiting for a message from outside of the trace */ \
    X(SHUTDOWN, "shutdown") /* of the VM, after the program; no process */ \
    X(UNKNOWN, "unknown")   /* the state of the process, or what ended its wait, is unknown */
enum sb_critical_kind {
#define KIND(id, name) SB_CRITICAL_##id,
    SB_CRITICAL_KINDS(KIND)
#undef KIND
        SB_CRITICAL_N
};

struct sb_critical_step {
    int64_t start, dur;
    int64_t function;       /* text id or SB_NULL: where the slice began, or the function that waits */
    uint32_t process, peer; /* process.id, 0: none */
    uint8_t kind;
    bool interrupted; /* TIMER: a sleep that went on after it */
};
struct sb_critical {
    struct sb_critical_step *at; /* by time */
    size_t n;
    bool
        is_ended; /* the node stopped, or the program's processes ended: the recording did not set the length */
};
/* The path of a profile, computed once; NULL: the error is in e. */
const struct sb_critical *sb_critical_of(const struct sb_profile *p, struct sb_err *e);
/* The same for who has the whole history, with its exit signals; the caller frees `at`. */
struct sb_critical sb_critical_find(const struct sb_history *h);
extern const char *const sb_critical_names[SB_CRITICAL_N];

struct sb_critical_rows { /* of one of the two tables */
    const struct sb_profile *p;
    const struct sb_critical *path;
    size_t next; /* step */
    int64_t id;  /* of the last row */
};
void *sb_critical_rows(const struct sb_computation *c, struct sb_err *e);
