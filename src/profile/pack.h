/*
 * One block of a column: up to 4,096 numbers, each stored as its distance from an expected value, in as many
 * bits as most of them need; the high bits of the few outliers follow as patches. The expected value is the
 * smallest number of the block, the number before (plus a step), or the sum of other columns in the same
 * row (plus a difference). Low bits that all distances have as zeros are left out: clocks tick in more than 1 ns.
 *
 *     [first or columns, base: 16 bytes, but for distances] | n * bits, padded to 8 bytes |
 *     patches: int32 code >> bits, or uint64 codes where one does not fit | uint16 places, padded
 *
 * If the block has NULLs, code 0 is NULL and all other codes are one more. The expected value next to a NULL
 * is 0; differences wrap at 64 bits. Pure functions of their arguments. Blocks may be compressed (squeeze.h).
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SB_BLOCK_ROWS 4096u
#define SB_PACK_MAX (16 + SB_BLOCK_ROWS * 18 + 64) /* upper bound of the size of a block */
#define SB_PACK_SLACK 8 /* bytes after a block that may be read but have no meaning */

enum sb_pack_how { SB_PACK_DISTANCE, SB_PACK_STEPS, SB_PACK_NEAR, SB_PACK_HOWS };
#define SB_PACK_HAS_NULL 0x80
#define SB_PACK_WHOLE 0x40 /* patches are whole codes */
#define SB_PACK_SHIFT 0x3c /* times 4: low bits that all distances have as zeros, and no code */
#define SB_PACK_FLAGS (SB_PACK_HAS_NULL | SB_PACK_WHOLE | SB_PACK_SHIFT)

struct sb_packed {
    int64_t min, max; /* of the values that are not NULL; min > max if all are */
    uint32_t bytes;   /* as stored: fewer than sb_packed_whole if they are compressed */
    uint16_t patches;
    uint8_t how; /* enum sb_pack_how, SB_PACK_FLAGS */
    uint8_t bits;
};

struct sb_pack_column { /* at most one of the two is set */
    const int64_t *v;
    const uint32_t *cell; /* as in rows (row.h), without far numbers */
};
struct sb_pack_near { /* the same rows of another column, or the sum of some, whose values may be close */
    struct sb_pack_column of; /* the same member as in the column itself */
    uint64_t columns;         /* those that it is the sum of: a bit for each */
};

struct sb_pack_sums {
    int64_t total; /* of the values that are not NULL, modulo 2^64 */
    uint32_t nulls;
};

/* Writes the block to `out` (room for SB_PACK_MAX) and its description to `d`. 0 < n <= 4096. */
struct sb_pack_sums sb_pack(struct sb_pack_column v, struct sb_pack_near near, size_t n, uint8_t *out,
                            struct sb_packed *d);
/* Does the description fit n rows? Only then may it be unpacked. */
bool sb_packed_ok(const struct sb_packed *d, size_t n);
size_t sb_packed_whole(const struct sb_packed *d, size_t n); /* bytes of the block, uncompressed */
/* The bytes may be arbitrary: invalid ones decode to some number or NULL, and never cause access outside v
 * or the block. */
void sb_unpack(const uint8_t *in, const int64_t *near, size_t n, const struct sb_packed *d, int64_t *v);
static inline bool
sb_packed_is_near(const struct sb_packed *d)
{
    return (d->how & ~(unsigned)SB_PACK_FLAGS) == SB_PACK_NEAR;
}
enum { SB_PACK_NEARS = 4 };                 /* most columns in a sum */
uint64_t sb_packed_near(const uint8_t *in); /* the columns whose sum is `near` */
