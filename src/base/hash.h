/*
 * Hashes of bytes: names, dictionaries and block checksums. Equal bytes give equal numbers on every machine.
 *
 * sb_hash is XXH3, 64 bit. Projects that depend on strobe may build the drain without the header of that
 * library; sb_hash is sb_mix_hash there, and the blocks name the hash they were written with. Profiles always
 * use XXH3.
 */
#pragma once
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

/* Eight bytes a step, the last step padded with zeros; seeded with the length. */
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
