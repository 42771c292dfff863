/*
 * Which rows make a segment, and in which order they stand in it: rows of one process together, as they were
 * found. It is runs of rows that are put in order, and they stay where they lie.
 */
#ifndef SB_PROFILE_SEGMENT_H
#define SB_PROFILE_SEGMENT_H
#include "profile/rows.h"

struct sb_segment {
    const struct sb_row_shape *shape;
    struct sb_rows *const *list;      /* where the rows lie; none of them moves meanwhile */
    SB_VEC(struct sb_sort_key) spans; /* key: of whom, in the order of the cluster column */
    SB_VEC(struct sb_sort_key) scratch;
    size_t next_span, next_row; /* of it: what sb_segment_next gives */
};

void sb_segment_begin(struct sb_segment *s, const struct sb_row_shape *shape, struct sb_rows *const *list);
void sb_segment_add_settled(struct sb_segment *s, const struct sb_rows *r, size_t list); /* of that list */
void sb_segment_add(struct sb_segment *s, uint64_t span, uint64_t who);
void sb_segment_order(struct sb_segment *s); /* when all are there: then `next` begins with the first */
/* Up to so many rows, in their order, and the number of the list that each is in; 0 when there are none. */
size_t sb_segment_next(struct sb_segment *s, uint32_t **row, uint8_t *in, size_t most);
void sb_segment_close(struct sb_segment *s);

#endif
