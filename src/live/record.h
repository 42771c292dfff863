/*
 * Runs a command so that every BEAM it starts records itself. ERL_AFLAGS makes the VM start strobe_boot
 * before the program; strobe_boot creates its rings in the folder of the recording, and a drain is started
 * here for each such file.
 *
 *     command ──exec──> VM ──rings──> FOLDER/OSPID.rings ──strobe-drain──> TRACE.OSPID.sbt
 *
 * When the command has ended, the trace with the most events gets the requested name.
 */
#ifndef SB_LIVE_RECORD_H
#define SB_LIVE_RECORD_H
#include "base/vec.h"
#include "live/folder.h"
#include "live/recorded.h"

struct sb_record_options {
    const char *trace; /* path of the trace, "x.sbt" */
    struct sb_recording what;
    uint64_t max_events, max_bytes;
    int64_t max_ns;
    int level;
    char **command; /* argv, NULL-terminated */
};

struct sb_record_result {
    int exit_code; /* of the command, or 128 + signal; 126 or 127 if it could not be started */
    SB_VEC(struct sb_recorded) vm; /* most events first; the first one has the requested name */
    struct sb_str missing;         /* lines about requested modules that the first VM never loaded */
    bool kept_old;                 /* an earlier trace of this name is now called TRACE.old */
    struct sb_str failed;          /* the error of a VM that could not record; empty: none */
};

/* Returns false when strobe itself failed; nothing was recorded then. */
bool sb_record(const struct sb_record_options *o, struct sb_arena *a, struct sb_record_result *r,
               struct sb_err *e);

#endif
