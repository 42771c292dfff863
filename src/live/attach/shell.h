/* Runs a command of the user's shell to its end and returns what it printed. One thread. */
#ifndef SB_LIVE_ATTACH_SHELL_H
#define SB_LIVE_ATTACH_SHELL_H
#include "base/file.h"

struct sb_shell {
    const char *script, *argument; /* `sh -c SCRIPT sh ARGUMENT`; an argument has less than 128 KiB */
    int patience_ms;
    struct sb_out out, err; /* in memory; what the command printed, cut where it is too long */
};

/* False if it could not be started or did not end in time. Its exit code is not considered: what it printed tells
 * more. It is killed when this program ends, and Ctrl-C does not reach it. */
bool sb_shell_run(struct sb_shell *r, struct sb_err *e);
void sb_shell_free(struct sb_shell *r);

#endif
