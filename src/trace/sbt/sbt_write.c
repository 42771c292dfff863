#include "base/order.h"
#include "base/file.h"
#include "trace/sbt/sbt_pack.h"
#include "trace/sbt/wire.h"
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

struct place {
    int64_t first_ns;
    uint64_t at;
};

struct sb_sbt_writer {
    int fd;
    uint64_t at;         /* offset of the next block */
    uint64_t raw_bytes;  /* size of all events, unpacked */
    uint64_t dict_bytes; /* size of the dictionary in the file */
    SB_VEC(struct place) blocks;
    SB_VEC(uint64_t) dict; /* offsets of the dictionary blocks */
    struct sb_sbt_held held;
    struct sb_sbt_packer packer;
    char path[4096];
};

#define SLOT(field, name, type, ...) " " #field ":" #type
#define EVENT(id, tag, class, group, rank, marks, control, doc, ...) tag " " #class __VA_ARGS__ "\n"
static const char kinds[] =
#include "trace/event.def"
    ;
#undef EVENT
#undef SLOT

const char *
sb_sbt_kinds(void)
{
    return kinds;
}

static bool
write_all(struct sb_sbt_writer *w, const void *p, size_t n, struct sb_err *e)
{
    for (const char *at = p; n > 0;) {
        ssize_t got = pwrite(w->fd, at, n, (off_t)w->at);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0) {
            sb_err_errno(e, "write the trace");
            return sb_err_in(e, w->path, SB_NO_BYTE);
        }
        at += got;
        n -= (size_t)got;
        w->at += (uint64_t)got;
    }
    return true;
}

/* Records a written block, so that a resumed drain neither repeats nor omits a chunk. */
static void
account(struct sb_sbt_writer *w, const struct sb_sbt_block *b, uint64_t at)
{
    if (b->type == SB_SBT_DICT) {
        *SB_PUSH(&w->dict) = at;
        w->dict_bytes = b->number + b->raw;
    }
    if (b->type != SB_SBT_EVENTS)
        return;
    *SB_PUSH(&w->blocks) = (struct place){b->first_ns, at};
    sb_sbt_hold(&w->held, b);
    w->raw_bytes += b->raw;
}

bool
sb_sbt_put_packed(struct sb_sbt_writer *w, const void *packed, size_t n, struct sb_err *e)
{
    struct sb_sbt_block b;
    uint64_t at = w->at;
    memcpy(&b, packed, sizeof b);
    if (!write_all(w, packed, n, e)) {
        w->at = at; /* a partial block is overwritten by the next one, or cut off */
        return false;
    }
    account(w, &b, at);
    return true;
}

bool
sb_sbt_put(struct sb_sbt_writer *w, const struct sb_sbt_block *head, const void *raw, struct sb_err *e)
{
    struct sb_sbt_block b = *head;
    size_t n = sb_sbt_pack(&w->packer, &b, raw);
    return sb_sbt_put_packed(w, w->packer.bytes.at, n, e);
}

static bool
put_kinds(struct sb_sbt_writer *w, struct sb_err *e)
{
    return sb_sbt_put(w, &(struct sb_sbt_block){.type = SB_SBT_KINDS, .raw = sizeof kinds - 1}, kinds, e);
}

static bool
read_at(const struct sb_sbt_writer *w, uint64_t at, void *p, size_t n)
{
    for (uint8_t *to = p; n > 0;) {
        ssize_t got = pread(w->fd, to, n, (off_t)at);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        to += got;
        n -= (size_t)got;
        at += (uint64_t)got;
    }
    return true;
}

static bool
read_block(struct sb_sbt_writer *w, struct sb_sbt_block *b)
{
    if (!read_at(w, w->at, b, sizeof *b) || !sb_sbt_check_head(b) || b->type == SB_SBT_TRAILER ||
        b->stored > SB_SBT_RAW_MAX)
        return false;
    size_t n = sb_sbt_padded(b->stored);
    w->packer.bytes.n = 0;
    SB_RESERVE(&w->packer.bytes, n);
    return read_at(w, w->at + sizeof *b, w->packer.bytes.at, n) && sb_sbt_check_body(b, w->packer.bytes.at);
}

/*
 * Walks the whole blocks of a file that another writer left, and truncates the file after them. The file is
 * read, not mapped: a drain may run inside a node, which must survive a file that shrinks.
 */
static bool
resume(struct sb_sbt_writer *w, const struct sb_sbt_head *head, struct sb_err *e)
{
    struct sb_sbt_head old;
    struct sb_sbt_block b;
    if (!read_at(w, 0, &old, sizeof old) || memcmp(&old, head, offsetof(struct sb_sbt_head, wall_ns)) != 0) {
        sb_err_set(e, SB_ERR_INPUT, "exists and is not the beginning of this trace");
        return sb_err_in(e, w->path, 0);
    }
    for (w->at = sizeof old; read_block(w, &b); w->at += sizeof b + sb_sbt_padded(b.stored))
        account(w, &b, w->at);
    return ftruncate(w->fd, (off_t)w->at) == 0 || sb_err_errno(e, "cut the trace");
}

static bool
put_start(struct sb_sbt_writer *w, const struct sb_sbt_head *head, struct sb_err *e)
{
    return write_all(w, head, sizeof *head, e) && put_kinds(w, e);
}

static bool
cannot_create(const struct sb_sbt_writer *w, struct sb_err *e)
{
    sb_err_errno(e, "create the trace");
    return sb_err_in(e, w->path, SB_NO_BYTE);
}

/* The trace gets its name when its head is in it: readers take a file without one for anything but a trace. */
static bool
create(struct sb_sbt_writer *w, const struct sb_sbt_head *head, struct sb_err *e)
{
    char part[sizeof w->path + 4];
    snprintf(part, sizeof part, "%s.new", w->path);
    w->fd = open(part, O_RDWR | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (w->fd < 0)
        return cannot_create(w, e);
    bool ok = put_start(w, head, e) && (rename(part, w->path) == 0 || cannot_create(w, e));
    if (!ok)
        unlink(part);
    return ok;
}

static bool
begin(struct sb_sbt_writer *w, const struct sb_sbt_head *head, struct sb_err *e)
{
    struct stat st;
    w->fd = open(w->path, O_RDWR | O_CLOEXEC);
    if (w->fd < 0 && errno == ENOENT)
        return create(w, head, e);
    if (w->fd < 0 || fstat(w->fd, &st) < 0)
        return cannot_create(w, e);
    return st.st_size > 0 ? resume(w, head, e) : put_start(w, head, e);
}

bool
sb_sbt_open(struct sb_sbt_writer **out, const char *path, const struct sb_sbt_head *head,
            const struct sb_sbt_options *o, struct sb_err *e)
{
    struct sb_sbt_writer *w = SB_HEAP(struct sb_sbt_writer, .fd = -1);
    sb_sbt_packer_init(&w->packer, o->level);
    snprintf(w->path, sizeof w->path, "%s", path);
    if (!begin(w, head, e)) {
        sb_sbt_close(w);
        return false;
    }
    *out = w;
    return true;
}

SB_ORDER(by_time, struct place, SB_UP(first_ns) ?: SB_UP(at))

bool
sb_sbt_finish(struct sb_sbt_writer *w, struct sb_sbt_trailer *t, const struct sb_sbt_gap *gaps,
              struct sb_err *e)
{
    SB_SORT(&w->blocks, by_time);
    t->raw_bytes = w->raw_bytes;
    t->n_blocks = w->blocks.n;
    t->n_dict = (uint32_t)w->dict.n;
    size_t n_gaps = sizeof *gaps * t->n_gaps, n = sizeof *t + n_gaps + 8 * (w->blocks.n + w->dict.n);
    uint8_t *p = sb_realloc_or_die(NULL, n), *places = p + sizeof *t + n_gaps;
    memcpy(p, t, sizeof *t);
    if (n_gaps)
        memcpy(p + sizeof *t, gaps, n_gaps);
    for (size_t i = 0; i < w->blocks.n; i++)
        memcpy(places + 8 * i, &w->blocks.at[i].at, 8);
    if (w->dict.n)
        memcpy(places + 8 * w->blocks.n, w->dict.at, 8 * w->dict.n);
    struct sb_sbt_end end = {.trailer_at = w->at, .magic = SB_SBT_END};
    bool ok = sb_sbt_put(w, &(struct sb_sbt_block){.type = SB_SBT_TRAILER, .raw = (uint32_t)n}, p, e) &&
              write_all(w, &end, sizeof end, e);
    free(p);
    return ok;
}

void
sb_sbt_close(struct sb_sbt_writer *w)
{
    if (!w)
        return;
    sb_close(w->fd);
    sb_sbt_packer_close(&w->packer);
    SB_VEC_FREE(&w->blocks);
    SB_VEC_FREE(&w->held.ring);
    SB_VEC_FREE(&w->dict);
    free(w);
}

uint64_t
sb_sbt_bytes(const struct sb_sbt_writer *w)
{
    return w->at;
}
uint64_t
sb_sbt_dict_written(const struct sb_sbt_writer *w)
{
    return w->dict_bytes;
}
const struct sb_sbt_held *
sb_sbt_held_by(const struct sb_sbt_writer *w)
{
    return &w->held;
}

struct sb_sbt_head
sb_sbt_head_at(int64_t start_ns, uint32_t os_pid)
{
    struct timespec wall, now;
    clock_gettime(CLOCK_REALTIME, &wall);
    clock_gettime(CLOCK_MONOTONIC, &now);
    int64_t at_0 = (int64_t)(wall.tv_sec - now.tv_sec) * 1000000000 + wall.tv_nsec - now.tv_nsec;
    return (struct sb_sbt_head){.magic = SB_SBT_MAGIC,
                                .version = 1,
                                .head_bytes = sizeof(struct sb_sbt_head),
                                .start_ns = start_ns,
                                .wall_ns = at_0 + start_ns,
                                .os_pid = os_pid,
                                .tick_shift = SB_WIRE_TICK_SHIFT};
}
