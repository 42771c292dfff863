/*
 * fprof's simulation of call stacks: a stack a process, made of levels; a level is a chain of tail calls.
 *
 *     [[{f},{e}], [{d},{b}], [{a}]]       newest first, as fprof keeps it: f was tail called by e, e called
 * by d, ... a | b d | e f                      as it lies here: entries from the oldest on, `level` says
 * where levels begin
 *
 * Time and calls are charged to clocks of (caller, function); an entry knows its clock from the start,
 * because what lies below an entry never changes while it is there (but for one case that says so). That a
 * function is on the stack, and how often as the front of a level, is counted, so a return costs what it
 * takes off and no more. One simulation is used by one thread at a time; processes do not know of each other.
 */
#ifndef SB_ENGINE_FPROF_SIM_H
#define SB_ENGINE_FPROF_SIM_H
#include "base/map.h"
#include "base/vec.h"
#include "engine/fprof/event.h"

struct fp_clock {
    int64_t cnt, own, acc;
    uint32_t caller, func;
    uint32_t seat; /* of func */
    bool touched;  /* charged, if only with 0: it is shown */
};

struct fp_seat {     /* what is on the stack of one function */
    uint32_t newest; /* its newest entry: index + 1, 0: none */
    uint32_t fronts; /* entries that are fronts of levels */
};

struct fp_entry {
    int64_t t;
    uint64_t at;          /* the record that t is from */
    uint32_t func, clock; /* clock 0: charged to nobody */
    uint32_t older; /* the next older entry of this function: index + 1, 0: none, this is the outermost */
};

struct fp_proc {
    uint32_t pid;
    bool known;   /* has a stack, be it an empty one */
    bool spawned; /* its start was seen: parent, spawned_at, calls hold */
    uint8_t n_calls;
    bool has_time;         /* strict: the next two hold */
    int64_t last_t, shift; /* strict: its own clock never goes back */
    uint32_t parent;       /* pid */
    uint64_t spawned_at;   /* the record that tells how */
    uint32_t calls[2];     /* the first functions called */
    SB_VEC(struct fp_entry) stack;
    SB_VEC(uint32_t) level;        /* index of each level's oldest entry */
    SB_VEC(struct fp_clock) clock; /* [0] is nobody's */
    SB_VEC(struct fp_seat) seat;
    struct sb_map clock_of; /* caller << 32 | func */
    struct sb_map seat_of;  /* func */
};

struct fp_throw {
    enum {
        FP_FINE,
        FP_CALL_IN_SUSPEND,
        FP_CALL_IN_GC,
        FP_RETURN_IN_SUSPEND,
        FP_RETURN_IN_GC,
        FP_IN_ODD,
        FP_GC_END_ODD
    } why;
    struct fp_event event;
    struct fp_proc *proc;
};

struct fp_strict { /* what --strict did otherwise than fprof, see strict.h */
    bool on;
    uint64_t mended, ignored, back;
    int64_t back_t;
};

struct fp_sim {
    SB_VEC(struct fp_proc *) proc; /* by pid / stride */
    uint32_t stride;
    struct fp_proc *last;
    struct fp_throw thrown;
    struct fp_strict strict;
};

void fp_sim_init(struct fp_sim *s, uint32_t stride); /* it gets every stride-th pid */
void fp_sim_close(struct fp_sim *s);
struct fp_proc *fp_sim_find(const struct fp_sim *s, uint32_t pid); /* NULL when never seen */
bool fp_sim_apply(struct fp_sim *s, const struct fp_event *ev);    /* false: thrown, nothing was changed */
void fp_sim_close_stacks(struct fp_sim *s, int64_t t);

#endif
