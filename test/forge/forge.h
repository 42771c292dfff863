/*
 * A profile forged from a good one: its tables are read, changed as the input says, and written with checksums
 * that fit. It shows which readers trust a count, an offset, a dictionary, a block or a column.
 *
 *     input: changes of 5 bytes each: what, table, column, place, value
 */
#pragma once
#include "base/vec.h"
#include "profile/format.h"
#include "profile/profile.h"

enum { FORGE_BYTES = 5, FORGE_MOST_CHANGES = 12, FORGE_MOST_ROWS = 2 * SB_BLOCK_ROWS + 100 };

struct forged_column {
    int64_t *v;         /* texts as ids; NULL: the file has no such column */
    bool of_base;       /* `v` is the array of the base, which may not be changed */
    size_t first_block; /* of those written, in `blocks` */
};
struct forged_table {
    uint64_t rows;    /* in the columns */
    int64_t claims;   /* rows that the directory claims; -1: those of the columns */
    unsigned written; /* times that the directory lists it */
    bool bare;        /* without columns */
    bool inflated;    /* as many rows as claimed, all like the first: 48 bytes of the directory for 4,096 */
    struct forged_column column[64];
};
struct forge_base;
struct forged {
    const struct forge_base *base; /* NULL: none */
    struct forged_table table[SB_TABLES];
    struct sb_str *text;
    uint32_t *text_id; /* 0, 1, 2, ...: the dictionary of each text column */
    size_t n_texts;
    struct sb_out out;
    SB_VEC(size_t) blocks, chunks, columns, tables; /* offsets of directory entries in `out` */
    struct sb_sbp_foot foot;
};

/* Processes and entries that the program looks for by name: a new one is added here. NULL ends them. */
extern const char *const forge_names[];

void forge_read(struct forged *f, const struct sb_profile *good);
void forge_write(struct forged *f);
void forge_mend(struct forged *f); /* makes the checksums fit */
void forge_free(struct forged *f);

/* A good profile, read and packed once: what an input leaves as it is need not be read and packed again. */
struct forge_base *forge_base_open(const struct sb_profile *good); /* which must stay open */
void forge_base_close(struct forge_base *b);
/* All of it, with the changes that `in` states. The bytes are in f->out then. */
void forge(struct forged *f, const struct forge_base *base, const uint8_t *in, size_t n);
