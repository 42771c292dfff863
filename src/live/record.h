/*
 * Running a command so that every BEAM it starts records itself. The VM reads ERL_AFLAGS and starts
 * strobe_boot before the program; that lays its rings out in our folder, and for each such file a drain is
 * started here.
 *
 *     command ──exec──> VM ──rings──> FOLDER/OSPID.rings ──strobe-drain──> TRACE.OSPID.sbt
 *
 * When the command has ended, the trace with most events gets the name that was asked for.
 */
#ifndef SB_LIVE_RECORD_H
#define SB_LIVE_RECORD_H
#include "base/vec.h"
#include "live/folder.h"
#include "trace/sbt.h"

struct sb_record_options {
    const char *trace; /* where to, "x.sbt" */
    struct sb_recording what;
    uint64_t max_events, max_bytes;
    int64_t max_ns;
    int level;
    char **command; /* argv, NULL at the end */
};

struct sb_recorded { /* one VM's trace */
    const char *path;
    uint32_t os_pid;
    bool complete; /* has its trailer */
    uint64_t bytes;
    struct sb_sbt_trailer totals;
    int64_t start_ns;
};

struct sb_record_result {
    int exit_code;                 /* the command's, or 128 + signal */
    SB_VEC(struct sb_recorded) vm; /* most events first; the first has the name that was asked for */
    struct sb_str missing;         /* lines on what was asked for and the first VM never loaded */
    struct sb_str failed;          /* what a VM that could not record said; empty when all could */
};

/* False when strobe itself failed; then nothing was recorded. */
bool sb_record(const struct sb_record_options *o, struct sb_arena *a, struct sb_record_result *r,
               struct sb_err *e);

#endif
