#include "live/attach/rings_of.h"
#include "base/file.h"
#include "live/drain/rings.h"
#include "trace/sbt/ring_ask.h"
#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static bool
is_of_node(const struct stat *rings, uint32_t os_pid)
{
    char path[40];
    struct stat node;
    snprintf(path, sizeof path, "/proc/%u", os_pid);
    return rings->st_uid == geteuid() || (stat(path, &node) == 0 && rings->st_uid == node.st_uid);
}

int
sb_rings_of_open(const char *rings, uint32_t os_pid, int flags)
{
    struct stat st;
    struct sb_rings r;
    int fd = open(rings, flags | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (fd < 0)
        return -1;
    if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_size >= SB_RING_PAGE && is_of_node(&st, os_pid) &&
        pread(fd, &r, sizeof r, 0) == sizeof r && r.magic == SB_RING_MAGIC && r.version == 1 &&
        r.os_pid == os_pid && atomic_load(&r.state) == SB_RINGS_ON)
        return fd;
    close(fd);
    return -1;
}

/* A drain holds a lock on its rings, and has told the path of the trace or that it is a flight recorder. */
static bool
read_use(struct sb_rings_of *w, int fd, struct sb_arena *a)
{
    char trace[SB_RINGS_TRACE_MAX], first = 0;
    struct sb_rings r;
    if (flock(fd, LOCK_SH | LOCK_NB) == 0 || pread(fd, &r, sizeof r, 0) != sizeof r ||
        pread(fd, &first, 1, SB_RINGS_TRACE_AT) != 1)
        return false;
    sb_rings_read_trace(fd, trace);
    w->flight = atomic_load(&r.flight) != SB_FLIGHT_NONE;
    w->trace = trace[0] && !w->flight ? sb_arena_printf(a, "%s", trace).p : NULL;
    return w->flight || first;
}

static bool
look_in(struct sb_rings_of *w, const char *root, uint32_t os_pid, struct sb_arena *a)
{
    SB_SCOPED_DIR DIR *d = root ? opendir(root) : NULL;
    for (struct dirent *e; d && (e = readdir(d));) {
        if (!sb_str_starts(sb_str_of(e->d_name), SB_STR("strobe-")))
            continue;
        w->rings = sb_arena_printf(a, "%s/%s/%u.rings", root, e->d_name, os_pid).p;
        SB_SCOPED_FD int fd = sb_rings_of_open(w->rings, os_pid, O_RDONLY);
        if (fd >= 0 && read_use(w, fd, a))
            return true;
    }
    return false;
}

bool
sb_rings_of_find(struct sb_rings_of *w, uint32_t os_pid, struct sb_arena *a)
{
    const char *const roots[] = {"/dev/shm", getenv("TMPDIR"), "/tmp", "/var/tmp", getenv("HOME")};
    bool found = false;
    for (unsigned i = 0; i < sizeof roots / sizeof *roots && !found; i++)
        found = look_in(w, roots[i], os_pid, a);
    if (!found)
        *w = (struct sb_rings_of){.rings = NULL};
    return found;
}

bool
sb_rings_of_target(struct sb_rings_of *w, uint32_t *os_pid, const char *target, struct sb_arena *a)
{
    struct sb_err none = {.at_byte = SB_NO_BYTE};
    *w = (struct sb_rings_of){.rings = NULL};
    return sb_target_os_pid(target, os_pid, a, &none) && sb_rings_of_find(w, *os_pid, a);
}
