/* One trace message as the simulation needs it. */
#ifndef SB_ENGINE_FPROF_EVENT_H
#define SB_ENGINE_FPROF_EVENT_H
#include <stdint.h>

enum fp_kind {
    FP_NOTHING, /* only its time matters */
    FP_CALL,
    FP_RETURN_TO,
    FP_SPAWN, /* pid: the new process; cp: its parent */
    FP_EXIT,
    FP_OUT,
    FP_IN,
    FP_GC_START,
    FP_GC_END,
    /* where fprof's reading ends */
    FP_INCORRECT,      /* a message it has no clause for */
    FP_INCORRECT_CALL, /* a call without the function it returns to */
    FP_CRASH,          /* it would fail inside a clause */
    FP_NO_TERM_AT_ALL, /* binary_to_term would fail */
};

struct fp_event {
    int64_t t;   /* microseconds, or nanoseconds where the trace has those */
    uint64_t at; /* where in the trace its record begins */
    uint32_t pid;
    uint32_t func, cp;
    uint32_t kind;
};

#endif
