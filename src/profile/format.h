/*
 * The .sbp file on disk: little-endian, every part a multiple of 8 bytes and no gap between parts, so that a
 * checksum covers each byte. The directory is written last; opening reads the footer and the directory only.
 *
 *     head (16) | blocks, in the order they were closed | text chunks | directory | footer (48)
 *
 *     directory = struct sb_dir_head | struct sb_dir_chunk ... |
 *                 for each table: struct sb_dir_table |
 *                     for each column: struct sb_dir_column | uint32 dictionary[n_dict], padded | struct
 * sb_dir_block ...
 *
 * Block b of a column holds rows [4096 b, 4096 (b + 1)) of its table. A text column holds indices into its
 * own dictionary (dense, so that they pack well), which refers to the texts of the file. Those are sorted, so
 * that ids compare as the texts do.
 */
#pragma once
#include "base/bytes.h"
#include "profile/pack.h"

#define SB_SBP_MAGIC "strobe.p"
#define SB_SBP_END "strobe.e"
#define SB_SBP_VERSION 12u
#define SB_NAME_MAX 32
#define SB_CHUNK_TEXTS 256u

struct sb_sbp_head {
    char magic[8] SB_NOT_TEXT;
    uint32_t version; /* a reader refuses a newer one */
    uint32_t block_rows;
};

struct sb_dir_head {
    uint32_t n_tables, n_chunks;
    uint64_t n_texts;
};

struct sb_dir_chunk { /* 256 texts: uint32 end[k], then the bytes */
    uint64_t at;
    uint32_t bytes, sum;
};

struct sb_dir_table {
    char name[SB_NAME_MAX];
    uint64_t rows;
    uint64_t n_columns;
};

struct sb_dir_column {
    char name[SB_NAME_MAX];
    uint32_t type; /* enum sb_type */
    uint32_t n_dict;
    uint64_t n_blocks;
};

struct sb_dir_block {
    uint64_t at;
    struct sb_packed packed; /* min and max: the zone map; of a text column, dictionary indices */
    uint32_t sum;            /* low half of XXH3 */
    uint32_t nulls;
    int64_t total; /* sum of its numbers modulo 2^64; 0 for a text column */
};

struct sb_sbp_foot {
    uint64_t dir_at, dir_bytes, dir_hash, file_bytes;
    uint64_t foot_hash; /* of the four fields before */
    char magic[8] SB_NOT_TEXT;
};

_Static_assert(sizeof(struct sb_sbp_head) == 16, "head");
_Static_assert(sizeof(struct sb_dir_block) == 48, "block entry");
_Static_assert(sizeof(struct sb_dir_table) == 48, "table entry");
_Static_assert(sizeof(struct sb_sbp_foot) == 48, "foot");
