/*
 * The changes to a program that a forecast is asked for, as a user writes them. WHAT is a registered name, a label, a
 * pid, or the function that processes were spawned with; for `faster` also a function whose calls were traced, or that
 * samples of the CPU show.
 */
#pragma once
#include "why/predict/sampled.h"

enum { SB_FORECAST_CORES = 32, SB_FORECAST_MOST_CORES = 4096 };

struct sb_what_if_text {  /* lists; empty: none */
    struct sb_str cores;  /* "1,2,4"; empty: 1, 2, 4, 8, 16, 32, 64 */
    struct sb_str faster; /* "WHAT=2;WHAT=1.5" */
    struct sb_str split;  /* "SERVER=4;SERVER=2" */
    struct sb_str free;   /* "A -> B;C -> D" */
};

struct sb_faster {
    bool *of;                         /* by process.id; NULL: a function */
    int64_t mfa;                      /* its text; its share is known by recorded calls, or else by samples */
    const struct sb_sampled *sampled; /* NULL: by calls */
    double by;
};
struct sb_free_pair { /* by process.id */
    bool *from, *to;
};
struct sb_what_if {
    uint32_t cores[SB_FORECAST_CORES];
    size_t n_cores;
    struct sb_faster *faster;
    uint32_t *copies; /* by process.id, 0: as it is; NULL: no server is split */
    struct sb_free_pair *free;
    size_t n_faster, n_free;
    struct sb_str
        sampled; /* the shares of functions that are known by samples, in words; empty: there are none */
};
bool sb_what_if_read(struct sb_what_if *w, const struct sb_profile *p, const struct sb_what_if_text *text,
                     struct sb_arena *a, struct sb_err *e);
