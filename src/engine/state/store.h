/*
 * Memory that lives until the end: large pieces, backed by large pages if possible. Pieces beyond a spill's
 * limit are mapped from an unlinked file: the kernel writes them to disk when it needs the memory, and
 * sb_store_rest releases their pages until the next access. So a trace that cannot be read in order takes
 * disk instead of memory, and pointers into it remain valid.
 */
#pragma once
#include "base/vec.h"
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

struct sb_spill {    /* shared by the stores of a run; any thread */
    int fd;          /* -1: not open, or not available */
    bool full;       /* nothing more is written to it */
    uint64_t memory; /* most bytes of pieces in memory */
    _Atomic uint64_t used, file_bytes;
};
/* Opens a file beside `path`, or in `dir` if given. Without a file everything stays in memory. */
void sb_spill_open(struct sb_spill *s, const char *dir, const char *path, uint64_t memory);
void sb_spill_close(struct sb_spill *s);
/* Writes bytes to the file outside of pieces, to be read later. Returns false if there is no file, or no
 * room on the disk. */
bool sb_spill_write(struct sb_spill *s, const void *p, size_t n, uint64_t *at);
bool sb_spill_read(const struct sb_spill *s, void *p, size_t n, uint64_t at);

struct sb_store_piece {
    void *at;
    size_t n;
    bool in_file;
};
struct sb_store {           /* one thread's; starts zeroed */
    struct sb_spill *spill; /* NULL: never spills */
    SB_VEC(struct sb_store_piece) pieces;
    char *at, *end;
};

void *sb_store_take(struct sb_store *s, size_t bytes); /* aligned to a cache line; not zeroed */
void sb_store_rest(
    /* releases the pages of pieces in the file; any thread may continue to read them */
    struct sb_store *s);
void sb_store_reset(struct sb_store *s); /* returns all memory to the system */
void sb_store_close(struct sb_store *s);
