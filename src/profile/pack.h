/*
 * One block of a column: up to 4,096 numbers, each as its distance from what it is expected to be, in as many bits as
 * most need; what the few that need more have beyond these bits stands behind the others. Expected is the smallest of them, the one before
 * (and a step), or what another column of the row says (and a difference).
 *
 *     [first or column, base: 16 bytes, but for distances] | n * bits, padded to 8 bytes | patches: int32 code >> bits,
 * or uint64 codes where one does not fit | uint16 places, padded
 *
 * With NULLs in the block, code 0 is NULL and all others are one more. What is expected of a NULL is 0; the difference
 * wraps at 64 bits. Pure functions of their arguments.
 */
#ifndef SB_PROFILE_PACK_H
#define SB_PROFILE_PACK_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SB_BLOCK_ROWS 4096u
#define SB_PACK_MAX (16 + SB_BLOCK_ROWS * 18 + 64) /* no block takes more */
#define SB_PACK_SLACK 8 /* bytes behind a block that may be read, and mean nothing */

enum sb_pack_how { SB_PACK_DISTANCE, SB_PACK_STEPS, SB_PACK_NEAR, SB_PACK_HOWS };
#define SB_PACK_HAS_NULL 0x80
#define SB_PACK_WHOLE 0x40 /* patches are whole codes */
#define SB_PACK_FLAGS (SB_PACK_HAS_NULL | SB_PACK_WHOLE)

struct sb_packed {
    int64_t min, max; /* of what is not NULL; min > max when all is */
    uint32_t bytes;
    uint16_t patches;
    uint8_t how; /* enum sb_pack_how, SB_PACK_FLAGS */
    uint8_t bits;
};

struct sb_pack_column { /* one of the two, or there is none */
    const int64_t *v;
    const uint32_t *cell; /* as rows have them (row.h), none of them far */
};
struct sb_pack_near { /* the same rows of another column, which may tell about what is in this one */
    struct sb_pack_column of; /* the same of the two */
    unsigned column;
};

struct sb_pack_sums {
    int64_t total; /* of what is not NULL, modulo 2^64 */
    uint32_t nulls;
};

/* Writes the block to `out` (room for SB_PACK_MAX) and says how. 0 < n <= 4096. */
struct sb_pack_sums sb_pack(struct sb_pack_column v, struct sb_pack_near near, size_t n, uint8_t *out,
                            struct sb_packed *d);
/* Does the description fit n rows? Only then may it be unpacked. */
bool sb_packed_ok(const struct sb_packed *d, size_t n);
/* The bytes may be anything: what makes no sense reads as some number or NULL, never outside v or the block.
 */
void sb_unpack(const uint8_t *in, const int64_t *near, size_t n, const struct sb_packed *d, int64_t *v);
static inline bool
sb_packed_is_near(const struct sb_packed *d)
{
    return (d->how & ~(unsigned)SB_PACK_FLAGS) == SB_PACK_NEAR;
}
uint64_t sb_packed_near(const uint8_t *in); /* the column whose rows `near` must be then, as the block says */

#endif
