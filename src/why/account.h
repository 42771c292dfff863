/*
 * The account of scheduler time: the normal schedulers of each node times the length of the profile, split into
 * parts that add up exactly. One sweep over slices, collections and gaps says what each scheduler did at each
 * moment; costs that are known as sums alone (tracing, preemption by the operating system) are then moved out of
 * the parts that contain them.
 */
#ifndef SB_WHY_ACCOUNT_H
#define SB_WHY_ACCOUNT_H
#include "base/arena.h"
#include "base/err.h"
#include "profile/profile.h"

#define SB_ACCOUNT_PARTS(X)                                                                                  \
    X(WORK, "work")           /* processes and ports run, without what the next parts take out of it */      \
    X(GC, "gc")               /* processes collect garbage */                                                \
    X(TRACING, "tracing")     /* the tracer's cost by event, as measured before the recording */             \
    X(SWITCHING, "switching") /* idle, although its own queue holds a process */                             \
    X(ELSEWHERE, "elsewhere") /* idle, although another queue holds a process */                             \
    X(PROCESS, "process")     /* idle: everything waits for processes that run */                            \
    X(OUTSIDE, "outside")     /* idle: nothing runs, and everything waits for the outside */                 \
    X(PREEMPTED, "preempted") /* ready to run, but the operating system ran something else */                \
    X(STARTUP, "startup")     /* before code of the program was first seen */                                \
    X(SHUTDOWN, "shutdown")   /* since init prepared the shutdown */                                         \
    X(UNKNOWN, "unknown")     /* not recorded, events are lost, or a process may have been ready */
enum sb_account_part {
#define PART(id, name) SB_PART_##id,
    SB_ACCOUNT_PARTS(PART)
#undef PART
        SB_PART_COUNT
};
enum sb_outside {
    SB_OUTSIDE_UNKNOWN,
    SB_OUTSIDE_TIMER,
    SB_OUTSIDE_PORT,
    SB_OUTSIDE_DIRTY,
    SB_OUTSIDE_NODE,
    SB_OUTSIDES
};

struct sb_account {     /* of a node */
    int64_t schedulers; /* 0: unknown, and so is everything else */
    int64_t ns[SB_PART_COUNT];
    int64_t switches;                    /* behind ns[SB_PART_SWITCHING] */
    int64_t for_several_ns;              /* of ns[SB_PART_PROCESS]: more than one process ran */
    int64_t outside_ns[SB_OUTSIDES];     /* of ns[SB_PART_OUTSIDE] */
    int64_t taken_ns;                    /* of ns[SB_PART_PREEMPTED]: while a process or port was at work */
    bool knows_tracing, knows_preempted; /* else it is in the work, unknown how much */
};
struct sb_accounts {
    int64_t span_ns;
    uint64_t n_nodes, n_processes;
    struct sb_account *node; /* by row of table node */
    int64_t *for_process;    /* by process.id: its part of SB_PART_PROCESS, while it alone ran on its node */
    uint32_t *node_of;       /* by process.id: node row + 1, 0: unknown */
};
void sb_account_find(const struct sb_profile *p, size_t at_once, struct sb_arena *a, struct sb_accounts *out);
/* The accounts of a profile, computed once; NULL: the error is in e. */
const struct sb_accounts *sb_accounts_of(const struct sb_profile *p, struct sb_err *e);
/* The time for which the schedulers of a node were idle for that process; 0 stands for several together. */
int64_t sb_account_for(const struct sb_accounts *x, uint64_t node, uint64_t process);
extern const char *const sb_part_names[SB_PART_COUNT];

#endif
