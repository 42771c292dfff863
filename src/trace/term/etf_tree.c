/*
 * Decodes external terms into trees. The decoder has two stacks on the heap: complete values, and frames of
 * compound terms with missing parts. Once a frame has all its parts, it takes them off the value stack and
 * becomes a value itself.
 */
#include "trace/term/etf.h"
#include "base/err.h"
#include "base/bytes.h"
#include "base/utf8.h"
#include "base/vec.h"
#include <math.h>

struct frame {
    uint8_t kind, arity;
    bool at_tail;    /* LIST: the next value is its tail */
    uint64_t wanted; /* missing parts, without a list's tail */
    size_t base;     /* index of its first part on the value stack */
};

struct decoder {
    const uint8_t *p, *end;
    struct sb_arena *arena;
    SB_VEC(struct sb_etf) values;
    SB_VEC(struct frame) frames;
};

static bool
need(const struct decoder *d, size_t n)
{
    return (size_t)(d->end - d->p) >= n;
}

static void
push(struct decoder *d, struct sb_etf t)
{
    *SB_PUSH(&d->values) = t;
}

static bool
open_frame(struct decoder *d, uint8_t kind, uint64_t wanted)
{
    if (wanted > (uint64_t)(d->end - d->p)) /* every part has at least one byte */
        return false;
    if (wanted == 0 && kind != SB_TERM_LIST)
        push(d, (struct sb_etf){.kind = kind});
    else
        *SB_PUSH(&d->frames) = (struct frame){.kind = kind, .wanted = wanted, .base = d->values.n};
    return true;
}

/* ---- terms without parts */

static bool
read_atom(struct decoder *d, struct sb_str *utf8)
{
    bool latin1;
    const uint8_t *p = sb_etf_atom(d->p, d->end, utf8, &latin1);
    if (!p)
        return false;
    d->p = p;
    if (latin1) {
        if (utf8->n > 255)
            return false;
        *utf8 = sb_etf_latin1_to_utf8(d->arena, *utf8);
        return true;
    }
    size_t chars = 0;
    for (size_t i = 0, n; i < utf8->n; i += n, chars++) {
        uint32_t c;
        n = sb_utf8_get(utf8->p + i, utf8->n - i, &c);
        if (n == 0 || chars == 255)
            return false;
    }
    return true;
}

static bool
read_bytes(struct decoder *d, struct sb_etf t, size_t head, size_t n)
{
    if (!need(d, head) || (size_t)(d->end - d->p) - head < n)
        return false;
    t.n = (uint32_t)n;
    t.bytes = d->p + head;
    d->p += head + n;
    push(d, t);
    return true;
}

static bool
read_small(struct decoder *d)
{
    int64_t v;
    const uint8_t *p = sb_etf_int(d->p - 1, d->end, &v);
    if (!p)
        return false;
    d->p = p;
    push(d, sb_etf_new_int(v));
    return true;
}

static bool
read_big(struct decoder *d, bool large)
{
    size_t head = large ? 5 : 2;
    if (!need(d, head))
        return false;
    const uint8_t *start = d->p;
    size_t n = large ? sb_get_be32(start) : start[0];
    if ((size_t)(d->end - start) - head < n)
        return false;
    int64_t v;
    if (sb_etf_int(start - 1, d->end, &v)) {
        push(d, sb_etf_new_int(v));
        d->p += head + n;
        return true;
    }
    size_t used = n;
    while (used > 0 && start[head + used - 1] == 0)
        used--;
    if (!read_bytes(d, (struct sb_etf){.kind = SB_TERM_BIG, .bits = start[head - 1] != 0}, head, used))
        return false;
    d->p += n - used;
    return true;
}

static bool
read_bits(struct decoder *d)
{
    if (!need(d, 5))
        return false;
    uint32_t n = sb_get_be32(d->p);
    uint8_t bits = d->p[4];
    if (n == 0 ? bits > 0 : bits < 1 || bits > 8)
        return false;
    return read_bytes(d, (struct sb_etf){.kind = SB_TERM_BITS, .bits = n ? bits : 8}, 5, n);
}

static bool
push_float(struct decoder *d, double f)
{
    if (!isfinite(f))
        return false;
    push(d, (struct sb_etf){.kind = SB_TERM_FLOAT, .f = f});
    return true;
}

static const char *
skip_digits(const char *z)
{
    return z + strspn(z, "0123456789");
}

static bool /* 1.5, -1.50000000000000000000e+00: the point needs digits on both sides */
is_float_text(const char *z)
{
    z += *z == '-' || *z == '+';
    const char *point = skip_digits(z), *end = *point == '.' ? skip_digits(point + 1) : NULL;
    if (!end || point == z || end == point + 1)
        return false;
    if (*end != 'e' && *end != 'E')
        return *end == '\0';
    end += 1 + (end[1] == '-' || end[1] == '+');
    return *end != '\0' && *skip_digits(end) == '\0';
}

static bool
read_float(struct decoder *d, uint8_t tag)
{
    if (!need(d, tag == SB_ETF_FLOAT ? 31 : 8))
        return false;
    double f;
    if (tag == SB_ETF_NEW_FLOAT) {
        uint64_t bits = sb_get_be64(d->p);
        memcpy(&f, &bits, sizeof f);
        d->p += 8;
        return push_float(d, f);
    }
    char text[32] = {0};
    memcpy(text, d->p, 31);
    d->p += 31;
    return is_float_text(text) && push_float(d, strtod(text, NULL));
}

static bool
read_identifier(struct decoder *d, uint8_t tag)
{
    struct sb_etf_id *id = SB_NEW(d->arena, struct sb_etf_id);
    struct sb_etf t = {.id = id};
    bool ref = tag == SB_ETF_REF || tag == SB_ETF_NEW_REF || tag == SB_ETF_NEWER_REF;
    bool old = tag == SB_ETF_PID || tag == SB_ETF_PORT || tag == SB_ETF_REF || tag == SB_ETF_NEW_REF;
    bool pid = tag == SB_ETF_PID || tag == SB_ETF_NEW_PID;
    t.kind = ref ? SB_TERM_REF : pid ? SB_TERM_PID : SB_TERM_PORT;
    t.n = ref ? 1 : 0;
    if (tag == SB_ETF_NEW_REF || tag == SB_ETF_NEWER_REF) {
        t.n = need(d, 2) ? sb_get_be16(d->p) : 0;
        if (t.n < 1 || t.n > 5)
            return false;
        d->p += 2;
    }
    if (!read_atom(d, &id->node))
        return false;
    size_t creation = old ? 1 : 4, number = tag == SB_ETF_V4_PORT ? 8 : ref ? 0 : 4, serial = pid ? 4 : 0;
    size_t words = (size_t)t.n * 4;
    if (!need(d, creation + number + serial + words))
        return false;
    const uint8_t *p = d->p;
    d->p += creation + number + serial + words;
    if (ref) { /* the oldest form has its creation last */
        const uint8_t *at = tag == SB_ETF_REF ? p : p + creation;
        uint32_t *word = SB_NEW_N(d->arena, uint32_t, t.n);
        for (uint32_t i = 0; i < t.n; i++)
            word[i] = sb_get_be32(at + 4 * i);
        id->word = word;
        p += tag == SB_ETF_REF ? 4 : 0;
    } else {
        id->number = number == 8 ? sb_get_be64(p) : sb_get_be32(p);
        id->serial = serial ? sb_get_be32(p + number) : 0;
        p += number + serial;
    }
    id->creation = old ? p[0] : sb_get_be32(p);
    push(d, t);
    return true;
}

/* ---- terms with parts */

static bool
open_fun(struct decoder *d)
{
    if (!need(d, 29))
        return false;
    uint8_t arity = d->p[4];
    uint32_t free_variables = sb_get_be32(d->p + 25);
    d->p += 29;
    if (!open_frame(d, SB_TERM_FUN, 4 + (uint64_t)free_variables))
        return false;
    d->frames.at[d->frames.n - 1].arity = arity;
    return true;
}

/* A list whose tail is a list continues in the same frame, so that a chain of them becomes one list. */
static bool
open_list(struct decoder *d)
{
    if (!need(d, 4))
        return false;
    uint64_t n = sb_get_be32(d->p);
    d->p += 4;
    struct frame *f = d->frames.n ? &d->frames.at[d->frames.n - 1] : NULL;
    if (n > (uint64_t)(d->end - d->p))
        return false;
    if (!f || !f->at_tail)
        SB_TRY(open_frame(d, SB_TERM_LIST, n));
    f = &d->frames.at[d->frames.n - 1];
    f->wanted = n;
    f->at_tail = n == 0;
    return true;
}

static bool
read_string(struct decoder *d)
{
    size_t n = need(d, 2) ? sb_get_be16(d->p) : 0;
    if (!need(d, 2 + n))
        return false;
    if (d->frames.n == 0 || !d->frames.at[d->frames.n - 1].at_tail)
        *SB_PUSH(&d->frames) = (struct frame){.kind = SB_TERM_LIST, .at_tail = true, .base = d->values.n};
    for (size_t i = 0; i < n; i++)
        push(d, sb_etf_new_int(d->p[2 + i]));
    d->p += 2 + n;
    push(d, (struct sb_etf){.kind = SB_TERM_NIL});
    return true;
}

/* Puts the pairs into Erlang's iteration order; returns false if two keys are equal. */
static bool
settle_map(struct decoder *d, struct sb_etf *at, uint32_t pairs)
{
    if (pairs <= SB_ETF_SORTED_MAP)
        return pairs < 2 || sb_etf_sort_pairs(d->arena, at, pairs);
    size_t bytes = sb_mul_or_die(2 * (size_t)pairs, sizeof *at);
    struct sb_etf *copy = sb_realloc_or_die(NULL, bytes);
    memcpy(copy, at, bytes);
    for (uint32_t i = 0; i < pairs; i++)
        memcpy(&at[2 * i], &copy[2 * (pairs - 1 - i)], 2 * sizeof *at);
    bool fine = sb_etf_sort_pairs(d->arena, copy, pairs);
    free(copy);
    return fine;
}

static bool
well_made(const struct frame *f, const struct sb_etf *at)
{
    if (f->kind == SB_TERM_EXPORT)
        return at[0].kind == SB_TERM_ATOM && at[1].kind == SB_TERM_ATOM && at[2].kind == SB_TERM_INT &&
               at[2].i >= 0 && at[2].i <= 255;
    if (f->kind == SB_TERM_FUN)
        return at[0].kind == SB_TERM_ATOM && at[1].kind == SB_TERM_INT && at[2].kind == SB_TERM_INT &&
               at[3].kind == SB_TERM_PID;
    return true;
}

static bool
close_frame(struct decoder *d)
{
    struct frame f = d->frames.at[--d->frames.n];
    size_t n = d->values.n - f.base;
    struct sb_etf *at = SB_NEW_N(d->arena, struct sb_etf, n ? n : 1);
    if (n)
        memcpy(at, d->values.at + f.base, n * sizeof *at);
    d->values.n = f.base;
    struct sb_etf t = {.kind = f.kind, .arity = f.arity, .n = (uint32_t)n, .at = at};
    if (!well_made(&f, at))
        return false;
    if (f.kind == SB_TERM_LIST) {
        t.n--;
        if (t.n == 0)
            t = at[0]; /* a list without elements is its tail */
    } else if (f.kind == SB_TERM_MAP) {
        t.n /= 2;
        SB_TRY(settle_map(d, at, t.n));
    }
    push(d, t);
    return true;
}

/* Completes frames for as long as each has all its parts. */
static bool
settle(struct decoder *d)
{
    while (d->frames.n > 0) {
        struct frame *f = &d->frames.at[d->frames.n - 1];
        if (f->kind == SB_TERM_LIST && !f->at_tail) {
            f->at_tail = --f->wanted == 0;
            return true;
        }
        if (f->kind != SB_TERM_LIST && --f->wanted > 0)
            return true;
        SB_TRY(close_frame(d));
    }
    return true;
}

static bool
open_counted(struct decoder *d, uint8_t kind, unsigned length_bytes, unsigned parts_each)
{
    if (!need(d, length_bytes))
        return false;
    uint64_t n = length_bytes == 1 ? d->p[0] : sb_get_be32(d->p);
    d->p += length_bytes;
    return open_frame(d, kind, n * parts_each);
}

static bool
read_atom_term(struct decoder *d)
{
    struct sb_str text;
    d->p--;
    SB_TRY(read_atom(d, &text));
    push(d, sb_etf_new_atom(text));
    return true;
}

static bool
read_data(struct decoder *d, uint8_t tag)
{
    switch (tag) {
    case SB_ETF_SMALL_INT:
    case SB_ETF_INT:
        return read_small(d);
    case SB_ETF_ATOM:
    case SB_ETF_SMALL_ATOM:
    case SB_ETF_ATOM_UTF8:
    case SB_ETF_SMALL_ATOM_UTF8:
        return read_atom_term(d);
    case SB_ETF_NIL:
        push(d, (struct sb_etf){.kind = SB_TERM_NIL});
        return true;
    case SB_ETF_SMALL_TUPLE:
        return open_counted(d, SB_TERM_TUPLE, 1, 1);
    case SB_ETF_LARGE_TUPLE:
        return open_counted(d, SB_TERM_TUPLE, 4, 1);
    case SB_ETF_MAP:
        return open_counted(d, SB_TERM_MAP, 4, 2);
    case SB_ETF_LIST:
        return open_list(d);
    case SB_ETF_STRING:
        return read_string(d);
    case SB_ETF_EXPORT:
        return open_frame(d, SB_TERM_EXPORT, 3);
    case SB_ETF_NEW_FUN:
        return open_fun(d);
    case SB_ETF_BINARY:
        return need(d, 4) &&
               read_bytes(d, (struct sb_etf){.kind = SB_TERM_BITS, .bits = 8}, 4, sb_get_be32(d->p));
    case SB_ETF_BIT_BINARY:
        return read_bits(d);
    case SB_ETF_SMALL_BIG:
    case SB_ETF_LARGE_BIG:
        return read_big(d, tag == SB_ETF_LARGE_BIG);
    case SB_ETF_FLOAT:
    case SB_ETF_NEW_FLOAT:
        return read_float(d, tag);
    case SB_ETF_NEW_PID:
    case SB_ETF_PID:
    case SB_ETF_NEW_PORT:
    case SB_ETF_PORT:
    case SB_ETF_V4_PORT:
    case SB_ETF_NEWER_REF:
    case SB_ETF_NEW_REF:
    case SB_ETF_REF:
        return read_identifier(d, tag);
    default:
        return false;
    }
}

/* Reads a tag and its data. *complete: a value was pushed (otherwise a frame was opened, or a list goes on). */
static bool
read_one(struct decoder *d, bool *complete)
{
    size_t opened = d->frames.n;
    SB_TRY(need(d, 1));
    uint8_t tag = *d->p++;
    *complete = tag == SB_ETF_STRING;
    SB_TRY(read_data(d, tag));
    *complete |= tag != SB_ETF_LIST && d->frames.n == opened;
    return true;
}

bool
sb_etf_decode(const uint8_t *p, const uint8_t *end, struct sb_arena *a, struct sb_etf *t,
              const uint8_t **behind)
{
    struct decoder d = {.p = p, .end = end, .arena = a};
    bool fine = true, complete;
    do
        fine = read_one(&d, &complete) && (!complete || settle(&d));
    while (fine && d.frames.n > 0);
    if (fine) {
        *t = d.values.at[0];
        if (behind)
            *behind = d.p;
    }
    SB_VEC_FREE(&d.values);
    SB_VEC_FREE(&d.frames);
    return fine;
}

bool
sb_etf_decode_binary(const uint8_t *p, size_t n, struct sb_arena *a, struct sb_etf *t)
{
    return n > 1 && p[0] == SB_ETF_VERSION && sb_etf_decode(p + 1, p + n, a, t, NULL);
}

/* ---- constructing terms */

struct sb_etf
sb_etf_new_tuple(struct sb_arena *a, const struct sb_etf *at, uint32_t n)
{
    struct sb_etf *copy = SB_NEW_N(a, struct sb_etf, n ? n : 1);
    if (n)
        memcpy(copy, at, n * sizeof *at);
    return (struct sb_etf){.kind = SB_TERM_TUPLE, .n = n, .at = copy};
}

struct sb_etf
sb_etf_new_list(struct sb_arena *a, const struct sb_etf *at, uint32_t n)
{
    if (n == 0)
        return (struct sb_etf){.kind = SB_TERM_NIL};
    struct sb_etf *copy = SB_NEW_N(a, struct sb_etf, n + 1);
    memcpy(copy, at, n * sizeof *at);
    copy[n] = (struct sb_etf){.kind = SB_TERM_NIL};
    return (struct sb_etf){.kind = SB_TERM_LIST, .n = n, .at = copy};
}

struct sb_etf
sb_etf_new_text(struct sb_arena *a, struct sb_str latin1)
{
    struct sb_etf *at = SB_NEW_N(a, struct sb_etf, latin1.n + 1);
    for (size_t i = 0; i < latin1.n; i++)
        at[i] = sb_etf_new_int((uint8_t)latin1.p[i]);
    at[latin1.n] = (struct sb_etf){.kind = SB_TERM_NIL};
    return latin1.n ? (struct sb_etf){.kind = SB_TERM_LIST, .n = (uint32_t)latin1.n, .at = at} : at[0];
}
