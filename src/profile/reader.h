/*
 * Block access for scans and SQL cursors: the blocks of one table, with the last decoded blocks of each column
 * cached. A reader belongs to one thread at a time; a profile can have any number of readers.
 */
#pragma once
#include "profile/profile.h"

struct sb_reader {
    const struct sb_profile *p;
    enum sb_tab tab;
    size_t kept; /* blocks of a column that are cached, each in the place that its number leads to */
    struct {
        uint64_t block; /* UINT64_MAX: none yet */
        int64_t *v;
    } * column;
};
struct sb_reader *sb_reader_open(const struct sb_profile *p, enum sb_tab t);
void sb_reader_close(struct sb_reader *r);
const int64_t *sb_reader_block(struct sb_reader *r, unsigned col,
                               uint64_t block); /* valid until the next call for the same column */

struct sb_where sb_where_make(const struct sb_profile *p, enum sb_tab t, unsigned col, int64_t min,
                              int64_t max);
/* the first block, starting at `block`, that may hold such a row, among the rows before `end`; UINT64_MAX:
 * none */
uint64_t sb_reader_next_block(const struct sb_reader *r, const struct sb_where *w, size_t n_where,
                              uint64_t block, uint64_t end);
struct sb_block_rows {
    uint64_t block;
    size_t from, to; /* positions in the block */
};
struct sb_block_rows sb_block_rows_of(uint64_t block, uint64_t at, uint64_t end); /* its part of [at, end) */
/* stores the positions in the block of those rows that meet all conditions; returns their number */
size_t sb_reader_select(struct sb_reader *r, const struct sb_where *w, size_t n_where,
                        struct sb_block_rows of, uint16_t *place);
