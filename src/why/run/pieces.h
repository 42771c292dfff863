/*
 * What the findings look at of a run that has more slices and messages than they may cost: pieces that are spread over
 * it evenly. The program's part is divided into equal parts; a piece is the middle of its part, or all of it where the
 * part is quiet. They are as many as the least gain of a finding is of the run, so no fault as long as that is between
 * two of them.
 *
 *     |--------- part 1 ---------|--------- part 2 ---------|------ part 3 ...
 *              [ piece 1 ]               [ piece 2 ]              [ piece 3 ]
 */
#pragma once
#include "profile/range.h"

enum { SB_PIECES = 20, SB_FEWEST_PIECES = 8 };

struct sb_piece_pair { /* of processes that wrote to each other in a piece; figures are of the whole run */
    uint64_t key;      /* sender, receiver */
    int64_t count, first, at_least;
};
struct sb_pieces {
    struct sb_range run, at[SB_PIECES];
    size_t n;
    bool is_cut; /* false: one piece, which is the program's part */
    int64_t covered_ns;
    struct sb_piece_pair *pair; /* by key, those of all pieces; of a run that is cut */
    size_t n_pairs;
};
void sb_pieces_choose(struct sb_pieces *x, const struct sb_profile *p, struct sb_range run);
void sb_pieces_close(struct sb_pieces *x);
static inline uint64_t
sb_pair_key(int32_t sender, int32_t receiver)
{
    return (uint64_t)(uint32_t)sender << 32 | (uint32_t)receiver;
}
