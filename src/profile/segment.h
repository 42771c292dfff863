/*
 * The rows of a segment and their order: rows of one process are adjacent, in the order in which they were
 * found. Runs of rows are sorted; the rows themselves do not move.
 */
#pragma once
#include "profile/rows.h"

struct sb_segment {
    const struct sb_row_shape *shape;
    /* the lists that hold the rows; none of them may change meanwhile */
    struct sb_rows *const *list;
    SB_VEC(struct sb_sort_key) spans; /* key: owner, in the order of the cluster column */
    SB_VEC(struct sb_sort_key) scratch;
    size_t next_span, next_row; /* the position of sb_segment_next */
};

void sb_segment_begin(struct sb_segment *s, const struct sb_row_shape *shape, struct sb_rows *const *list);
void sb_segment_add_settled(struct sb_segment *s, const struct sb_rows *r,
                            size_t list); /* r is list number `list` */
void sb_segment_add(struct sb_segment *s, uint64_t span, uint64_t who);
void sb_segment_order(struct sb_segment *s); /* call once all are added; `next` then starts at the first */
/* Returns up to `most` rows, in order, with the number of the list of each; 0 at the end. */
size_t sb_segment_next(struct sb_segment *s, uint32_t **row, uint8_t *in, size_t most);
void sb_segment_close(struct sb_segment *s);
