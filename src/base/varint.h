/*
 * Numbers in as few bytes as they need (LEB128): seven bits a byte, low bits first, the top bit says "more".
 * Signed numbers are folded first (zigzag), so that small ones of either sign stay short.
 */
#pragma once
#include <stdbool.h>
#include <stdint.h>

enum { SB_VARINT_MAX = 10 }; /* bytes of the longest */

static inline uint64_t
sb_zigzag(int64_t v)
{
    return (uint64_t)v << 1 ^ (uint64_t)(v >> 63);
}
static inline int64_t
sb_unzigzag(uint64_t v)
{
    return (int64_t)(v >> 1 ^ (0 - (v & 1)));
}

static inline uint8_t * /* the end of the written bytes */
sb_varint_put(uint8_t *p, uint64_t v)
{
    for (; v >= 0x80; v >>= 7)
        *p++ = (uint8_t)(v | 0x80);
    *p++ = (uint8_t)v;
    return p;
}

/* Moves *p past the number; false when it does not end before `end` or does not fit 64 bits. */
static inline bool
sb_varint_get(const uint8_t **p, const uint8_t *end, uint64_t *out)
{
    uint64_t v = 0;
    const uint8_t *at = *p;
    for (unsigned shift = 0; at < end && shift < 64; shift += 7) {
        uint64_t bits = *at & 0x7f;
        if (shift == 63 && bits > 1)
            return false;
        v |= bits << shift;
        if (!(*at++ & 0x80)) {
            *p = at;
            *out = v;
            return true;
        }
    }
    return false;
}
