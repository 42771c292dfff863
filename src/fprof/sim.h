/*
 * fprof's simulation of call stacks: each process has a stack of levels; a level is a chain of tail calls.
 *
 *     [[{f},{e}], [{d},{b}], [{a}]]       newest first, as in fprof: e tail called f, d called e
 *     a | b d | e f                       as stored: from the oldest; `level` has the starts of levels
 *
 * Time and calls are charged to clocks of (caller, function). An entry's clock is fixed when it is pushed,
 * because the entries below it do not change while it exists (with one exception, see put_below in stack.c).
 * Counters record whether a function is on the stack and how often it is the front of a level, so a return
 * costs no more than the entries it removes. One thread at a time uses a simulation; processes are
 * independent of each other.
 */
#pragma once
#include "fprof/event.h"
#include "fprof/proc.h"

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

struct fp_strict { /* deviations of --strict from fprof, see strict.h */
    bool on;
    uint64_t mended, ignored, back;
    int64_t back_t;
};

struct fp_sim {
    SB_VEC(struct fp_proc *) proc; /* indexed by pid / stride */
    uint32_t stride;
    struct fp_proc *last;
    struct fp_throw thrown;
    struct fp_strict strict;
};

void fp_sim_init(struct fp_sim *s, uint32_t stride); /* for every stride-th pid */
void fp_sim_close(struct fp_sim *s);
struct fp_proc *fp_sim_find(const struct fp_sim *s, uint32_t pid); /* NULL: unknown pid */
/* false: fprof would have failed; nothing was changed */
bool fp_sim_apply(struct fp_sim *s, const struct fp_event *ev);
void fp_sim_close_stacks(struct fp_sim *s, int64_t t);
