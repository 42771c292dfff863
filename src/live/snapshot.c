#include "live/snapshot.h"
#include "base/progress.h"
#include "trace/sbt/ring_ask.h"
#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { POLL_US = 5000 };
static const int64_t SEEN_WITHIN_NS = 10000000000, WRITTEN_WITHIN_NS = 600000000000;

/* ---- finding the recorder */

/* Returns whether the rings belong to the user of the node or to this one. Anybody may create files in the folders
 * that are searched, and would learn the request and answer it. */
static bool
is_of_node(const struct stat *rings, uint32_t os_pid)
{
    char path[40];
    struct stat node;
    snprintf(path, sizeof path, "/proc/%u", os_pid);
    return rings->st_uid == geteuid() || (stat(path, &node) == 0 && rings->st_uid == node.st_uid);
}

static struct sb_rings *
map_rings(const char *path, uint32_t os_pid)
{
    struct stat st;
    int fd = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    bool ok = fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_size >= SB_RING_PAGE &&
              is_of_node(&st, os_pid);
    void *p = ok ? mmap(NULL, SB_RING_PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0) : MAP_FAILED;
    if (fd >= 0)
        close(fd);
    struct sb_rings *r = p == MAP_FAILED ? NULL : p;
    if (r && (r->magic != SB_RING_MAGIC || r->version != 1 || r->os_pid != os_pid ||
              atomic_load(&r->flight) == SB_FLIGHT_NONE)) {
        munmap(p, SB_RING_PAGE);
        return NULL;
    }
    return r;
}

/* Recordings keep their rings in folders strobe-*, see live/folder.h. */
static struct sb_rings *
look_in(const char *root, uint32_t os_pid, struct sb_arena *a)
{
    struct sb_rings *found = NULL;
    DIR *d = root ? opendir(root) : NULL;
    for (struct dirent *e; d && !found && (e = readdir(d));)
        if (sb_str_starts(sb_str_of(e->d_name), SB_STR("strobe-")))
            found = map_rings(sb_arena_printf(a, "%s/%s/%u.rings", root, e->d_name, os_pid).p, os_pid);
    if (d)
        closedir(d);
    return found;
}

static struct sb_rings *
find(uint32_t os_pid, struct sb_arena *a)
{
    const char *const roots[] = {"/dev/shm", getenv("TMPDIR"), "/tmp", "/var/tmp", getenv("HOME")};
    struct sb_rings *r = NULL;
    for (unsigned i = 0; i < sizeof roots / sizeof *roots && !r; i++)
        r = look_in(roots[i], os_pid, a);
    return r;
}

/* ---- asking */

static bool
is_seen(struct sb_rings *r, int slot)
{
    return atomic_load(&sb_ring_asks_of(r)->ask[slot].state) != SB_ASK_ASKED;
}

/* A drain that runs looks within a tenth of a second; one that has begun to write takes as long as the disk does. */
static bool
wait_for(struct sb_rings *r, int slot, char text[SB_ASK_TEXT], struct sb_err *e)
{
    int64_t began = sb_clock_ns(), past;
    enum sb_ring_ask_state is;
    while ((is = sb_ring_answer(r, slot, text)) == SB_ASK_SEEN) {
        past = sb_clock_ns() - began;
        if (past > WRITTEN_WITHIN_NS || (past > SEEN_WITHIN_NS && !is_seen(r, slot)) ||
            atomic_load(&r->flight) == SB_FLIGHT_NONE) {
            sb_ring_leave(r, slot);
            return sb_err_set(e, SB_ERR_SYSTEM, "the flight recorder has ended, or does not answer");
        }
        usleep(POLL_US);
    }
    return is == SB_ASK_WRITTEN || sb_err_set(e, SB_ERR_SYSTEM, "the trace was not written: %.200s", text);
}

static bool
ask(struct sb_rings *r, const struct sb_snapshot *s, struct sb_arena *a, struct sb_str *path,
    struct sb_err *e)
{
    char text[SB_ASK_TEXT];
    int slot = -1;
    for (int64_t began = sb_clock_ns(); slot < 0 && sb_clock_ns() - began < SEEN_WITHIN_NS; usleep(POLL_US))
        slot = sb_ring_ask(r, false, sb_clock_ns(), s->why, s->path ? s->path : "");
    if (slot < 0)
        return sb_err_set(e, SB_ERR_SYSTEM, "the flight recorder is busy with other requests") ||
               sb_err_advise(e, "try again");
    SB_TRY(wait_for(r, slot, text, e));
    *path = sb_arena_str(a, sb_str_of(text));
    return true;
}

bool
sb_snapshot_ask(const struct sb_snapshot *s, struct sb_arena *a, struct sb_str *path, struct sb_err *e)
{
    if (s->path && strlen(s->path) >= SB_ASK_TEXT)
        return sb_err_set(e, SB_ERR_USAGE, "the path of the trace is too long");
    struct sb_rings *r = find(s->os_pid, a);
    if (!r) {
        sb_err_set(e, SB_ERR_INPUT, "process %u has no flight recorder", s->os_pid);
        return sb_err_advise(e, "start one: strobe attach %u --flight 60s", s->os_pid);
    }
    bool ok = ask(r, s, a, path, e);
    munmap(r, SB_RING_PAGE);
    return ok;
}
