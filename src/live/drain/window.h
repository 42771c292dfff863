/*
 * The last seconds of a recording, in memory: packed blocks in the order in which they came, and what is known of
 * the processes at the beginning of the window.
 *
 *        gone          known.c: exactly the records before from_ns            now
 *     ───────────────────────┬──────────────────────────────────────────────────┤
 *                         from_ns      blocks (some begin before from_ns)    open chunks of the rings
 *
 * One thread.
 */
#pragma once
#include "live/drain/known.h"
#include "trace/sbt/ring_layout.h"
#include "trace/sbt/sbt_pack.h"

struct sb_window_block {
    struct sb_sbt_block head;
    uint8_t *packed; /* NULL: before the window */
    size_t bytes;
    uint32_t skip;   /* records before the window */
    uint64_t cpu_ns; /* CPU time that the drain had used when the block came */
};

struct sb_window {
    const struct sb_layout *layout;
    int64_t
        from_ns; /* every record before this moment is in `known`; every later one is in a block or a ring */
    uint64_t bytes; /* of all blocks */
    SB_VEC(struct sb_window_block) block;
    size_t first; /* blocks before this one are gone */
    struct sb_known known;
    struct sb_window_open { /* of the oldest chunk in a ring: the records that are in `known` */
        uint64_t number;
        uint32_t skip;
    } * open;
    struct sb_sbt_packer packer;
    SB_VEC(uint8_t) raw;
    struct sb_chunk *copy; /* of an open chunk */
};

void sb_window_init(struct sb_window *w, const struct sb_layout *l, int level);
void sb_window_put(struct sb_window *w, const struct sb_sbt_block *b, const void *raw, uint64_t cpu_ns);
/* Moves the beginning of the window. Chunks that are complete must have been put before. */
void sb_window_advance(struct sb_window *w, int64_t from_ns);
/* Returns the earliest beginning of the window with which it has at most so many bytes. */
int64_t sb_window_from(const struct sb_window *w, uint64_t most_bytes);
void sb_window_close(struct sb_window *w);

/* ---- blocks of a trace of this window, which ends at until_ns */
struct sb_window_piece {
    struct sb_sbt_block head;
    SB_VEC(uint8_t) raw;   /* empty: nothing of the block is within the window */
    const uint8_t *packed; /* the block as it is, if all of it is; NULL: see `raw` */
    size_t packed_bytes;
    uint64_t kinds[SB_KINDS_MAX], dropped[SB_CLASSES_MAX];
};
bool sb_window_piece(struct sb_window *w, size_t block, int64_t until_ns, struct sb_window_piece *out);
/* The same for a chunk that is still in its ring; false: there is none with this number. */
bool sb_window_open_piece(struct sb_window *w, unsigned ring, uint64_t number, int64_t until_ns,
                          struct sb_window_piece *out);
