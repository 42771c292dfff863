/*
 * Blocks of rows -> packed columns -> file. Blocks arrive in order, and their texts are numbered as they
 * arrive. Once several wait, any thread packs them, and they are written in the order of arrival. The
 * directory entries (48 bytes per column and block) stay in memory until the end.
 */
#pragma once
#include "base/file.h"
#include "base/pool.h"
#include "profile/format.h"
#include "profile/rows.h"
#include "profile/squeeze.h"

struct sb_press_column {
    uint64_t near; /* the near columns: a bit for each */
    SB_VEC(struct sb_dir_block) blocks;
    SB_VEC(uint32_t) dict;   /* handles by first appearance in the column */
    SB_VEC(uint32_t) number; /* by handle: 1 + number in dict, 0 if not in it */
};

struct sb_press_table {
    const struct sb_tab_desc *desc;
    struct sb_row_shape shape;
    struct sb_press_column *column;
    uint64_t total; /* rows */
};

/* Distance between columns: a power of two would map all of them to the same cache sets. */
enum { SB_PRESS_APART = SB_BLOCK_ROWS + 8, SB_PRESS_AHEAD = 16 /* rows */ };

struct sb_press_block { /* a block that is being filled, or waits */
    struct sb_press_table *table;
    struct sb_rows *const *list; /* the lists that its rows are in */
    size_t n;
    uint32_t *row[SB_BLOCK_ROWS + SB_PRESS_AHEAD];
    uint8_t in[SB_BLOCK_ROWS]; /* the list of each row */
    bool named;                /* text cells hold names, not handles */
    /* a list of its own for callers that keep no rows, and the pointer to it */
    struct sb_rows own, *only;
    struct sb_dir_block d[SB_ROW_MOST];
    SB_VEC(uint8_t) packed;
    /* only the columns of the table are ever touched */
    uint32_t word[SB_ROW_WORDS_MOST][SB_PRESS_APART]; /* columns of cells, or halves of times */
    int64_t v[SB_ROW_MOST][SB_PRESS_APART];           /* columns of times, and of cells with far ones */
};

struct sb_text_names {                           /* translates the names that rows use for texts */
    int64_t (*handle)(void *ctx, uint32_t name); /* SB_NULL: no text */
    void *ctx;
};

struct sb_press {
    struct sb_out *out;
    uint64_t at;          /* bytes written */
    struct sb_pool *pool; /* NULL: packs in the calling thread */
    struct sb_text_names names;
    bool untimed;                          /* all times are unknown */
    SB_VEC(struct sb_press_block *) block; /* n of them wait */
    size_t n_made;
    struct sb_squeezer **squeezer; /* of each thread, made when it is needed; NULL: none yet */
};

void sb_press_open_table(struct sb_press_table *t, enum sb_tab tab);
void sb_press_close_table(struct sb_press_table *t);
void sb_press_close(struct sb_press *p);
void sb_press_put(struct sb_press *p, const void *bytes, size_t n); /* only if no block waits */
/* The next block, to be filled with rows of that table. Once added it waits, and the lists of its rows
 * must not change until a flush. */
struct sb_press_block *sb_press_next(struct sb_press *p, struct sb_press_table *t);
void sb_press_add(struct sb_press *p);
void sb_press_flush(struct sb_press *p);
