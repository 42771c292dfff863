/* The external term format in OTP's traces: the tags and headers of terms. */
#ifndef SB_TRACE_OTP_EXT_H
#define SB_TRACE_OTP_EXT_H
#include "base/bytes.h"
#include <stdbool.h>
#include <stddef.h>

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

/* Returns the size of an atom with its header, and sets the size of the header; 0 when it does not fit
 * before `end`. */
static inline uint32_t
otp_atom_bytes(const uint8_t *p, const uint8_t *end, uint32_t *header)
{
    size_t left = (size_t)(end - p);
    if (left < 3) { /* the shortest atom, an empty one, takes two bytes */
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

/* Returns the size of what may be an atom, unchecked; at least three bytes must be readable. */
static inline uint32_t
otp_atom_size(const uint8_t *p)
{
    uint32_t n = sb_get_be16(p + 1);
    return p[0] == EXT_ATOM || p[0] == EXT_ATOM_UTF8 ? 3 + n : 2 + (n >> 8);
}

#endif
