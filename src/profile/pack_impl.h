/* What writing and reading a block share, beyond pack.h. */
#pragma once
#include "profile/pack.h"
#include "base/table.h"
#include <string.h>

/* LOADED: the widest number that one 8-byte load can read at any bit offset. FOLDED: room for all levels
 * of joining numbers in pairs, each with one spare. */
enum { SB_PACK_LOADED = 56, SB_PACK_FOLDED = SB_BLOCK_ROWS + 64 };

static inline size_t
sb_pack_pad(size_t n)
{
    return (n + 7) & ~(size_t)7;
}

/* A width of 57 to 63 bits could span nine bytes; 64 is used instead. */
static inline bool
sb_pack_width_ok(unsigned bits)
{
    return bits <= SB_PACK_LOADED || bits == 64;
}

/* A patch is the part of its code beyond `bits`, sign-extended, or the whole code. */
static inline size_t
sb_pack_patch_bytes(unsigned how)
{
    return how & SB_PACK_WHOLE ? sizeof(uint64_t) : sizeof(int32_t);
}

static inline size_t
sb_pack_bytes(size_t n, unsigned bits, size_t patches, unsigned how)
{
    return ((how & ~(unsigned)SB_PACK_FLAGS) == SB_PACK_DISTANCE ? 0 : 16) + sb_pack_pad((n * bits + 7) / 8) +
           sb_pack_pad(patches * (sb_pack_patch_bytes(how) + sizeof(uint16_t)));
}

/* The value that a near value lets expect. */
static inline uint64_t
sb_pack_expected(int64_t near)
{
    return near == SB_NULL ? 0 : (uint64_t)near;
}
