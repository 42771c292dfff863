#include "base/signals.h"
#include <pthread.h>
#include <sys/signalfd.h>
#include <unistd.h>

sigset_t
sb_signals(enum sb_signals which)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGTERM);
    sigaddset(&set, SIGHUP);
    if (which == SB_SIGNALS_STOP_AND_CHILD)
        sigaddset(&set, SIGCHLD);
    return set;
}

void
sb_signals_block(enum sb_signals which)
{
    sigset_t set = sb_signals(which);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    signal(SIGPIPE, SIG_IGN);
}

int
sb_signals_open(enum sb_signals which)
{
    sigset_t set = sb_signals(which);
    sb_signals_block(which);
    return signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
}

bool
sb_signals_ask_to_stop(int fd)
{
    struct signalfd_siginfo s;
    bool any = false;
    while (read(fd, &s, sizeof s) == sizeof s)
        any |= s.ssi_signo != SIGCHLD;
    return any;
}
