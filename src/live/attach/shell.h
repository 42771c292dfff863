/* Runs a command of the user's shell and returns what it printed. One thread. */
#pragma once
#include "base/file.h"
#include <poll.h>
#include <sys/types.h>

struct sb_shell {
    const char *script, *argument; /* `sh -c SCRIPT sh ARGUMENT`; an argument has less than 128 KiB */
    int patience_ms;
    struct sb_out out, err; /* in memory; what the command printed, cut where it is too long */
    uint64_t printed;       /* bytes of both */
    pid_t pid;              /* 0: does not run */
    int fd[2];              /* its outputs; -1: closed */
    int64_t end_ns;         /* of our patience */
};

/* The command is killed when this program ends, and Ctrl-C does not reach it. The argument is needed for the start
 * alone. */
bool sb_shell_start(struct sb_shell *r, struct sb_err *e);
/* Takes what it prints, and waits for that for up to `wait_ms`. True: it has ended, or was too slow. */
bool sb_shell_step(struct sb_shell *r, int wait_ms);
/* After the last step. False if the command did not end in time. Its exit code is not considered: what it printed tells
 * more. */
bool sb_shell_end(struct sb_shell *r, struct sb_err *e);
unsigned sb_shell_poll(const struct sb_shell *r,
                       struct pollfd p[2]); /* what a step takes is readable there */
void sb_shell_free(struct sb_shell *r);     /* at any time after the start */
