/*
 * The stack of one process in the simulation (sim.h) and the clocks it charges: the effects of a call and of
 * a return. sim.c maps events to these.
 */
#pragma once
#include "fprof/event.h"
#include "fprof/proc.h"

void fp_stack_open(struct fp_proc *p);
void fp_stack_close(struct fp_proc *p);
/* `t` and `at`: the time, and the record it comes from. */
void fp_stack_new_level(struct fp_proc *p, uint32_t func, int64_t t, uint64_t at);
void fp_stack_push(struct fp_proc *p, uint32_t func, int64_t t, uint64_t at); /* called by the newest entry */
void fp_stack_take_newest(struct fp_proc *p);
void fp_stack_call(struct fp_proc *p, const struct fp_event *ev);
void fp_stack_call_from_nowhere(struct fp_proc *p, const struct fp_event *ev, int64_t t, uint64_t at);
void fp_stack_return_to(struct fp_proc *p, uint32_t func, int64_t t, uint64_t at);

/* ---- levels: 0 is the newest */

static inline size_t
fp_level_start(const struct fp_proc *p, size_t level)
{
    return p->level.at[p->level.n - 1 - level];
}

static inline uint32_t
fp_level_front(const struct fp_proc *p, size_t level)
{
    size_t end = level == 0 ? p->stack.n : fp_level_start(p, level - 1);
    return p->stack.at[end - 1].func;
}

static inline bool
fp_level_is_single(const struct fp_proc *p, size_t level)
{
    size_t end = level == 0 ? p->stack.n : fp_level_start(p, level - 1);
    return end - fp_level_start(p, level) == 1;
}

static inline bool
fp_level_is_just(const struct fp_proc *p, size_t level, uint32_t func)
{
    return level < p->level.n && fp_level_is_single(p, level) && fp_level_front(p, level) == func;
}
