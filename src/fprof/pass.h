/*
 * One pass over the trace: pieces of records are read in order and decoded by any thread. The processes are
 * partitioned into parts, and the events of each part are simulated in file order, by one thread at a time.
 *
 *     read ─▶ decode ─┬▶ part 0: pid 0, 16, 32...    piece after piece
 *     (one thread     ├▶ part 1: pid 1, 17, ...      (a part waits for its next piece, never for other parts)
 *      at a time)     └▶ ...
 *
 * A part may be ahead of the record at which fprof's reading would have ended. A second pass, with a limit,
 * then stops all parts at that record.
 */
#pragma once
#include "fprof/decode.h"
#include "fprof/input.h"
#include "fprof/sim.h"

#define FP_NOWHERE UINT64_MAX

struct fp_stop { /* the place where the handling of events stopped, and the cause */
    uint64_t at;
    uint32_t kind; /* FP_INCORRECT..., FP_NOTHING at the limit */
    uint32_t tracee;
};

struct fp_skipped {
    /* dropped: events, as counted by the drop markers */
    uint64_t records, no_terms, dropped, gap_bytes;
};

struct fp_pass {
    /* input */
    struct fp_input *in;
    struct fp_sim *sim;         /* one per part */
    unsigned n_sims;            /* a power of two */
    struct fp_decoder *decoder; /* one per thread */
    unsigned n_threads;
    bool strict;    /* skip records at which fprof gives up */
    uint64_t limit; /* the first record not to handle; FP_NOWHERE: handle all */
    void (*seen)(void *ctx, const struct fp_piece *record, uint32_t tracee, const struct fp_event *ev);
    void *ctx; /* seen: called for each record before it is handled (needs one part and one thread) */

    /* results */
    struct fp_stop stop; /* at FP_NOWHERE: did not stop */
    uint64_t bad_term;   /* the first record that is not a term; FP_NOWHERE: none */
    enum fp_end end;     /* how reading ended, at in->next */
    uint64_t n_handled;
    int64_t first_t, last_t, min_t, max_t; /* of the handled records */
    struct fp_skipped skipped;             /* strict */
    /* the earliest found by any simulation; other parts may be past it */
    struct fp_throw thrown;
};

bool fp_pass_run(struct fp_pass *p, struct sb_err *e);
