/*
 * The rows of a table until they are written, as they come. A cell takes 4 bytes here, a time 8; the few numbers that
 * do not fit lie apart. What comes one behind the other and belongs together is a stretch, and it is stretches that
 * are put in order.
 *
 *     row row row | row row | row ...      far: number number ...
 *     \_stretch_/   \______/  \__ ...       \__ cells hold their places
 */
#ifndef SB_PROFILE_SEGMENT_H
#define SB_PROFILE_SEGMENT_H
#include "base/sort.h"
#include "base/vec.h"
#include "profile/schema.h"

enum { SB_COLUMNS_MAX = 64 };

struct sb_segment {
    unsigned words, n_columns; /* of a row: 4 bytes each */
    unsigned n_wide;           /* columns of 8 bytes, which stand first */
    uint8_t column[SB_COLUMNS_MAX]; /* as they stand in a row */
    uint8_t place[SB_COLUMNS_MAX];  /* of each column, in words */
    uint32_t *at;
    size_t n, cap, most; /* rows */
    SB_VEC(int64_t) far;
    SB_VEC(struct sb_sort_key) stretch; /* value: its first row, 32 bits of how many */
    SB_VEC(struct sb_sort_key) scratch;
    size_t next_stretch, next_row; /* of it: what sb_segment_next gives */
};

void sb_segment_open(struct sb_segment *s, const struct sb_tab_desc *desc, size_t most);
void sb_segment_close(struct sb_segment *s);
/* Rows of one key will stand together, those of smaller ones before them. At most `most` rows. */
void sb_segment_add(struct sb_segment *s, const int64_t *cells, uint64_t key);
void sb_segment_order(struct sb_segment *s); /* when all are there: then `next` begins with the first */
/* Up to so many rows, in their order; 0 when there are no more. */
size_t sb_segment_next(struct sb_segment *s, const uint32_t **row, size_t most);
void sb_segment_cells(const struct sb_segment *s, unsigned column, const uint32_t *const *row, size_t n, int64_t *v);
void sb_segment_clear(struct sb_segment *s); /* keeps the memory */

#endif
