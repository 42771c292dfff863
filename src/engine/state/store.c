#include "engine/state/store.h"
#include "base/file.h"
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PIECE = 64 << 20, SMALL_PIECE = 4 << 20, LINE = 64, LARGE_PAGE = 2 << 20 };

/* ---- the file ---- */

void
sb_spill_open(struct sb_spill *s, const char *dir, const char *path, uint64_t memory)
{
    char name[4096];
    const char *slash = strrchr(path, '/');
    int n =
        dir ? snprintf(name, sizeof name, "%s", dir)
            : snprintf(name, sizeof name, "%.*s", slash ? (int)(slash - path + 1) : 1, slash ? path : ".");
    *s = (struct sb_spill){.fd = -1, .memory = memory};
    if (n > 0 && (size_t)n < sizeof name)
        s->fd = open(name, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
}

void
sb_spill_close(struct sb_spill *s)
{
    sb_close(s->fd);
    s->fd = -1;
}

bool
sb_spill_write(struct sb_spill *s, const void *p, size_t n, uint64_t *at)
{
    if (s->full)
        return false;
    *at = atomic_fetch_add(&s->file_bytes, n);
    for (size_t done = 0; done < n;) {
        ssize_t some = s->fd < 0 ? -1 : pwrite(s->fd, (const char *)p + done, n - done, (off_t)(*at + done));
        if (some <= 0)
            return false;
        done += (size_t)some;
    }
    return true;
}

bool
sb_spill_read(const struct sb_spill *s, void *p, size_t n, uint64_t at)
{
    for (size_t done = 0; done < n;) {
        ssize_t some = pread(s->fd, (char *)p + done, n - done, (off_t)(at + done));
        if (some <= 0)
            return false;
        done += (size_t)some;
    }
    return true;
}

/* Reserves space before mapping it, so that a full disk is an error here and not a signal later. */
static void *
map_file(struct sb_spill *s, size_t n)
{
    uint64_t at = atomic_fetch_add(&s->file_bytes, n);
    if (s->fd < 0 || posix_fallocate(s->fd, (off_t)at, (off_t)n) != 0)
        return MAP_FAILED;
    return mmap(NULL, n, PROT_READ | PROT_WRITE, MAP_SHARED, s->fd, (off_t)at);
}

static void *
map_memory(size_t n)
{
    void *at = mmap(NULL, n, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (at == MAP_FAILED)
        sb_out_of_memory(n);
    madvise(at, n, MADV_HUGEPAGE);
    return at;
}

/* ---- pieces ---- */

static void
rest(const struct sb_store_piece *p)
{
    if (p->in_file)
        madvise(p->at, p->n, MADV_DONTNEED);
}

static void
add_piece(struct sb_store *s, size_t bytes)
{
    bool small = s->spill && s->spill->memory < 8 * (uint64_t)PIECE;
    size_t least = small ? SMALL_PIECE : PIECE;
    size_t n = ((bytes > least ? bytes : least) + LARGE_PAGE - 1) / LARGE_PAGE * LARGE_PAGE;
    struct sb_store_piece p = {MAP_FAILED, n, false};
    if (s->pieces.n > 0)
        rest(&s->pieces.at[s->pieces.n - 1]);
    if (s->spill && atomic_fetch_add(&s->spill->used, n) + n > s->spill->memory)
        p.at = map_file(s->spill, n);
    p.in_file = p.at != MAP_FAILED;
    if (!p.in_file)
        p.at = map_memory(n);
    *SB_PUSH(&s->pieces) = p;
    s->at = p.at;
    s->end = s->at + n;
}

void *
sb_store_take(struct sb_store *s, size_t bytes)
{
    bytes = (bytes + LINE - 1) / LINE * LINE;
    if ((size_t)(s->end - s->at) < bytes)
        add_piece(s, bytes);
    void *taken = s->at;
    s->at += bytes;
    return taken;
}

void
sb_store_rest(struct sb_store *s)
{
    for (size_t i = 0; i < s->pieces.n; i++)
        rest(&s->pieces.at[i]);
}

void
sb_store_reset(struct sb_store *s)
{
    for (size_t i = 0; i < s->pieces.n; i++) {
        munmap(s->pieces.at[i].at, s->pieces.at[i].n);
        if (s->spill && !s->pieces.at[i].in_file)
            atomic_fetch_sub(&s->spill->used, s->pieces.at[i].n);
    }
    s->pieces.n = 0;
    s->at = s->end = NULL;
}

void
sb_store_close(struct sb_store *s)
{
    sb_store_reset(s);
    SB_VEC_FREE(&s->pieces);
}
