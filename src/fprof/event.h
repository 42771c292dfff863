/* One trace message, as the simulation uses it. */
#pragma once
#include <stdint.h>

enum fp_kind {
    FP_NOTHING, /* only its time is used */
    FP_CALL,
    FP_RETURN_TO,
    FP_SPAWN, /* pid: the new process; cp: its parent */
    FP_EXIT,
    FP_OUT,
    FP_IN,
    FP_GC_START,
    FP_GC_END,
    /* messages that end fprof's reading */
    FP_INCORRECT,      /* fprof has no clause for the message */
    FP_INCORRECT_CALL, /* a call without the function it returns to */
    FP_CRASH,          /* a clause of fprof would crash */
    FP_NO_TERM_AT_ALL, /* binary_to_term would fail */
};

struct fp_event {
    int64_t t;   /* microseconds, or nanoseconds if the trace has them */
    uint64_t at; /* offset of its record in the trace */
    uint32_t pid;
    uint32_t func, cp;
    uint32_t kind;
};
