/*
 * One way through the trace: pieces of records are read in order, decoded by any thread, and the events of
 * each part of the processes simulated in file order by one thread at a time.
 *
 *     read ─▶ decode ─┬▶ part 0: pid 0, 16, 32...    piece after piece
 *     (one thread     ├▶ part 1: pid 1, 17, ...      (a part waits for its next piece, never for other parts)
 *      at a time)     └▶ ...
 *
 * A part may be ahead of another when fprof's reading would have ended; a second way, with a limit, then
 * stops all of them at that record.
 */
#ifndef SB_ENGINE_FPROF_PASS_H
#define SB_ENGINE_FPROF_PASS_H
#include "engine/fprof/decode.h"
#include "engine/fprof/input.h"
#include "engine/fprof/sim.h"

#define FP_NOWHERE UINT64_MAX

struct fp_stop { /* where events stopped being handled, and why */
    uint64_t at;
    uint32_t kind; /* FP_INCORRECT..., FP_NOTHING at the limit */
    uint32_t tracee;
};

struct fp_skipped {
    uint64_t records, no_terms, dropped, gap_bytes; /* dropped: events, by the drop markers' own count */
};

struct fp_pass {
    /* given */
    struct fp_input *in;
    struct fp_sim *sim;         /* one a part */
    unsigned n_sims;            /* a power of two */
    struct fp_decoder *decoder; /* one a thread */
    unsigned n_threads;
    bool strict;    /* skip what fprof gives up at */
    uint64_t limit; /* the record not to handle any more, FP_NOWHERE: handle all */
    void (*seen)(void *ctx, const struct fp_piece *record, uint32_t tracee, const struct fp_event *ev);
    void *ctx; /* seen: called for each record before it is handled (with one part and one thread) */

    /* found */
    struct fp_stop stop; /* at FP_NOWHERE: none */
    uint64_t bad_term;   /* the first record that is no term, FP_NOWHERE: all are */
    enum fp_end end;     /* of reading, at in->next */
    uint64_t n_handled;
    int64_t first_t, last_t, min_t, max_t; /* of what was handled */
    struct fp_skipped skipped;             /* strict */
    struct fp_throw thrown; /* the earliest a simulation found; then the ways of other parts went too far */
};

bool fp_pass_run(struct fp_pass *p, struct sb_err *e);

#endif
