/* UTF-8, strictly: no overlong forms, no surrogates, nothing above U+10FFFF. */
#pragma once
#include "base/str.h"

/* The length in bytes of the character at p, of n > 0 bytes, and its code point; 0 when invalid. */
static inline size_t
sb_utf8_get(const char *s, size_t n, uint32_t *out)
{
    const uint8_t *p = (const uint8_t *)s;
    static const uint32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
    size_t need = p[0] < 0x80 ? 1 : p[0] < 0xc2 ? 0 : p[0] < 0xe0 ? 2 : p[0] < 0xf0 ? 3 : p[0] < 0xf5 ? 4 : 0;
    if (need == 0 || need > n)
        return 0;
    uint32_t c = need == 1 ? p[0] : p[0] & (0xffu >> (need + 1));
    for (size_t i = 1; i < need; i++) {
        if ((p[i] & 0xc0) != 0x80)
            return 0;
        c = c << 6 | (p[i] & 0x3f);
    }
    *out = c;
    return c < smallest[need] || c > 0x10ffff || (c >= 0xd800 && c < 0xe000) ? 0 : need;
}

static inline size_t /* bytes written: 1 to 4; out has room for 4 */
sb_utf8_put(char *out, uint32_t c)
{
    if (c < 0x80) {
        out[0] = (char)c;
        return 1;
    }
    size_t n = c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    for (size_t i = n - 1; i > 0; i--, c >>= 6)
        out[i] = (char)(0x80 | (c & 0x3f));
    out[0] = (char)((0xf00u >> n & 0xf0) | c);
    return n;
}

/* Counts characters; each invalid byte counts as one. */
static inline size_t
sb_utf8_count(struct sb_str s)
{
    size_t n = 0;
    for (size_t i = 0; i < s.n; i++)
        n += ((uint8_t)s.p[i] & 0xc0) != 0x80;
    return n;
}
