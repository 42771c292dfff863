/*
 * `strobe attach` as a process beside this one, for `strobe serve --live`: it connects, records, and removes all of it
 * from the node again, whatever becomes of the server. A process between the two ends it, and removes a private trace,
 * when the server is killed.
 *
 *     strobe serve --live ──fork──> keeper ──exec──> strobe attach
 */
#ifndef SB_CLI_RECORDER_H
#define SB_CLI_RECORDER_H
#include "base/arena.h"
#include "base/err.h"
#include <sys/types.h>

struct sb_recorder_options { /* texts as given; NULL: attach's default */
    const char *target, *via, *trace, *classes, *duration;
    bool force;
};

struct sb_recorder {
    const char *trace;  /* its path */
    const char *folder; /* of a private trace; NULL: the user named it */
    pid_t pid;          /* of the keeper; 0: has ended */
    int code;           /* its exit code then, which is that of attach */
};

/* Starts it. SIGCHLD and the signals that stop a command are blocked by then. */
bool sb_recorder_start(struct sb_recorder *r, const struct sb_recorder_options *o, struct sb_arena *a,
                       struct sb_err *e);
/* Waits until the trace has begun; false: it has ended without. A signal that asks to stop is passed on. */
bool sb_recorder_await(struct sb_recorder *r);
bool sb_recorder_has_ended(struct sb_recorder *r);
/* Ends the recording and waits until the node is as before; removes a private trace. */
void sb_recorder_close(struct sb_recorder *r);

#endif
