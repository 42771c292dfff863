/*
 * Turns traces into a profile. Blocks are decoded in parallel; events are routed to parts by process (a send
 * also goes to the receiver's part); each part is sorted by time, window by window, and runs one small state
 * machine per process. The result is the same file for any number of threads, any order of the records and
 * any split over files.
 */
#pragma once
#include "base/err.h"
#include "engine/state/options.h"

void sb_engine_defaults(struct sb_engine_options *o);

struct sb_engine_summary {
    uint64_t events, bytes, processes, lost, damages;
    bool unfinished; /* a trace was still being written: more was to come */
    int64_t span_ns;
    int64_t wall_ns;
};
/* `paths`: traces of any kind, of one or several nodes; the files of one wrap set count as one trace. */
bool sb_engine_analyze(const char *const *paths, size_t n, const char *profile_path,
                       const struct sb_engine_options *o, struct sb_engine_summary *summary,
                       struct sb_err *e);

/* Merges profiles into one, with the result of analysing all their traces at once. A profile is replayed
 * as events: facts that two profiles hold about one process, or one message, are combined as if one trace
 * had held them. */
bool sb_engine_merge(const char *const *paths, size_t n, const char *profile_path,
                     const struct sb_engine_options *o, struct sb_engine_summary *summary, struct sb_err *e);

/* T.sbt -> T.sbp; false if it does not fit */
bool sb_engine_profile_path(const char *trace, char *profile_path, size_t cap);

/* Returns the path at which the profile of a trace is kept, and whether the file there is the one of its present
 * content. `identity`: as in kept.h. */
bool sb_engine_profile_place(const char *trace, const char *identity, char *profile_path, size_t cap,
                             bool *fits, struct sb_err *e);

/* Returns the path of a trace's profile: T.sbp, or T.sbt.sbp if T.sbp is kept for another trace. Analyses the
 * trace unless a profile of it (kept.h) exists. */
bool sb_engine_profile_of(const char *path, const struct sb_engine_options *o, char *profile_path, size_t cap,
                          struct sb_err *e);
