/*
 * Picks the rows of a table that belong to a selection. A row belongs if one of its processes is selected (id
 * of `process`, a column `process`, sender or receiver) and its time overlaps the range (start and dur, at,
 * sent or received). Tables without such columns are taken whole.
 */
#pragma once
#include "export/export.h"

struct sb_pick {
    const struct sb_profile *profile;
    const struct sb_export_options *options;
    enum sb_tab tab;
    int process[2];      /* columns that name processes; -1 */
    int from[2], dur[4]; /* columns with times, and those added to the first of them to get its end; -1 */
    int64_t *cell[8];    /* those columns, block by block */
};

void sb_pick_open(struct sb_pick *r, const struct sb_profile *p, const struct sb_export_options *o,
                  enum sb_tab t);
void sb_pick_close(struct sb_pick *r);
/* Stores the indices of the rows in [row, row + n) that belong, ascending, n <= SB_BLOCK_ROWS. Returns
 * their number. */
size_t sb_pick_rows(struct sb_pick *r, uint64_t row, size_t n, uint16_t *place);
