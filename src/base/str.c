#include "base/str.h"

bool
sb_str_starts(struct sb_str s, struct sb_str prefix)
{
    return s.n >= prefix.n && (prefix.n == 0 || memcmp(s.p, prefix.p, prefix.n) == 0);
}

bool
sb_str_ends(struct sb_str s, struct sb_str suffix)
{
    return s.n >= suffix.n && (suffix.n == 0 || memcmp(s.p + (s.n - suffix.n), suffix.p, suffix.n) == 0);
}

struct sb_str
sb_str_sub(struct sb_str s, size_t from, size_t n)
{
    if (from >= s.n)
        return (struct sb_str){0};
    return (struct sb_str){s.p + from, n < s.n - from ? n : s.n - from};
}

bool
sb_str_has(struct sb_str s, struct sb_str part)
{
    return s.n > 0 && part.n > 0 && memmem(s.p, s.n, part.p, part.n);
}

size_t
sb_str_find(struct sb_str s, char c)
{
    const char *at = s.n ? memchr(s.p, c, s.n) : NULL;
    return at ? (size_t)(at - s.p) : s.n;
}

struct sb_str
sb_str_cut(struct sb_str *rest, char sep)
{
    size_t n = sb_str_find(*rest, sep);
    struct sb_str head = sb_str_sub(*rest, 0, n);
    *rest = n < rest->n ? sb_str_sub(*rest, n + 1, SIZE_MAX) : (struct sb_str){0};
    return head;
}

static bool
is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

struct sb_str
sb_str_trim(struct sb_str s)
{
    while (s.n && is_blank(s.p[0]))
        s = (struct sb_str){s.p + 1, s.n - 1};
    while (s.n && is_blank(s.p[s.n - 1]))
        s.n--;
    return s;
}

bool
sb_str_to_u64(struct sb_str s, uint64_t *out)
{
    uint64_t v = 0;
    for (size_t i = 0; i < s.n; i++) {
        unsigned digit = (unsigned)(s.p[i] - '0');
        if (digit > 9 || v > (UINT64_MAX - digit) / 10)
            return false;
        v = v * 10 + digit;
    }
    *out = v;
    return s.n > 0;
}

bool
sb_str_to_i64(struct sb_str s, int64_t *out)
{
    bool negative = s.n > 0 && s.p[0] == '-';
    uint64_t v;
    if (!sb_str_to_u64(negative ? sb_str_sub(s, 1, SIZE_MAX) : s, &v) || v > (uint64_t)INT64_MAX + negative)
        return false;
    *out = negative ? (int64_t)(0 - v) : (int64_t)v;
    return true;
}

/* A unit: its letters, and its size in the smallest unit. */
struct unit {
    const char *suffix;
    uint64_t scale;
};

/* DIGITS[.DIGITS]UNIT as a whole number of the smallest unit, rounded down. */
static bool
to_scaled(struct sb_str s, const struct unit *units, size_t n_units, uint64_t *out)
{
    size_t digits = 0;
    while (digits < s.n && ((s.p[digits] >= '0' && s.p[digits] <= '9') || s.p[digits] == '.'))
        digits++;
    struct sb_str suffix = sb_str_sub(s, digits, SIZE_MAX), fraction = sb_str_sub(s, 0, digits);
    struct sb_str whole = sb_str_cut(&fraction, '.');
    uint64_t v, scale = 0;
    for (size_t i = 0; i < n_units; i++)
        if (sb_str_eq(suffix, sb_str_of(units[i].suffix)))
            scale = units[i].scale;
    if (scale == 0 || !sb_str_to_u64(whole, &v) || v > (uint64_t)INT64_MAX / scale)
        return false;
    v *= scale;
    for (size_t i = 0; i < fraction.n; i++) {
        if (fraction.p[i] == '.')
            return false;
        scale /= 10;
        v += scale * (uint64_t)(fraction.p[i] - '0');
    }
    *out = v;
    return v <= (uint64_t)INT64_MAX;
}

bool
sb_str_to_ns(struct sb_str s, int64_t *out_ns)
{
    static const struct unit units[] = {
        {"", 1},           {"ns", 1},          {"us", 1000},        {"ms", 1000000},
        {"s", 1000000000}, {"m", 60000000000}, {"h", 3600000000000}};
    bool negative = s.n > 0 && s.p[0] == '-';
    uint64_t v;
    if (!to_scaled(negative ? sb_str_sub(s, 1, SIZE_MAX) : s, units, sizeof units / sizeof *units, &v))
        return false;
    *out_ns = negative ? -(int64_t)v : (int64_t)v;
    return true;
}

bool
sb_str_to_bytes(struct sb_str s, uint64_t *out_bytes)
{
    static const struct unit units[] = {{"", 1},        {"k", 1 << 10}, {"K", 1 << 10},
                                        {"M", 1 << 20}, {"G", 1 << 30}, {"T", 1ull << 40}};
    return to_scaled(s, units, sizeof units / sizeof *units, out_bytes);
}
