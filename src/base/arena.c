#include "base/arena.h"
#include "base/sanitized.h"
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

enum { FIRST_BLOCK = 4096, LARGEST_STEP = 1 << 18 };

struct sb_arena_block {
    struct sb_arena_block *older;
    size_t bytes; /* capacity */
    char room[];
};

void
sb_out_of_memory(size_t bytes)
{
    fprintf(stderr,
            "strobe: out of memory asking for %zu bytes: use a smaller input or a machine with more\n",
            bytes);
    exit(1);
}

size_t
sb_mul_or_die(size_t a, size_t b)
{
    size_t product;
    if (__builtin_mul_overflow(a, b, &product))
        sb_out_of_memory(SIZE_MAX);
    return product;
}

enum { LARGE_PAGE = 2 << 20 };

void *
sb_realloc_or_die(void *p, size_t bytes)
{
    void *q = realloc(p, bytes ? bytes : 1);
    if (!q)
        sb_out_of_memory(bytes);
    if (bytes >=
        LARGE_PAGE / 4) { /* a page fault costs more than filling the page; rounded out to whole large
                             pages, for a mapping advised in part can only be copied, not moved */
        uintptr_t from = (uintptr_t)q / LARGE_PAGE * LARGE_PAGE;
        uintptr_t to = ((uintptr_t)q + bytes + LARGE_PAGE - 1) / LARGE_PAGE * LARGE_PAGE;
        madvise((void *)from, to - from, MADV_HUGEPAGE);
    }
    return q;
}

void *
sb_copy_or_die(const void *p, size_t bytes)
{
    return memcpy(sb_realloc_or_die(NULL, bytes), p, bytes);
}

void *
sb_zeroed_or_die(size_t n, size_t bytes)
{
    void *p = calloc(n ? n : 1, bytes);
    if (!p)
        sb_out_of_memory(sb_mul_or_die(n, bytes));
    return p;
}

/* Uses one malloc arena for all threads, so that their growing blocks share large pages. */
void
sb_heap_in_large_pages(void)
{
#ifdef __GLIBC__ /* elsewhere malloc has no such settings */
    enum { MAPPED = 32 << 20, PIECE = 1 << 30 };
    mallopt(M_ARENA_MAX, 1);
    mallopt(M_MMAP_THRESHOLD, MAPPED);
    mallopt(M_TRIM_THRESHOLD, PIECE);
    mallopt(M_TOP_PAD, PIECE);
    char *first = malloc(LARGE_PAGE), *end = sbrk(0);
    if (first && first < end && end - first <= 2 * (ptrdiff_t)PIECE) {
        uintptr_t from = ((uintptr_t)first + LARGE_PAGE - 1) / LARGE_PAGE * LARGE_PAGE;
        madvise((void *)from, (uintptr_t)end - from, MADV_HUGEPAGE);
    }
    free(first);
#endif
}

void
sb_heap_for_a_server(void)
{
#ifdef __GLIBC__
    mallopt(M_MMAP_THRESHOLD, 64 * 1024);
    mallopt(M_ARENA_MAX, 2);
#endif
}

void
sb_heap_trim(void)
{
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}

/* ---- pages ---- */

/* Before the array, which is at a multiple of its size. */
struct sb_pages {
    size_t bytes; /* of both */
    int fd;       /* of an original; -1: none */
} __attribute__((aligned(64)));

static void *
map(size_t bytes, int flags, int fd)
{
    struct sb_pages *h = mmap(NULL, bytes, PROT_READ | PROT_WRITE, flags, fd, 0);
    if (h == MAP_FAILED)
        sb_out_of_memory(bytes);
    *h = (struct sb_pages){bytes, flags & MAP_SHARED ? fd : -1};
    return h + 1;
}

static size_t
with_head(size_t bytes)
{
    if (bytes > SIZE_MAX / 2)
        sb_out_of_memory(bytes);
    return bytes + sizeof(struct sb_pages);
}

void *
sb_pages_new(size_t bytes)
{
    return map(with_head(bytes), MAP_PRIVATE | MAP_ANONYMOUS, -1);
}

void *
sb_pages_new_original(size_t bytes)
{
    int fd = memfd_create("strobe", MFD_CLOEXEC);
    if (fd >= 0 && ftruncate(fd, (off_t)with_head(bytes)) == 0)
        return map(with_head(bytes), MAP_SHARED, fd);
    if (fd >= 0)
        close(fd);
    return sb_pages_new(bytes);
}

void *
sb_pages_copy(const void *original)
{
    const struct sb_pages *of = (const struct sb_pages *)original - 1;
    if (of->fd >= 0)
        return map(of->bytes, MAP_PRIVATE, of->fd);
    return memcpy(sb_pages_new(of->bytes - sizeof *of), original, of->bytes - sizeof *of);
}

void
sb_pages_free(void *p)
{
    if (!p)
        return;
    struct sb_pages *h = (struct sb_pages *)p - 1;
    if (h->fd >= 0)
        close(h->fd);
    munmap(h, h->bytes);
}

/* ---- arenas ---- */

static bool
is_large(size_t bytes)
{
    return !SB_UNDER_ASAN && bytes > LARGEST_STEP; /* it sees writes behind blocks of malloc alone */
}

void
sb_arena_close(struct sb_arena *a)
{
    while (a->block) {
        struct sb_arena_block *older = a->block->older;
        if (is_large(a->block->bytes))
            sb_pages_free(a->block);
        else
            free(a->block);
        a->block = older;
    }
    *a = (struct sb_arena){0};
}

void
sb_arena_reset(struct sb_arena *a)
{
    struct sb_arena_block *keep = a->block;
    if (!keep)
        return;
    a->block = keep->older;
    sb_arena_close(a);
    keep->older = NULL;
    *a = (struct sb_arena){
        .block = keep, .at = keep->room, .end = keep->room + keep->bytes, .used = keep->bytes};
}

static void
add_block(struct sb_arena *a, size_t need)
{
    size_t bytes = a->used < FIRST_BLOCK ? FIRST_BLOCK : a->used < LARGEST_STEP ? a->used : LARGEST_STEP;
    if (bytes < need)
        bytes = need;
    if (bytes > SIZE_MAX - sizeof(struct sb_arena_block))
        sb_out_of_memory(bytes);
    struct sb_arena_block *b =
        is_large(bytes) ? sb_pages_new(sizeof *b + bytes) : sb_realloc_or_die(NULL, sizeof *b + bytes);
    *b = (struct sb_arena_block){.older = a->block, .bytes = bytes};
    a->block = b;
    a->at = b->room;
    a->end = b->room + bytes;
    a->used += bytes;
}

void *
sb_arena_alloc(struct sb_arena *a, size_t bytes, size_t align)
{
    size_t gap = (size_t)(-(uintptr_t)a->at & (align - 1));
    bool is_zero = false;
    if (!a->block || gap > (size_t)(a->end - a->at) || bytes > (size_t)(a->end - a->at) - gap) {
        add_block(a, bytes < SIZE_MAX - align ? bytes + align : SIZE_MAX);
        gap = (size_t)(-(uintptr_t)a->at & (align - 1));
        is_zero = is_large(a->block->bytes);
    }
    void *p = a->at + gap;
    a->at += gap + bytes;
    return is_zero ? p : memset(p, 0, bytes);
}

struct sb_str
sb_arena_str(struct sb_arena *a, struct sb_str s)
{
    char *p = sb_arena_alloc(a, s.n + 1, 1);
    if (s.n)
        memcpy(p, s.p, s.n);
    return (struct sb_str){p, s.n};
}

struct sb_str
sb_arena_vprintf(struct sb_arena *a, const char *fmt, va_list ap)
{
    va_list again;
    va_copy(again, ap);
    int n = vsnprintf(NULL, 0, fmt, again);
    va_end(again);
    if (n < 0)
        return (struct sb_str){0};
    char *p = sb_arena_alloc(a, (size_t)n + 1, 1);
    vsnprintf(p, (size_t)n + 1, fmt, ap);
    return (struct sb_str){p, (size_t)n};
}

struct sb_str
sb_arena_printf(struct sb_arena *a, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    struct sb_str s = sb_arena_vprintf(a, fmt, ap);
    va_end(ap);
    return s;
}
