#include "live/drain/rings.h"
#include "base/file.h"
#include "base/arena.h"
#include "base/gone.h"
#include "base/progress.h"
#include "trace/sbt/ring_write.h"
#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static const int64_t PATIENCE_NS = 10000000000, RESERVE_NS = 2000000000;
/* An event that is later than half a second opens a chunk. The rest is for a thread that is interrupted between
 * reading the clock and writing. */
enum { QUIET_NS = SB_CHUNK_SPAN_NS + 50000000, QUARTERS = 4 };

/* A rings file is named after the process that created it: "4711.rings". */
static bool
maker_is_gone(const char *path)
{
    const char *name = strrchr(path, '/');
    long pid = strtol(name ? name + 1 : path, NULL, 10);
    return pid > 0 && sb_process_is_gone((pid_t)pid);
}

/* Waits until the node has allocated and laid out the file; the magic number is written last. */
static bool
wait_for_layout(const struct sb_rings_map *m, const char *path)
{
    for (int64_t start = sb_clock_ns(); sb_clock_ns() - start < PATIENCE_NS; usleep(1000)) {
        uint64_t magic = 0;
        struct stat st;
        if (pread(m->fd, &magic, sizeof magic, 0) == sizeof magic && magic == SB_RING_MAGIC)
            return true;
        if (fstat(m->fd, &st) < 0 || st.st_nlink == 0 || maker_is_gone(path))
            return false;
    }
    return false;
}

static bool
open_rings(struct sb_rings_map *m, const char *path, struct sb_err *e)
{
    struct stat st;
    m->fd = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
    if (m->fd < 0)
        return sb_err_errno(e, "open the rings");
    if (flock(m->fd, LOCK_EX | LOCK_NB) < 0)
        return sb_err_set(e, SB_ERR_SYSTEM, "another drain is already reading these rings");
    if (!wait_for_layout(m, path) || fstat(m->fd, &st) < 0)
        return sb_err_set(e, SB_ERR_INPUT, "the node ended before it recorded anything");
    void *p = mmap(NULL, (size_t)st.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, m->fd, 0);
    if (p == MAP_FAILED)
        return sb_err_errno(e, "map the rings");
    m->rings = p;
    m->bytes = (uint64_t)st.st_size;
    m->is_ours = st.st_uid == geteuid();
    if (!sb_layout_take(&m->layout, m->rings, m->bytes))
        return sb_err_set(e, SB_ERR_INPUT, "these rings belong to another version of strobe");
    m->seen = sb_zeroed_or_die(m->layout.n_rings, sizeof *m->seen);
    return true;
}

bool
sb_rings_open(struct sb_rings_map *m, const char *path, struct sb_err *e)
{
    *m = (struct sb_rings_map){.fd = -1};
    if (open_rings(m, path, e))
        return true;
    sb_rings_close(m);
    return sb_err_in(e, path, SB_NO_BYTE);
}

void
sb_rings_close(struct sb_rings_map *m)
{
    free(m->seen);
    sb_layout_free(&m->layout);
    if (m->rings)
        munmap(m->rings, m->bytes);
    sb_close(m->fd);
    *m = (struct sb_rings_map){.fd = -1};
}

void
sb_rings_reserve(struct sb_rings_map *m, int64_t now_ns)
{
    if (m->is_reserved || now_ns - m->layout.start_ns < RESERVE_NS)
        return;
    (void)!posix_fallocate(m->fd, 0, (off_t)m->bytes); /* without room the node counts what it loses */
    m->is_reserved = true;
}

uint64_t
sb_rings_look(struct sb_rings_map *m, unsigned i, bool last)
{
    const struct sb_ring *ring = sb_layout_ring(&m->layout, i);
    struct sb_ring_seen *seen = &m->seen[i];
    uint64_t head = atomic_load_explicit(&ring->head, memory_order_acquire);
    uint64_t tail = atomic_load_explicit(&ring->tail, memory_order_relaxed);
    int64_t since = sb_clock_ns() - QUIET_NS;
    uint64_t end = head > tail && !last ? head - 1 : head;
    if (end != seen->end)
        *seen = (struct sb_ring_seen){.end = end};
    seen->quiet = 0;
    if (seen->end < head && since > seen->open_ns) {
        if (since > sb_layout_chunk(&m->layout, i, seen->end)->first_ns)
            seen->quiet = sb_layout_published(&m->layout, i, seen->end);
    }
    return (head - tail) * QUARTERS / m->layout.ring[i].n_chunks;
}

/* A ring's tail moves once its events are in the file. */
static bool
is_read(const struct sb_ring *r)
{
    bool all = atomic_load(&r->head) == atomic_load(&r->tail);
    for (unsigned c = 0; c < SB_CLASSES_MAX; c++)
        all &= atomic_load(&r->dropped[c]) == r->reported[c];
    return all;
}

static bool
holds_more(int fd)
{
    struct sb_rings r;
    if (pread(fd, &r, sizeof r, 0) != sizeof r || r.magic != SB_RING_MAGIC)
        return false; /* not laid out yet */
    if (atomic_load(&r.drained) == SB_DRAINED_WHOLE)
        return false;
    for (uint32_t i = 0; i < r.n_rings; i++) {
        struct sb_ring ring;
        if (pread(fd, &ring, sizeof ring, (off_t)SB_RING_PAGE * (i + 1)) != sizeof ring)
            return false;
        if (!is_read(&ring))
            return true;
    }
    return false;
}

void
sb_rings_read_trace(int fd, char trace[SB_RINGS_TRACE_MAX])
{
    struct stat st;
    bool ours = fstat(fd, &st) == 0 && st.st_uid == geteuid();
    ssize_t n = ours ? pread(fd, trace, SB_RINGS_TRACE_MAX, SB_RINGS_TRACE_AT) : 0;
    trace[n > 0 ? n - 1 : 0] = 0;
}

enum sb_rings_use
sb_rings_use(const char *path, char trace[SB_RINGS_TRACE_MAX])
{
    SB_SCOPED_FD int fd =
        maker_is_gone(path) ? open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK) : -1;
    if (fd < 0)
        return SB_RINGS_IN_USE;
    enum sb_rings_use use = flock(fd, LOCK_EX | LOCK_NB) < 0 ? SB_RINGS_IN_USE
                            : holds_more(fd)                 ? SB_RINGS_UNREAD
                                                             : SB_RINGS_VOID;
    if (trace)
        sb_rings_read_trace(fd, trace);
    return use;
}

void
sb_rings_name_trace(const char *path, const char *trace)
{
    char text[SB_RINGS_TRACE_MAX] = {0}, *whole = realpath(trace, NULL);
    bool fits = whole && strlen(whole) < sizeof text;
    SB_SCOPED_FD int fd = fits ? open(path, O_WRONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK) : -1;
    if (fd >= 0) {
        memcpy(text, whole, strlen(whole));
        (void)!pwrite(fd, text, sizeof text, SB_RINGS_TRACE_AT);
    }
    free(whole);
}
