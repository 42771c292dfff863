/* The external term format as OTP's traces use it: what each term begins with. */
#ifndef SB_TRACE_OTP_EXT_H
#define SB_TRACE_OTP_EXT_H
#include "base/bytes.h"
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

enum {
    OTP_VERSION = 131,
    EXT_FLOAT = 70,
    EXT_BITSTRING = 77,
    EXT_SMALL_INT = 97,
    EXT_INT = 98,
    EXT_OLD_FLOAT = 99,
    EXT_ATOM = 100,
    EXT_OLD_REF = 101,
    EXT_OLD_PORT = 102,
    EXT_OLD_PID = 103,
    EXT_SMALL_TUPLE = 104,
    EXT_TUPLE = 105,
    EXT_NIL = 106,
    EXT_STRING = 107,
    EXT_LIST = 108,
    EXT_BINARY = 109,
    EXT_SMALL_BIG = 110,
    EXT_LARGE_BIG = 111,
    EXT_NEW_FUN = 112,
    EXT_EXPORT = 113,
    EXT_NEW_REF = 114,
    EXT_SMALL_ATOM = 115,
    EXT_MAP = 116,
    EXT_OLD_FUN = 117,
    EXT_ATOM_UTF8 = 118,
    EXT_SMALL_ATOM_UTF8 = 119,
    EXT_V4_PORT = 120,
    EXT_PID = 88,
    EXT_NEW_PORT = 89,
    EXT_NEWER_REF = 90,
};

static inline bool
otp_is_atom(uint8_t tag)
{
    return tag == EXT_SMALL_ATOM_UTF8 || tag == EXT_ATOM || tag == EXT_ATOM_UTF8 || tag == EXT_SMALL_ATOM;
}
static inline bool
otp_is_int(uint8_t tag)
{
    return tag == EXT_SMALL_INT || tag == EXT_INT || tag == EXT_SMALL_BIG || tag == EXT_LARGE_BIG;
}
static inline bool
otp_is_ref(uint8_t tag)
{
    return tag == EXT_NEWER_REF || tag == EXT_NEW_REF || tag == EXT_OLD_REF;
}

/* Bytes of the text of an atom, and of its header in front; 0 when it does not fit before `end`. */
static inline uint32_t
otp_atom_bytes(const uint8_t *p, const uint8_t *end, uint32_t *header)
{
    size_t left = (size_t)(end - p);
    if (left < 3) { /* the shortest there is: an empty one takes two */
        *header = 2;
        return left == 2 && (p[0] == EXT_SMALL_ATOM_UTF8 || p[0] == EXT_SMALL_ATOM) && p[1] == 0 ? 2 : 0;
    }
    uint32_t n;
    if (p[0] == EXT_SMALL_ATOM_UTF8 || p[0] == EXT_SMALL_ATOM) {
        *header = 2;
        n = 2u + p[1];
    } else if (p[0] == EXT_ATOM || p[0] == EXT_ATOM_UTF8) {
        *header = 3;
        n = 3u + sb_get_be16(p + 1);
    } else {
        return 0;
    }
    return n <= left ? n : 0;
}

/* The same of what may be an atom, without asking; at least three bytes can be read. */
static inline uint32_t
otp_atom_size(const uint8_t *p)
{
    uint32_t n = sb_get_be16(p + 1);
    return p[0] == EXT_ATOM || p[0] == EXT_ATOM_UTF8 ? 3 + n : 2 + (n >> 8);
}

/* ---- short stretches of bytes, some words at a time, inline: no call, and for most names no loop. How long they are
 * follows no pattern, so that a processor would guess the end of each loop wrong. */

static inline uint64_t
otp_word(const uint8_t *p)
{
    uint64_t v;
    memcpy(&v, p, sizeof v);
    return v;
}

/* Fewer than eight bytes as one word. No atom takes fewer than two. */
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

/* The first n of 16 bytes as two words; the others are 0. */
static inline void
otp_two_words(const uint8_t *p, uint32_t n, uint64_t v[2])
{
    static const uint8_t kept[32] = {255, 255, 255, 255, 255, 255, 255, 255,
                                     255, 255, 255, 255, 255, 255, 255, 255};
    v[0] = otp_word(p) & otp_word(kept + 16 - n);
    v[1] = otp_word(p + 8) & otp_word(kept + 24 - n);
}

/* The bits in which two words differ, or two pairs of words. */
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

/* Words from the front and from the end, which overlap, so that nothing beyond is read. */
static inline bool
otp_same_bytes(const uint8_t *a, const uint8_t *b, uint32_t n)
{
    if (n < 8)
        return otp_short_word(a, n) == otp_short_word(b, n);
    if (n < 16)
        return (otp_differ(a, b) | otp_differ(a + n - 8, b + n - 8)) == 0;
    for (; n > 32; a += 16, b += 16, n -= 16)
        if (otp_differ2(a, b))
            return false;
    return (otp_differ2(a, b) | otp_differ2(a + n - 16, b + n - 16)) == 0;
}

#endif
