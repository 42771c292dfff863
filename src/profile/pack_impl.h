/* What writing a block and reading it agree on, beyond pack.h. */
#ifndef SB_PROFILE_PACK_IMPL_H
#define SB_PROFILE_PACK_IMPL_H
#include "profile/pack.h"
#include "base/table.h"
#include <string.h>

/* A number that begins within any byte, read with the seven behind it: so wide it may be. And room for numbers folded two
 * by two, again and again, each time with one beside the last. */
enum { SB_PACK_LOADED = 56, SB_PACK_FOLDED = SB_BLOCK_ROWS + 64 };

static inline size_t
sb_pack_pad(size_t n)
{
    return (n + 7) & ~(size_t)7;
}

/* A width of 57 to 63 bits could straddle nine bytes; 64 is used for all of them. */
static inline bool
sb_pack_width_ok(unsigned bits)
{
    return bits <= SB_PACK_LOADED || bits == 64;
}

/* A patch is what its code has beyond `bits`, with its sign, or all of it. */
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

/* What is told of a value by another one beside it. */
static inline uint64_t
sb_pack_expected(int64_t near)
{
    return near == SB_NULL ? 0 : (uint64_t)near;
}

#endif
