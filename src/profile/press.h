/*
 * blocks of rows -> packed columns -> file. Blocks come one by one, and their texts get their numbers as they
 * come; when some wait they are packed, by any thread, and written in the order in which they came. What the
 * directory says of each stays in memory (48 bytes a column and block) until the end.
 */
#ifndef SB_PROFILE_PRESS_H
#define SB_PROFILE_PRESS_H
#include "base/file.h"
#include "base/pool.h"
#include "profile/format.h"
#include "profile/rows.h"

struct sb_press_column {
    int near; /* column, -1 for none */
    SB_VEC(struct sb_dir_block) blocks;
    SB_VEC(uint32_t) dict;   /* handles in order of their first appearance in the column */
    SB_VEC(uint32_t) number; /* by handle: 1 + number in dict, 0 when not in it */
};

struct sb_press_table {
    const struct sb_tab_desc *desc;
    struct sb_row_shape shape;
    struct sb_press_column *column;
    uint64_t total; /* rows */
};

/* From column to column: in a power of two all would lie in one place of the cache. */
enum { SB_PRESS_APART = SB_BLOCK_ROWS + 8, SB_PRESS_AHEAD = 16 /* rows */ };

struct sb_press_block { /* one that is being filled, or waits */
    struct sb_press_table *table;
    struct sb_rows *const *list; /* where its rows lie */
    size_t n;
    uint32_t *row[SB_BLOCK_ROWS + SB_PRESS_AHEAD];
    uint8_t in[SB_BLOCK_ROWS]; /* which list */
    bool named;                /* text cells hold names, else handles */
    struct sb_rows own, *only; /* a list and where it is, for whom has rows that nobody else will hold */
    struct sb_dir_block d[SB_ROW_MOST];
    SB_VEC(uint8_t) packed;
    /* only what a table has columns for is ever touched */
    uint32_t word[SB_ROW_WORDS_MOST][SB_PRESS_APART]; /* of the rows: a column of cells, or half of one of times */
    int64_t v[SB_ROW_MOST][SB_PRESS_APART];           /* columns of times, and of cells that some have afar */
};

struct sb_names_said {                           /* how those who find rows call texts */
    int64_t (*handle)(void *ctx, uint32_t name); /* SB_NULL: it is none */
    void *ctx;
};

struct sb_press {
    struct sb_out *out;
    uint64_t at;          /* bytes put so far */
    struct sb_pool *pool; /* NULL: the caller does it */
    struct sb_names_said names;
    bool untimed; /* no time is known */
    SB_VEC(struct sb_press_block *) block; /* n of them wait */
    size_t n_made;
};

void sb_press_open_table(struct sb_press_table *t, enum sb_tab tab);
void sb_press_close_table(struct sb_press_table *t);
void sb_press_close(struct sb_press *p);
void sb_press_put(struct sb_press *p, const void *bytes, size_t n); /* when no block waits */
/* The next block, to be filled with rows of that table. It waits when it is added; the lists its rows lie in
   stay as they are until a flush. */
struct sb_press_block *sb_press_next(struct sb_press *p, struct sb_press_table *t);
void sb_press_add(struct sb_press *p);
void sb_press_flush(struct sb_press *p);

#endif
