/* The external term format in OTP's traces: the tags and headers of terms. */
#pragma once
#include "base/bytes.h"
#include "trace/term/etf.h"
#include <stdbool.h>
#include <stddef.h>

static inline bool
otp_is_atom(uint8_t tag)
{
    return tag == SB_ETF_SMALL_ATOM_UTF8 || tag == SB_ETF_ATOM || tag == SB_ETF_ATOM_UTF8 ||
           tag == SB_ETF_SMALL_ATOM;
}
static inline bool
otp_is_int(uint8_t tag)
{
    return tag == SB_ETF_SMALL_INT || tag == SB_ETF_INT || tag == SB_ETF_SMALL_BIG || tag == SB_ETF_LARGE_BIG;
}
static inline bool
otp_is_ref(uint8_t tag)
{
    return tag == SB_ETF_NEWER_REF || tag == SB_ETF_NEW_REF || tag == SB_ETF_REF;
}

/* Returns the size of an atom with its header, and sets the size of the header; 0 when it does not fit
 * before `end`. */
static inline uint32_t
otp_atom_bytes(const uint8_t *p, const uint8_t *end, uint32_t *header)
{
    size_t left = (size_t)(end - p);
    if (left < 3) { /* the shortest atom, an empty one, takes two bytes */
        *header = 2;
        return left == 2 && (p[0] == SB_ETF_SMALL_ATOM_UTF8 || p[0] == SB_ETF_SMALL_ATOM) && p[1] == 0 ? 2
                                                                                                       : 0;
    }
    uint32_t n;
    if (p[0] == SB_ETF_SMALL_ATOM_UTF8 || p[0] == SB_ETF_SMALL_ATOM) {
        *header = 2;
        n = 2u + p[1];
    } else if (p[0] == SB_ETF_ATOM || p[0] == SB_ETF_ATOM_UTF8) {
        *header = 3;
        n = 3u + sb_get_be16(p + 1);
    } else {
        return 0;
    }
    return n <= left ? n : 0;
}

/* Returns the size of what may be an atom, unchecked; at least three bytes must be readable. */
static inline uint32_t
otp_atom_size(const uint8_t *p)
{
    uint32_t n = sb_get_be16(p + 1);
    return p[0] == SB_ETF_ATOM || p[0] == SB_ETF_ATOM_UTF8 ? 3 + n : 2 + (n >> 8);
}
