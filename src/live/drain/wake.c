#include "live/drain/wake.h"
#include <sys/inotify.h>
#include <unistd.h>

int
sb_wake_open(const char *rings)
{
    int fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    if (fd < 0 || inotify_add_watch(fd, rings, IN_ATTRIB) >= 0)
        return fd;
    close(fd);
    return -1;
}

void
sb_wake_take(int fd)
{
    _Alignas(struct inotify_event) char changes[4096];
    while (fd >= 0 && read(fd, changes, sizeof changes) > 0)
        ;
}
