#include "live/attach/check.h"
#include "base/file.h"
#include <sys/stat.h>
#include <unistd.h>

#if defined(__x86_64__)
#define ARCHITECTURE "x86_64"
#elif defined(__aarch64__)
#define ARCHITECTURE "aarch64"
#else
#define ARCHITECTURE "unknown"
#endif
#ifdef __GLIBC__
#define PLATFORM ARCHITECTURE "-linux-gnu"
#else
#define PLATFORM ARCHITECTURE "-linux-musl"
#endif

/*
 * A scheduler with more than RUNNABLE_MAX processes in its queue, at each of several looks, delays everything
 * already. A recording takes the rings and about as much for the drain and its files (SPARE). A new process or
 * atom must find room in the tables of the VM: atoms are those of strobe's modules.
 */
enum { RUNNABLE_MAX = 10, SPARE = 64 << 20, PROCESSES_SPARE = 100, ATOMS_SPARE = 10000 };

/* The same as strobe_attach states in the node. */
static bool
place_here(char *place, size_t room)
{
    char boot[64], pids[64];
    ssize_t n = readlink("/proc/self/ns/pid", pids, sizeof pids - 1);
    if (n <= 0 || !sb_file_line("/proc/sys/kernel/random/boot_id", boot, sizeof boot))
        return false;
    pids[n] = 0;
    snprintf(place, room, "%s %s", boot, pids);
    return true;
}

/* Rings are read by the clock of who reads them. */
static bool
has_our_clock(long os_pid)
{
    char path[64], ours[64], theirs[64];
    snprintf(path, sizeof path, "/proc/%ld/ns/time", os_pid);
    ssize_t n = readlink("/proc/self/ns/time", ours, sizeof ours), m = readlink(path, theirs, sizeof theirs);
    return n < 0 || (n == m && memcmp(ours, theirs, (size_t)n) == 0);
}

bool
sb_check_is_here(const struct sb_peer_facts *f)
{
    char place[200], theirs[64];
    struct stat a, b;
    snprintf(theirs, sizeof theirs, "/proc/%ld/root/dev/shm", f->os_pid);
    if (!place_here(place, sizeof place) || strcmp(place, f->place) != 0 || stat(theirs, &a) < 0 ||
        !has_our_clock(f->os_pid))
        return false;
    return stat("/dev/shm", &b) == 0 && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

/* "aarch64-linux-gnu": of what the VM was built for, such as aarch64-unknown-linux-gnu, and of its C library. */
static const char *
platform_of(const struct sb_peer_facts *f, struct sb_arena *a)
{
    bool musl = strstr(f->architecture, "musl") || strcmp(f->libc, "musl") == 0;
    struct sb_str rest = sb_str_of(f->architecture), architecture = sb_str_cut(&rest, '-');
    if (f->words != 8 || !strstr(f->architecture, "-linux"))
        return f->architecture;
    return sb_arena_printf(a, "%.*s-linux-%s", SB_STR_ARG(architecture), musl ? "musl" : "gnu").p;
}

const char *
sb_check_obstacle(const struct sb_peer_facts *f, const char **priv, struct sb_arena *a)
{
    const char *platform = platform_of(f, a);
    if (strcmp(platform, PLATFORM) != 0)
        *priv = sb_arena_printf(a, "%s/%s", *priv, platform).p;
    if (access(sb_arena_printf(a, "%s/strobe_nif.so", *priv).p, R_OK) < 0)
        return sb_arena_printf(
                   a, "its VM is for %s with words of %ld bytes, and this strobe has no tracer for that",
                   platform, f->words)
            .p;
    if (!f->no_code[0])
        return NULL;
    return sb_arena_printf(a, "it has no writable folder that may hold code (%s)", f->no_code).p;
}

bool
sb_check_health(const struct sb_peer_facts *f, uint64_t buffer, struct sb_err *e)
{
    if (f->runnable > f->schedulers * RUNNABLE_MAX)
        sb_err_set(e, SB_ERR_LIMIT, "the node is overloaded: %ld processes wait for %ld schedulers",
                   f->runnable, f->schedulers);
    else if (f->available >= 0 && (uint64_t)f->available < buffer + SPARE)
        sb_err_set(e, SB_ERR_LIMIT, "only %ld MiB of memory are available on the machine of the node",
                   f->available >> 20);
    else if (f->processes + PROCESSES_SPARE > f->most_processes)
        sb_err_set(e, SB_ERR_LIMIT, "the node has %ld of at most %ld processes", f->processes,
                   f->most_processes);
    else if (f->atoms + ATOMS_SPARE > f->most_atoms)
        sb_err_set(e, SB_ERR_LIMIT, "the node has %ld of at most %ld atoms", f->atoms, f->most_atoms);
    else
        return true;
    e->code = SB_ERR_SYSTEM;
    return sb_err_advise(e, "attach when it has recovered, or with --force");
}
