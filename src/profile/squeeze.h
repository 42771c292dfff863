/*
 * Compressed blocks. Packed numbers that repeat, as those of a program that does one thing over and over, are
 * compressed with zstd where that leaves out an eighth or more. Its fastest level finds the repetitions and codes no
 * letters, which pack.h has done.
 */
#pragma once
#include "profile/pack.h"
#include <stdatomic.h>

struct sb_squeezer; /* of one thread at a time */
struct sb_squeezer *sb_squeezer_open(void);
void sb_squeezer_close(struct sb_squeezer *s);
/* Compresses the block at `at` in place, if that is worth it: then it has fewer bytes, padded to 8. */
void sb_squeeze(struct sb_squeezer *s, uint8_t *at, struct sb_packed *d);

struct sb_unsqueezer { /* begins with zeros; any number of threads */
    _Atomic(void *) idle;
};
void sb_unsqueezer_close(struct sb_unsqueezer *u);
/* The block of n rows: where it is, or uncompressed in `room`, of SB_PACK_MAX + SB_PACK_SLACK. NULL: it is damaged. */
const uint8_t *sb_unsqueeze(struct sb_unsqueezer *u, const uint8_t *at, const struct sb_packed *d, size_t n,
                            uint8_t *room);
