/*
 * The .sbt file: strobe's own trace format.
 *
 *     ┌──────┬───────┬────────────┬────────┬────────┬─    ─┬─────────┬─────┐
 *     │ head │ kinds │ dictionary │ events │ events │ ...  │ trailer │ end │
 *     └──────┴───────┴────────────┴────────┴────────┴─    ─┴─────────┴─────┘
 *
 * Blocks are written one after another and never changed. A dictionary block precedes the blocks of events that refer
 * to it. A block of events is a chunk of a ring, or the part of it that existed when the ring had been quiet for half
 * a second. If the chunk has grown since, another block repeats it with the flag `again`. A file without a trailer (its
 * writer was killed) is read by walking its blocks. After damage, reading resumes at the next sound block head.
 */
#pragma once
#include "base/bytes.h"
#include "base/err.h"
#include "base/vec.h"
#include "trace/sbt/ring.h"

#define SB_SBT_MAGIC "STROBE\x1a\n"
#define SB_SBT_END "\nSBTEND\n"
#define SB_SBT_BLOCK 0x4b4c4253u /* "SBLK" */

struct sb_sbt_head { /* at byte 0 */
    char magic[8] SB_NOT_TEXT;
    uint32_t version, head_bytes;
    int64_t start_ns;            /* CLOCK_MONOTONIC of the node when the capture was opened */
    int64_t wall_ns;             /* CLOCK_REALTIME at that moment */
    uint32_t os_pid, tick_shift; /* stamps count ticks of 1 << tick_shift nanoseconds */
    char rings[216];             /* path of the rings, used while the trailer is missing; NUL-terminated */
};
_Static_assert(sizeof(struct sb_sbt_head) == 256, "part of the file format");

enum sb_sbt_type { SB_SBT_KINDS = 1, SB_SBT_DICT, SB_SBT_EVENTS, SB_SBT_TRAILER };
enum sb_sbt_codec { SB_SBT_RAW, SB_SBT_ZSTD };
enum sb_sbt_sum { SB_SBT_XXH3, SB_SBT_MIX }; /* the hash of the checksums: see base/hash.h */

struct sb_sbt_block { /* the head of a block; `stored` bytes follow, then zeros up to a multiple of 8 */
    uint32_t magic;
    uint8_t type, codec;
    sb_lane lane;
    uint32_t stored, raw;      /* size in the file; size unpacked */
    uint64_t number;           /* events: number of the chunk in its ring; dictionary: offset of this block */
    int64_t first_ns, last_ns; /* events: bounds of the time stamps */
    uint32_t events;
    uint16_t ring;
    uint8_t sum;
    uint8_t again;       /* 1: only the last `events` records are new */
    uint64_t check;      /* checksum of the stored bytes */
    uint64_t head_check; /* checksum of the first 56 bytes of this head */
};
_Static_assert(sizeof(struct sb_sbt_block) == 64, "part of the file format");

/* The content of an events block: this prefix (the tail of struct sb_chunk), then records as in
 * trace/wire.h. */
struct sb_sbt_prefix {
    int64_t base_ns;
    uint64_t cpu_ns;
    int64_t gap_from_ns;
    uint32_t dropped[SB_CLASSES_MAX];
};
_Static_assert(sizeof(struct sb_sbt_prefix) == SB_CHUNK_PREFIX, "a block is a chunk");

/* Followed by n_gaps gaps, n_blocks offsets of events blocks by first_ns, and n_dict of dictionary blocks. */
struct sb_sbt_trailer {
    uint64_t kinds[SB_KINDS_MAX];
    uint64_t dropped[SB_CLASSES_MAX];
    uint64_t events, raw_bytes, n_blocks;
    int64_t end_ns;
    uint64_t drain_cpu_ns;
    uint32_t stop, n_gaps; /* stop: enum sb_stop_reason */
    uint32_t node_died;    /* 1: the node ended without closing its rings */
    uint32_t n_dict;
};
struct sb_sbt_gap { /* drops after a ring's last chunk */
    int64_t from_ns;
    uint32_t ring;
    sb_lane lane;
    uint16_t class_;
    uint64_t events;
};
struct sb_sbt_end { /* the last 16 bytes */
    uint64_t trailer_at;
    char magic[8] SB_NOT_TEXT;
};

/* ---- writing; one thread */
struct sb_sbt_writer;
struct sb_sbt_options {
    int level; /* zstd level; 0: uncompressed */
};
/* Opens or creates a file for writing. Writing to a file without a trailer resumes after its last whole
 * block. */
bool sb_sbt_open(struct sb_sbt_writer **w, const char *path, const struct sb_sbt_head *head,
                 const struct sb_sbt_options *o, struct sb_err *e);
bool sb_sbt_put(struct sb_sbt_writer *w, const struct sb_sbt_block *b, const void *raw, struct sb_err *e);
/* Puts a block that sb_sbt_pack has packed, of `n` bytes with its head and padding. */
bool sb_sbt_put_packed(struct sb_sbt_writer *w, const void *packed, size_t n, struct sb_err *e);
bool sb_sbt_finish(struct sb_sbt_writer *w, struct sb_sbt_trailer *t, const struct sb_sbt_gap *gaps,
                   struct sb_err *e); /* fills in raw_bytes, n_blocks and n_dict */
void sb_sbt_close(struct sb_sbt_writer *w);
uint64_t sb_sbt_bytes(const struct sb_sbt_writer *w);
uint64_t sb_sbt_dict_written(const struct sb_sbt_writer *w); /* bytes of the dictionary in the file */
/* The head of a trace of this node that begins at start_ns. */
struct sb_sbt_head sb_sbt_head_at(int64_t start_ns, uint32_t os_pid);

/* ---- shared by writer and reader */
struct sb_sbt_held_ring {
    uint64_t next;   /* one more than the last chunk in the file */
    uint32_t events; /* number of events of that chunk in the file */
};
struct sb_sbt_held { /* what a file holds of each ring */
    SB_VEC(struct sb_sbt_held_ring) ring;
};
void sb_sbt_hold(struct sb_sbt_held *h, const struct sb_sbt_block *b); /* adds a block of events */
uint64_t sb_sbt_held_next(const struct sb_sbt_held *h, unsigned ring); /* number of the next chunk */
const struct sb_sbt_held *sb_sbt_held_by(const struct sb_sbt_writer *w);
/* Makes the head of the block of events with what a chunk holds beyond the file: of a quiet ring, or after a drain that
 * died. False: nothing. `end_ns`: of a chunk that the node may still write to. */
bool sb_sbt_held_lacks(const struct sb_sbt_held *h, const struct sb_chunk *c, int64_t end_ns,
                       struct sb_sbt_block *b);
/* the table of kinds as text, one line per kind: tag, class, then slots as field:TYPE */
const char *sb_sbt_kinds(void);
bool sb_sbt_check_head(const struct sb_sbt_block *b); /* checks magic, checksum and sizes */
bool sb_sbt_check_body(const struct sb_sbt_block *b, const void *stored);
void sb_sbt_seal(struct sb_sbt_block *b, const void *stored); /* sets magic and checksums */
/* Returns the offset of the trailer in a file of n bytes, 0 if it has none. */
uint64_t sb_sbt_find_trailer(const uint8_t *p, uint64_t n);
bool sb_sbt_read_start(const char *path, int64_t *start_ns);
bool sb_sbt_read_trailer(const char *path, struct sb_sbt_trailer *t, struct sb_err *e);
/* What becomes of a file that is opened for reading. */
enum sb_sbt_life {
    SB_SBT_NO_HEAD, /* it is no trace of strobe, or its writer has only begun */
    SB_SBT_WRITTEN, /* a drain writes it, or strobe fetches it from a node elsewhere */
    SB_SBT_BROKEN,  /* it has no trailer, and nobody writes it */
    SB_SBT_WHOLE    /* it has its trailer */
};
enum sb_sbt_life sb_sbt_life(int fd);

enum { SB_SBT_RAW_MAX = 1 << 26 };
static inline uint64_t /* at most; other blocks are stored as they are, so that no small file fills the memory */
sb_sbt_unpacks_to(uint32_t stored)
{
    return 4096 + 64 * (uint64_t)stored;
}
static inline uint64_t
sb_sbt_padded(uint32_t stored)
{
    return (stored + 7ull) & ~7ull;
}
