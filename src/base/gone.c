#include "base/gone.h"
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

bool
sb_process_is_gone(pid_t pid)
{
    if (kill(pid, 0) < 0)
        return errno == ESRCH;
    struct pollfd p = {.fd = (int)syscall(SYS_pidfd_open, pid, 0), .events = POLLIN};
    if (p.fd < 0)
        return errno == ESRCH;
    bool gone = poll(&p, 1, 0) == 1; /* readable when its last thread has ended */
    close(p.fd);
    return gone;
}
