/*
 * `strobe attach` as processes beside this one, for `strobe serve --live`: each connects to a node, records, and
 * removes all of it from the node again, whatever becomes of the server. A process between the two ends it when the
 * server is killed; once all have ended, they remove what the server has left on disk.
 *
 *     strobe serve --live ──fork──> keeper ──exec──> strobe attach     of each node
 */
#pragma once
#include "base/err.h"
#include "cli/frame/members.h"

struct sb_recorder_options {   /* texts as given; NULL: attach's default */
    const char *const *target; /* one, or several; with `via` one or none */
    size_t n;
    const char *via, *trace, *classes, *duration;
    bool force;
};

struct sb_recorder {
    const struct sb_recorder_options *o;
    struct sb_members members; /* a keeper of each node; its exit code is that of attach */
    const char *folder;        /* of private traces; NULL: the user named them */
    int ended[2];              /* a pipe that a keeper closes when its recording has ended */
    pid_t server;
};

/* Starts it. SIGCHLD and the signals that stop a command are blocked by then. `o` and `a` live as long as it does. */
bool sb_recorder_start(struct sb_recorder *r, const struct sb_recorder_options *o, struct sb_arena *a,
                       struct sb_err *e);
/* Waits until the first trace has begun. False: no recording began, and all have ended. A signal that asks to stop is
 * passed on. */
bool sb_recorder_await(struct sb_recorder *r);
/* Ends the recordings and waits until the nodes are as before; removes private traces. Returns the greatest exit
 * code. */
int sb_recorder_close(struct sb_recorder *r);
