#include "base/file.h"
#include "live/attach/target.h"
#include "base/gone.h"
#include <errno.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

enum { TRIES = 10, GONE_TRIES = 100, TRY_US = 20000, CONNECT_S = 1 };

static bool
refuses_connections(const struct sb_target *t)
{
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(t->port), .sin_addr = t->address};
    struct timeval patience = {.tv_sec = CONNECT_S};
    SB_SCOPED_FD int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return false;
    setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
    return connect(fd, (struct sockaddr *)&to, sizeof to) < 0 && errno == ECONNREFUSED;
}

static bool
is_gone(const struct sb_target *t)
{
    return t->beam.os_pid && sb_process_is_gone((pid_t)t->beam.os_pid);
}

/* A process closes its connections one by one, so one that was lost may come before the port is closed. */
static bool
port_is_closed(const struct sb_target *t)
{
    bool closed = refuses_connections(t);
    for (int i = 0; !closed && t->beam.os_pid && i < TRIES; i++) {
        usleep(TRY_US);
        closed = refuses_connections(t);
    }
    return closed;
}

bool
sb_target_has_ended(const struct sb_target *t, struct sb_err *e)
{
    if (!port_is_closed(t))
        return false;
    for (int i = 0; t->beam.os_pid && !is_gone(t) && i < GONE_TRIES; i++)
        usleep(TRY_US);
    if (is_gone(t)) {
        sb_err_set(e, SB_ERR_SYSTEM, "%.*s ended while strobe attached to it", SB_STR_ARG(t->node));
        return true;
    }
    sb_err_set(e, SB_ERR_SYSTEM, "%.*s cannot be reached: nothing listens on its port %u",
               SB_STR_ARG(t->node), t->port);
    sb_err_advise(e, "it has ended, it has stopped its distribution, or a firewall is in between");
    return true;
}
