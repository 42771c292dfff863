/*
 * Recovers the chunks that a killed drain left in the rings. They are converted into blocks in memory, as the
 * drain would have written them, and are read as if they followed the end of the file.
 */
#include "base/gone.h"
#include "trace/sbt/ring_layout.h"
#include "trace/sbt/sbt_read.h"
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <fcntl.h>

static void
append(struct sb_sbt_reader *r, struct sb_sbt_block b, const void *bytes)
{
    b.stored = b.raw;
    size_t n = sizeof b + sb_sbt_padded(b.stored);
    SB_RESERVE(&r->left, n);
    uint8_t *p = r->left.at + r->left.n;
    memset(p, 0, n);
    memcpy(p + sizeof b, bytes, b.raw);
    sb_sbt_seal(&b, p + sizeof b); /* of the copy: a node that lives can change the rings */
    memcpy(p, &b, sizeof b);
    r->left.n += n;
}

/* Appends what a chunk holds beyond its events that are in the file. */
static void
append_chunk(struct sb_sbt_reader *r, const struct sb_chunk *c, int64_t last_ns,
             uint64_t reported[SB_CLASSES_MAX])
{
    struct sb_sbt_block b;
    if (!sb_sbt_held_lacks(&r->held, c, last_ns ? last_ns : INT64_MAX, &b))
        return;
    append(r, b, &c->first_ns);
    for (unsigned k = 0; k < SB_CLASSES_MAX && !b.again; k++)
        reported[k] += c->dropped[k];
}

static void
append_ring(struct sb_sbt_reader *r, const struct sb_layout *l, unsigned i, struct sb_chunk *copy)
{
    struct sb_ring *ring = sb_layout_ring(l, i);
    uint64_t head = atomic_load(&ring->head), at = atomic_load(&ring->tail), reported[SB_CLASSES_MAX];
    memcpy(reported, ring->reported, sizeof reported);
    uint64_t next = sb_sbt_held_next(&r->held, i);
    if (next > at)
        at = next - 1; /* the last chunk in the file may have grown */
    for (; at < head && head - at <= l->ring[i].n_chunks; at++)
        if (sb_layout_copy_chunk(l, i, at, sb_layout_published(l, i, at), copy))
            append_chunk(r, copy, sb_layout_chunk(l, i, at)->last_ns, reported);
    for (unsigned c = 0; c < SB_CLASSES; c++) { /* drops that no chunk reports */
        uint64_t dropped = atomic_load(&ring->dropped[c]);
        if (dropped > reported[c])
            sb_source_lost(r->source, (enum sb_class)c, dropped - reported[c]);
    }
}

static void
append_rings(struct sb_sbt_reader *r, const struct sb_layout *l)
{
    uint64_t used = atomic_load(&l->rings->dict_used), done = r->dict_bytes;
    struct sb_chunk *copy = sb_realloc_or_die(NULL, l->largest);
    if (used <= l->dict_bytes && done < used && used - done <= SB_SBT_RAW_MAX) {
        struct sb_sbt_block b = {.type = SB_SBT_DICT, .raw = (uint32_t)(used - done), .number = done};
        append(r, b, (uint8_t *)l->rings + l->dict_at + done);
    }
    for (unsigned i = 0; i < l->n_rings; i++)
        append_ring(r, l, i, copy);
    free(copy);
    for (unsigned c = 0; c < SB_CLASSES; c++) /* drops of threads without a ring */
        sb_source_lost(r->source, (enum sb_class)c, atomic_load(&l->rings->dropped[c]));
}

/* A running drain holds the lock. The recording is then still in progress, and only the file is read. */
static bool
is_locked(int fd)
{
    return flock(fd, LOCK_SH | LOCK_NB) < 0;
}

/* Does the path have the form that recordings use, /dev/shm/strobe-4711-x/4711.rings? A trace from elsewhere
 * could name any file. */
static bool
is_place_of_rings(struct sb_str path)
{
    struct sb_str folder = path;
    if (!sb_str_starts(path, SB_STR("/")) || !sb_str_ends(path, SB_STR(".rings")))
        return false;
    while (folder.n > 0 && folder.p[folder.n - 1] != '/')
        folder.n--;
    size_t end = folder.n - 1, from = end;
    while (from > 0 && folder.p[from - 1] != '/')
        from--;
    return sb_str_starts(sb_str_sub(folder, from, end - from), SB_STR("strobe-"));
}

/* Opens rings without waiting, should the name belong to a pipe; -1: there are none. */
static int
open_rings(const char *path, struct stat *st)
{
    int fd = is_place_of_rings(sb_str_of(path))
                 ? open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY)
                 : -1;
    if (fd >= 0 && fstat(fd, st) == 0 && S_ISREG(st->st_mode))
        return fd;
    sb_close(fd);
    return -1;
}

/* A node whose drain was killed goes on filling its rings. */
static void
join(struct sb_sbt_reader *r, const struct sb_layout *l)
{
    uint32_t stop = atomic_load(&l->rings->stop);
    r->has_rings = true;
    append_rings(r, l);
    sb_sbt_note_stop(r, stop);
    if (!stop && atomic_load(&l->rings->state) <= SB_RINGS_ON && !sb_process_is_gone((pid_t)l->os_pid))
        sb_source_note(r->source, SB_SOURCE_UNFINISHED,
                       SB_STR("the node goes on, and nothing writes the trace"));
}

void
sb_sbt_join_rings(struct sb_sbt_reader *r, const char *path)
{
    struct stat st;
    SB_SCOPED_FD int fd = open_rings(path, &st);
    if (fd < 0)
        return;
    void *p = MAP_FAILED;
    if (!is_locked(fd) && st.st_size > (off_t)sizeof(struct sb_rings))
        p = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (p != MAP_FAILED) {
        struct sb_layout l;
        if (((struct sb_rings *)p)->magic == SB_RING_MAGIC && sb_layout_take(&l, p, (uint64_t)st.st_size)) {
            join(r, &l);
            sb_layout_free(&l);
        }
        munmap(p, (size_t)st.st_size);
    }
}

static bool
is_drained(const char *path)
{
    struct stat st;
    SB_SCOPED_FD int fd = open_rings(path, &st);
    return fd >= 0 && is_locked(fd);
}

/* The file stays open, so the lock that it may get by the question is given back. */
static bool
is_fetched(int trace)
{
    bool is = is_locked(trace);
    if (!is)
        flock(trace, LOCK_UN);
    return is;
}

bool
sb_sbt_is_written(int trace, const char *rings)
{
    return is_drained(rings) || is_fetched(trace);
}
