/*
 * From traces to a profile. Blocks are decoded in parallel, events routed to partitions by process (a send
 * goes to the receiver's partition too), each partition put in time order window by window, one small state
 * machine a process. The same file comes out for any number of threads, any order of the records and any
 * split over files.
 */
#ifndef SB_ENGINE_ENGINE_H
#define SB_ENGINE_ENGINE_H
#include "base/err.h"
#include "engine/state/options.h"

void sb_engine_defaults(struct sb_engine_options *o);

struct sb_engine_summary {
    uint64_t events, bytes, processes, lost, damages;
    int64_t span_ns;
    int64_t wall_ns;
};
/* `paths`: traces of any kind, one or several nodes; the files of one wrap set count as one trace. */
bool sb_engine_analyze(const char *const *paths, size_t n, const char *profile_path,
                       const struct sb_engine_options *o, struct sb_engine_summary *summary,
                       struct sb_err *e);

/* Profiles to one, as analysing all their traces at once. A profile is told again as events: what two of them
 * know of one process, or of one message, comes together as if one trace had told it. */
bool sb_engine_merge(const char *const *paths, size_t n, const char *profile_path,
                     const struct sb_engine_options *o, struct sb_engine_summary *summary, struct sb_err *e);

/* T.sbt -> T.sbp; false when it does not fit */
bool sb_engine_profile_path(const char *trace, char *profile_path, size_t cap);

/* Where a profile is wanted and `path` is a trace: analyses it into PATH with .sbp, unless one newer than it
 * is there. */
bool sb_engine_profile_of(const char *path, const struct sb_engine_options *o, char *profile_path, size_t cap,
                          struct sb_err *e);

#endif
