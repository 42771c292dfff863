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
#include "engine/fprof/event.h"
#include "engine/fprof/proc.h"

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
