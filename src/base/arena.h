/*
 * Arenas: memory that lives and dies together. Three lifetimes in the program: a file, a profile, a request.
 * One thread uses an arena at a time. Memory comes zeroed. Running out of memory stops the program with one
 * line.
 */
#pragma once
#include "base/str.h"
#include <stdarg.h>

struct sb_arena_block;
struct sb_arena { /* of zeros: it has no memory yet */
    struct sb_arena_block *block;
    char *at, *end;
    size_t used; /* bytes taken from the system */
};

void sb_arena_close(struct sb_arena *a);
/* An arena that is closed where the block that it is in ends. */
#define SB_ARENA(name) struct sb_arena name __attribute__((cleanup(sb_arena_close))) = {0}
void sb_arena_reset(struct sb_arena *a); /* keeps the newest block for reuse */
void *sb_arena_alloc(struct sb_arena *a, size_t bytes, size_t align);
#define SB_NEW(a, type) ((type *)sb_arena_alloc((a), sizeof(type), _Alignof(type)))
#define SB_NEW_N(a, type, n) ((type *)sb_arena_alloc((a), sb_mul_or_die(sizeof(type), (n)), _Alignof(type)))

struct sb_str sb_arena_str(struct sb_arena *a, struct sb_str s); /* a copy, with a NUL after its last byte */
struct sb_str sb_arena_printf(struct sb_arena *a, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
struct sb_str sb_arena_vprintf(struct sb_arena *a, const char *fmt, va_list ap);

size_t sb_mul_or_die(size_t a, size_t b);
void *sb_realloc_or_die(void *p, size_t bytes);
void *sb_zeroed_or_die(size_t n, size_t bytes); /* n elements */
void *sb_copy_or_die(const void *p, size_t bytes);
/* Large arrays of zeros straight from the system: a page takes memory once it is written. */
void *sb_pages_new(size_t bytes);
void *sb_pages_new_original(size_t bytes); /* the same, of which copies can be made */
/* A copy takes memory where it is written. The original must stay as it is, and be freed last. */
void *sb_pages_copy(const void *original);
void sb_pages_free(void *p); /* NULL: nothing */
/* A struct on the heap with these members: SB_HEAP(struct sb_file, .fd = -1). */
#define SB_HEAP(type, ...) ((type *)sb_copy_or_die(&(type){__VA_ARGS__}, sizeof(type)))
void sb_heap_in_large_pages(
    void); /* call once, before the threads of a memory-hungry job start; holds from then on */
void sb_heap_for_a_server(void); /* large blocks return to the system when freed, by any thread */
void sb_heap_trim(void);         /* returns free memory to the system, where malloc can */
_Noreturn void sb_out_of_memory(size_t bytes);
