/*
 * Short byte strings, processed a few words at a time and inline: no call, and no loop for most names. Their
 * lengths are irregular, so a processor would mispredict the end of each loop.
 */
#pragma once
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

static inline uint64_t
otp_word(const uint8_t *p)
{
    uint64_t v;
    memcpy(&v, p, sizeof v);
    return v;
}

/* Loads fewer than eight bytes as one word. Every atom has at least two. */
static inline uint64_t
otp_short_word(const uint8_t *p, uint32_t n)
{
    uint32_t first, last;
    if (n < 4)
        return (uint64_t)p[0] << 16 | (uint64_t)p[1] << 8 | p[n - 1];
    memcpy(&first, p, sizeof first);
    memcpy(&last, p + n - 4, sizeof last);
    return (uint64_t)first << 32 | last;
}

/* Sets the masks of the first n bytes of two words. */
static inline void
otp_mask(uint32_t n, uint64_t mask[2])
{
    static const uint8_t kept[32] = {255, 255, 255, 255, 255, 255, 255, 255,
                                     255, 255, 255, 255, 255, 255, 255, 255};
    mask[0] = otp_word(kept + 16 - n);
    mask[1] = otp_word(kept + 24 - n);
}

/* Loads the first n of 16 bytes as two words; the rest is 0. */
static inline void
otp_two_words(const uint8_t *p, uint32_t n, uint64_t v[2])
{
    otp_mask(n, v);
    v[0] &= otp_word(p);
    v[1] &= otp_word(p + 8);
}

/* Returns the bits in which two words, or two pairs of words, differ. */
static inline uint64_t
otp_differ(const uint8_t *a, const uint8_t *b)
{
    return otp_word(a) ^ otp_word(b);
}
static inline uint64_t
otp_differ2(const uint8_t *a, const uint8_t *b)
{
    return otp_differ(a, b) | otp_differ(a + 8, b + 8);
}

/* Compares words from the front and from the end, which overlap, so that nothing beyond is read. n is at
 * least 16. */
static inline bool
otp_same_long(const uint8_t *a, const uint8_t *b, uint32_t n)
{
    for (; n > 32; a += 16, b += 16, n -= 16)
        if (otp_differ2(a, b))
            return false;
    return (otp_differ2(a, b) | otp_differ2(a + n - 16, b + n - 16)) == 0;
}

static inline bool
otp_same_bytes(const uint8_t *a, const uint8_t *b, uint32_t n)
{
    if (n < 8)
        return otp_short_word(a, n) == otp_short_word(b, n);
    if (n < 16)
        return (otp_differ(a, b) | otp_differ(a + n - 8, b + n - 8)) == 0;
    return otp_same_long(a, b, n);
}
