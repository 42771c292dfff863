/* What woke a process that was off, and since when it was ready. */
#pragma once
#include "engine/pass/pass.h"

enum { SB_WAKE_DELAY_NS = 2000 /* from waking to running, of a process that has shown no other */ };
struct sb_wake { /* of a gap */
    int64_t wait, handover, runnable, unknown, low, high;
    enum sb_cause cause;
    uint32_t waker; /* process.id, 0: none */
    bool abroad;    /* which is of another node */
};
bool sb_wake_is_timeout(const struct sb_event *next);
bool sb_wake_is_fetch(const struct sb_event *next);
void sb_wake_runnable(struct sb_wake *v, int64_t dur, enum sb_cause cause);
void sb_wake_at(struct sb_wake *v, const struct sb_gap *g, int64_t at, enum sb_cause cause, uint32_t by);
/* No event woke the process: it may have been a timer, a port or a signal. */
void sb_wake_unexplained(struct sb_wake *v, const struct sb_stay *s, const struct sb_event *next);
/* Finds the first event in the gap that can have woken the process; false if there is none. */
bool sb_wake_find(const struct sb_run *r, const struct sb_proc *p, const struct sb_event *next,
                  struct sb_wake *v);
