/* Walks over external terms; etf_tree.c builds them. */
#include "trace/term/etf.h"
#include "base/bytes.h"
#include "base/utf8.h"

/*
 * The layout after each tag: a fixed part, then bytes counted by a length field, then terms. `len_at` and
 * `len_size` give the place and size of the length in the fixed part (after the tag).
 */
enum counted { NOTHING, BYTES, TERMS, PAIRS, TERMS_AND_TAIL, WORDS };
static const struct shape {
    uint8_t fixed, len_size, counts, terms;
} shapes[256] = {
    [SB_ETF_NEW_FLOAT] = {.fixed = 8},
    [SB_ETF_FLOAT] = {.fixed = 31},
    [SB_ETF_SMALL_INT] = {.fixed = 1},
    [SB_ETF_INT] = {.fixed = 4},
    [SB_ETF_NIL] = {.fixed = 0},
    [SB_ETF_ATOM] = {.fixed = 2, .len_size = 2, .counts = BYTES},
    [SB_ETF_ATOM_UTF8] = {.fixed = 2, .len_size = 2, .counts = BYTES},
    [SB_ETF_SMALL_ATOM] = {.fixed = 1, .len_size = 1, .counts = BYTES},
    [SB_ETF_SMALL_ATOM_UTF8] = {.fixed = 1, .len_size = 1, .counts = BYTES},
    [SB_ETF_STRING] = {.fixed = 2, .len_size = 2, .counts = BYTES},
    [SB_ETF_BINARY] = {.fixed = 4, .len_size = 4, .counts = BYTES},
    [SB_ETF_BIT_BINARY] = {.fixed = 5, .len_size = 4, .counts = BYTES},
    [SB_ETF_SMALL_BIG] = {.fixed = 2, .len_size = 1, .counts = BYTES},
    [SB_ETF_LARGE_BIG] = {.fixed = 5, .len_size = 4, .counts = BYTES},
    [SB_ETF_SMALL_TUPLE] = {.fixed = 1, .len_size = 1, .counts = TERMS},
    [SB_ETF_LARGE_TUPLE] = {.fixed = 4, .len_size = 4, .counts = TERMS},
    [SB_ETF_MAP] = {.fixed = 4, .len_size = 4, .counts = PAIRS},
    [SB_ETF_LIST] = {.fixed = 4, .len_size = 4, .counts = TERMS_AND_TAIL},
    [SB_ETF_EXPORT] = {.fixed = 0, .terms = 3},
};

static uint64_t
get_length(const uint8_t *p, unsigned size)
{
    return size == 1 ? p[0] : size == 2 ? sb_get_be16(p) : sb_get_be32(p);
}

const uint8_t sb_etf_id_bytes[256] = {
    [SB_ETF_NEW_PID] = 12, [SB_ETF_PID] = 9, [SB_ETF_NEW_PORT] = 8, [SB_ETF_PORT] = 5,
    [SB_ETF_V4_PORT] = 12, [SB_ETF_REF] = 5, [SB_ETF_NEW_REF] = 1,  [SB_ETF_NEWER_REF] = 4};

/* Skips a process, port or reference: [word count] node-atom numbers. */
static const uint8_t *
skip_identifier(const uint8_t *p, const uint8_t *end, uint8_t tag)
{
    size_t words = 0;
    if (tag == SB_ETF_NEW_REF || tag == SB_ETF_NEWER_REF) {
        if (end - p < 2)
            return NULL;
        words = sb_get_be16(p);
        p += 2;
    }
    struct sb_str node;
    bool latin1;
    p = sb_etf_atom(p, end, &node, &latin1);
    size_t n = sb_etf_id_bytes[tag] + 4 * words;
    return !p || sb_etf_id_bytes[tag] == 0 || (size_t)(end - p) < n || words > 5 ? NULL : p + n;
}

/* The fixed part of NEW_FUN: size, arity, uniq, index, number of free variables; then module, index, uniq,
 * pid, free. */
#define FUN_FIXED 29

const uint8_t *
sb_etf_skip(const uint8_t *p, const uint8_t *end)
{
    for (uint64_t pending = 1; pending > 0; pending--) {
        if (p >= end)
            return NULL;
        uint8_t tag = *p++;
        const struct shape *s = &shapes[tag];
        size_t room = (size_t)(end - p);
        uint64_t n = 0;
        if (tag == SB_ETF_NEW_FUN) {
            if (room < FUN_FIXED)
                return NULL;
            pending += 4 + (uint64_t)sb_get_be32(p + 25);
            p += FUN_FIXED;
        } else if (s->fixed == 0 && s->terms == 0 && tag != SB_ETF_NIL) {
            p = skip_identifier(p, end, tag);
            if (!p)
                return NULL;
        } else {
            if (room < s->fixed)
                return NULL;
            n = s->len_size ? get_length(p, s->len_size) : 0;
            if (n > room - s->fixed) /* every term has at least one byte */
                return NULL;
            p += s->fixed + (s->counts == BYTES ? n : 0);
            pending += s->terms + (s->counts == TERMS            ? n
                                   : s->counts == PAIRS          ? 2 * n
                                   : s->counts == TERMS_AND_TAIL ? n + 1
                                                                 : 0);
        }
        if (pending > (uint64_t)(end - p) + 1)
            return NULL;
    }
    return p;
}

const uint8_t *
sb_etf_atom(const uint8_t *p, const uint8_t *end, struct sb_str *text, bool *latin1)
{
    if (end - p < 2)
        return NULL;
    bool wide = *p == SB_ETF_ATOM || *p == SB_ETF_ATOM_UTF8;
    if (!wide && *p != SB_ETF_SMALL_ATOM_UTF8 && *p != SB_ETF_SMALL_ATOM)
        return NULL;
    if (wide && end - p < 3)
        return NULL;
    *latin1 = *p == SB_ETF_ATOM || *p == SB_ETF_SMALL_ATOM;
    size_t n = wide ? sb_get_be16(p + 1) : p[1];
    p += wide ? 3 : 2;
    if ((size_t)(end - p) < n)
        return NULL;
    *text = (struct sb_str){(const char *)p, n};
    return p + n;
}

const uint8_t *
sb_etf_int(const uint8_t *p, const uint8_t *end, int64_t *v)
{
    size_t room = (size_t)(end - p);
    if (room >= 2 && *p == SB_ETF_SMALL_INT) {
        *v = p[1];
        return p + 2;
    }
    if (room >= 5 && *p == SB_ETF_INT) {
        *v = (int32_t)sb_get_be32(p + 1);
        return p + 5;
    }
    bool large = room >= 1 && *p == SB_ETF_LARGE_BIG;
    size_t head = large ? 6 : 3;
    if (room < head || (!large && *p != SB_ETF_SMALL_BIG))
        return NULL;
    size_t n = large ? sb_get_be32(p + 1) : p[1];
    bool negative = p[head - 1] != 0;
    if (n > room - head)
        return NULL;
    uint64_t u = 0;
    for (size_t i = 0; i < n; i++) {
        if (i >= 8 && p[head + i])
            return NULL;
        u |= i < 8 ? (uint64_t)p[head + i] << 8 * i : 0;
    }
    if (u > (uint64_t)INT64_MAX + negative)
        return NULL;
    *v = (int64_t)(negative ? 0 - u : u);
    return p + head + n;
}

const uint8_t *
sb_etf_tuple(const uint8_t *p, const uint8_t *end, uint32_t *arity)
{
    if (end - p >= 2 && *p == SB_ETF_SMALL_TUPLE) {
        *arity = p[1];
        return p + 2;
    }
    if (end - p >= 5 && *p == SB_ETF_LARGE_TUPLE) {
        *arity = sb_get_be32(p + 1);
        return p + 5;
    }
    return NULL;
}

struct sb_str
sb_etf_latin1_to_utf8(struct sb_arena *a, struct sb_str latin1)
{
    size_t n = 0;
    for (size_t i = 0; i < latin1.n; i++)
        n += (uint8_t)latin1.p[i] < 0x80 ? 1 : 2;
    if (n == latin1.n)
        return latin1;
    char *p = sb_arena_alloc(a, n + 1, 1), *at = p;
    for (size_t i = 0; i < latin1.n; i++)
        at += sb_utf8_put(at, (uint8_t)latin1.p[i]);
    return (struct sb_str){p, n};
}
