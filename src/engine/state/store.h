/*
 * Memory for what lives until the end: large pieces, which the kernel is asked to back by large pages. Beyond
 * the bytes that a spill allows, pieces lie in a file without a name, mapped: what has been written to them
 * goes to disk when the system needs the room, and sb_store_rest lets go of their pages until they are looked
 * at again. So a trace that cannot be read in order takes disk, not memory, and nothing that points into it
 * changes.
 */
#ifndef SB_ENGINE_STORE_H
#define SB_ENGINE_STORE_H
#include "base/vec.h"
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

struct sb_spill {    /* shared by the stores of a run; any thread */
    int fd;          /* -1: not opened, or not to be had */
    uint64_t memory; /* bytes of pieces that may be memory */
    _Atomic uint64_t used, file_bytes;
};
/* Beside `path`, or in `dir` when given. Without a file everything stays in memory. */
void sb_spill_open(struct sb_spill *s, const char *dir, const char *path, uint64_t memory);
void sb_spill_close(struct sb_spill *s);
/* Beside pieces, a stretch that is written at once and read later. False: no file, or no room on the disk. */
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

void *sb_store_take(struct sb_store *s, size_t bytes); /* on a cache line; not zeroed */
void sb_store_rest(
    /* lets go of the pages of what lies in the file; any thread may go on reading */
    struct sb_store *s);
void sb_store_reset(struct sb_store *s); /* gives all of it back to the system */
void sb_store_close(struct sb_store *s);

#endif
