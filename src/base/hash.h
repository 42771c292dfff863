/*
 * Hashes of bytes: names, dictionaries and block checksums. Equal bytes give equal numbers on every machine.
 *
 * sb_hash is XXH3, 64 bit. The drain is also built by projects that have a C compiler and no header of the library;
 * there it is sb_mix_hash, and the blocks it writes say so. All that writes profiles needs the library anyhow.
 */
#ifndef SB_BASE_HASH_H
#define SB_BASE_HASH_H
#include "base/bytes.h"
#include "base/map.h"
#include "base/str.h"
#if __has_include(<xxhash.h>)
#define XXH_INLINE_ALL
#include <xxhash.h>
#define SB_HAVE_XXH3 1
#else
#define SB_HAVE_XXH3 0
#endif

/* Eight bytes a step, the last ones filled up with zeros; begins with how many there are. */
static inline uint64_t
sb_mix_hash(const void *p, size_t n)
{
    const uint8_t *at = p;
    uint64_t h = n, last = 0;
    for (; n >= 8; n -= 8, at += 8)
        h = sb_mix64(h ^ sb_get_le64(at));
    if (n == 0)
        return h;
    memcpy(&last, at, n);
    return sb_mix64(h ^ last);
}

static inline uint64_t
sb_hash(const void *p, size_t n)
{
#if SB_HAVE_XXH3
    return XXH3_64bits(p, n);
#else
    return sb_mix_hash(p, n);
#endif
}
static inline uint64_t
sb_hash_str(struct sb_str s)
{
    return sb_hash(s.p, s.n);
}

#endif
