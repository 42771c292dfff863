/*
 * fprof's profile and analyse from OTP trace files, byte for byte as fprof of OTP 25 writes them.
 *
 *     open ─▶ profile (simulates the call stacks: sim.h, pass.h) ─▶ analyse, any number of times
 *
 * An inconsistent trace is not a failure: like fprof, this keeps what was read before. `answer` is the result
 * that fprof:profile/1 would have returned. One thread at a time uses a profile.
 */
#pragma once
#include "fprof/pass.h"

struct sb_fprof_options {
    unsigned threads;        /* 0: one per core */
    struct sb_out *dump;     /* destination of the text dump; NULL: none */
    struct sb_out *messages; /* destination of fprof's progress output; NULL: none */
    bool strict;             /* correct the known errors of fprof */
};

struct sb_fprof {
    struct sb_arena arena; /* names of the files */
    struct fp_input in;
    struct fp_terms funcs, pids;
    struct fp_sim *sim;
    unsigned n_sims, threads;
    bool nanoseconds;
    bool any; /* at least one record was handled */
    int64_t first_t, last_t;
    /* strict: first_t and last_t differ from the first and last time in the file */
    bool file_order;
    struct fp_skipped skipped; /* strict */
    struct sb_out answer;      /* "ok" or "{error,Reason}" */
    bool failed;               /* answer is not "ok" */
    uint64_t failed_at;        /* the record; FP_NOWHERE: no particular one */
};

/* `paths`: a file, or a wrap set given by its base name or its files in any order. */
bool sb_fprof_open(struct sb_fprof *f, const char *const *paths, size_t n, struct sb_err *e);
bool sb_fprof_profile(struct sb_fprof *f, const struct sb_fprof_options *o, struct sb_err *e);
void sb_fprof_close(struct sb_fprof *f);

struct sb_fprof_analysis {
    unsigned cols;
    bool callers, by_own, totals, details;
};
/* false: nothing was profiled, where fprof:analyse/1 returns {error,empty_trace} */
bool sb_fprof_analyse(struct sb_fprof *f, const struct sb_fprof_analysis *a, struct sb_out *out);

/* After a strict profile: writes the differences to fprof's and their causes, one per line; nothing if
 * there are none. */
void sb_fprof_differences(const struct sb_fprof *f, struct sb_out *o);

/* ---- shared in this folder */

void fp_put_reason(struct sb_fprof *f, const struct fp_pass *p, struct sb_out *o); /* reason.c */
void fp_dump_thrown(struct sb_fprof *f, const struct fp_pass *p, struct sb_out *dump);
void fp_put_messages(struct sb_fprof *f, const struct fp_pass *p, struct sb_out *o); /* messages.c */
void fp_dump_record(void *dump, const struct fp_piece *record, uint32_t tracee, const struct fp_event *ev);
struct fp_dump {
    struct sb_fprof *profile;
    struct sb_out *out;
};
