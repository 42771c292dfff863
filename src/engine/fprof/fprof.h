/*
 * fprof's profile and analyse from OTP trace files, byte for byte what fprof of OTP 25 writes.
 *
 *     open ─▶ profile (simulates the call stacks: sim.h, pass.h) ─▶ analyse, as often as wanted
 *
 * An inconsistent trace is no failure: fprof keeps what it had until then, and so do we; `answer` says what
 * fprof:profile/1 would have returned. One thread uses one profile.
 */
#ifndef SB_ENGINE_FPROF_FPROF_H
#define SB_ENGINE_FPROF_FPROF_H
#include "base/file.h"
#include "engine/fprof/pass.h"

struct sb_fprof_options {
    unsigned threads;        /* 0: one per core */
    struct sb_out *dump;     /* the text dump, NULL: none */
    struct sb_out *messages; /* what fprof prints while it reads, NULL: not wanted */
    bool strict;             /* fprof's known errors put right */
};

struct sb_fprof {
    struct sb_arena arena; /* the names of the files */
    struct fp_input in;
    struct fp_terms funcs, pids;
    struct fp_sim *sim;
    unsigned n_sims, threads;
    bool nanoseconds;
    bool any; /* something was handled */
    int64_t first_t, last_t;
    bool file_order;           /* strict: these are not the first and last of the file */
    struct fp_skipped skipped; /* strict */
    struct sb_out answer;      /* "ok" or "{error,Reason}" */
    bool failed;               /* it is not ok */
    uint64_t failed_at;        /* the record, FP_NOWHERE: none in particular */
};

/* `paths`: a file, or a wrap set by its base name or its files in any order. */
bool sb_fprof_open(struct sb_fprof *f, const char *const *paths, size_t n, struct sb_err *e);
bool sb_fprof_profile(struct sb_fprof *f, const struct sb_fprof_options *o, struct sb_err *e);
void sb_fprof_close(struct sb_fprof *f);

struct sb_fprof_analysis {
    unsigned cols;
    bool callers, by_own, totals, details;
};
/* false: nothing was profiled, fprof:analyse/1 would have returned {error,empty_trace} */
bool sb_fprof_analyse(struct sb_fprof *f, const struct sb_fprof_analysis *a, struct sb_out *out);

/* After a strict profile: what differs from fprof's and why, a line each; nothing when nothing does. */
void sb_fprof_differences(const struct sb_fprof *f, struct sb_out *o);

/* ---- between the files of this folder */

void fp_put_reason(struct sb_fprof *f, const struct fp_pass *p, struct sb_out *o); /* reason.c */
void fp_dump_thrown(struct sb_fprof *f, const struct fp_pass *p, struct sb_out *dump);
void fp_put_messages(struct sb_fprof *f, const struct fp_pass *p, struct sb_out *o); /* messages.c */
void fp_dump_record(void *dump, const struct fp_piece *record, uint32_t tracee, const struct fp_event *ev);
struct fp_dump {
    struct sb_fprof *profile;
    struct sb_out *out;
};

#endif
