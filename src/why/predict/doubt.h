/* What a profile leaves unknown of a forecast. */
#pragma once
#include "why/account/account.h"
#include "why/predict/ops.h"
#include "why/predict/shared.h"

enum sb_exposure { SB_EXPOSURE_UNKNOWN, SB_EXPOSURE_LOW, SB_EXPOSURE_SOME, SB_EXPOSURE_HIGH };
struct sb_str sb_exposure_name(enum sb_exposure x); /* NULL for unknown */

enum sb_doubt {
#define DOUBT(name, text) SB_DOUBT_##name,
#include "why/predict/doubts.def"
    SB_N_DOUBTS
};
extern const char *const sb_doubt_texts[SB_N_DOUBTS];

struct sb_doubts {
    uint32_t bits;
    int64_t schedulers; /* of the recording; SB_NULL: unknown */
    int64_t
        startup_ns; /* from the start of the node until the program ran code of its own; SB_NULL: unknown */
    double tracing; /* the part of the work that was tracing; 0: unknown */
    int64_t polling_ns; /* work of processes that poll */
    enum sb_exposure
        exposure; /* by messages; with a trace of one scheduler and too few samples by ETS as well */
    struct sb_shared shared;
};
struct sb_doubts sb_doubts_of(const struct sb_profile *p, const struct sb_ops *o,
                              const struct sb_accounts *x);
