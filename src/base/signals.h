/* Signals that a command waits for instead of being interrupted by them. */
#pragma once
#include <signal.h>
#include <stdbool.h>

enum sb_signals {
    SB_SIGNALS_STOP,           /* SIGINT, SIGTERM, SIGHUP: somebody asks the command to stop */
    SB_SIGNALS_STOP_AND_CHILD, /* and SIGCHLD: a child process ended */
};

sigset_t sb_signals(enum sb_signals which);
/* Blocks them in this thread and in the threads and processes that it starts. SIGPIPE is ignored. */
void sb_signals_block(enum sb_signals which);
/* The same, and a descriptor that is readable when one is pending (`struct signalfd_siginfo`); -1 with errno. */
int sb_signals_open(enum sb_signals which);
/* Takes what is pending there; whether one asks to stop. */
bool sb_signals_ask_to_stop(int fd);
