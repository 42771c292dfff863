/* Numbers in bytes: big-endian as OTP writes them, little-endian as strobe does. The caller has checked the
 * room. */
#pragma once
#include <stdint.h>
#include <string.h>

/* An array of char of which no byte ends it: compilers that know the attribute accept a text without its NUL. */
#if defined __has_attribute
#if __has_attribute(nonstring)
#define SB_NOT_TEXT __attribute__((nonstring))
#endif
#endif
#ifndef SB_NOT_TEXT
#define SB_NOT_TEXT
#endif

static inline uint16_t
sb_get_be16(const uint8_t *p)
{
    uint16_t v;
    memcpy(&v, p, sizeof v);
    return __builtin_bswap16(v);
}
static inline uint32_t
sb_get_be32(const uint8_t *p)
{
    uint32_t v;
    memcpy(&v, p, sizeof v);
    return __builtin_bswap32(v);
}
static inline uint64_t
sb_get_be64(const uint8_t *p)
{
    uint64_t v;
    memcpy(&v, p, sizeof v);
    return __builtin_bswap64(v);
}
static inline void
sb_put_be32(uint8_t *p, uint32_t v)
{
    v = __builtin_bswap32(v);
    memcpy(p, &v, sizeof v);
}
static inline uint64_t
sb_get_le64(const uint8_t *p)
{
    uint64_t v;
    memcpy(&v, p, sizeof v);
    return v;
}
static inline void
sb_put_le64(uint8_t *p, uint64_t v)
{
    memcpy(p, &v, sizeof v);
}
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "strobe's own formats are copies of memory");
