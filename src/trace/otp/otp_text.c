/*
 * Prints a term as a short text: exit reasons, options, labels. Without keep_text only its outermost shape is
 * printed, so that the dictionary stays small: {badmatch,...} instead of every value that did not match.
 */
#include "trace/otp/otp_names.h"
#include "base/utf8.h"
#include <inttypes.h>

enum { TEXT_MOST = 160, DEEPEST = 6, ELEMENTS_MOST = 32 };

struct text {
    char at[TEXT_MOST + 8];
    size_t n;
    struct sb_arena arena;
};

static void
put(struct text *t, struct sb_str s)
{
    size_t n = s.n < TEXT_MOST - t->n ? s.n : TEXT_MOST - t->n;
    memcpy(t->at + t->n, s.p, n);
    t->n += n;
}

static bool print(struct otp_decoder *d, struct text *t, unsigned depth);

/* Returns how many of n elements are printed: only the first without keep_text. */
static uint32_t
most_shown(const struct otp_decoder *d, uint32_t n)
{
    uint32_t most = d->keep_text ? ELEMENTS_MOST : 1;
    return n < most ? n : most;
}

/* Prints the elements that fit; the others are skipped and shown as three dots. */
static bool
print_elements(struct otp_decoder *d, struct text *t, uint32_t n, unsigned depth)
{
    uint32_t shown = 0, most = most_shown(d, n);
    for (; shown < most && t->n < TEXT_MOST; shown++) {
        if (shown > 0)
            put(t, SB_STR(","));
        SB_TRY(print(d, t, depth + 1));
    }
    if (shown < n)
        put(t, SB_STR(",..."));
    for (; shown < n; shown++)
        SB_TRY(otp_skip(d));
    return true;
}

static bool
print_atom(struct otp_decoder *d, struct text *t)
{
    uint32_t id;
    SB_TRY(otp_atom(d, &id));
    put(t, sb_names_print(d->names, id, &t->arena));
    return true;
}

static bool
print_int(struct otp_decoder *d, struct text *t)
{
    int64_t v;
    SB_TRY(otp_int(d, &v));
    put(t, sb_arena_printf(&t->arena, "%" PRId64, v));
    return true;
}

static bool
print_actor(struct otp_decoder *d, struct text *t)
{
    sb_actor who;
    SB_TRY(otp_actor(d, &who));
    put(t, sb_names_actor(d->names, who, &t->arena));
    return true;
}

static bool
print_tuple(struct otp_decoder *d, struct text *t, unsigned depth)
{
    uint32_t arity;
    SB_TRY(otp_tuple(d, &arity));
    put(t, SB_STR("{"));
    SB_TRY(print_elements(d, t, arity, depth));
    put(t, SB_STR("}"));
    return true;
}

static bool
print_list(struct otp_decoder *d, struct text *t, unsigned depth)
{
    uint32_t n;
    SB_TRY(otp_list(d, &n));
    put(t, SB_STR("["));
    SB_TRY(print_elements(d, t, n, depth));
    if (n > 0 && otp_peek(d) != SB_ETF_NIL) {
        put(t, SB_STR("|"));
        SB_TRY(print(d, t, depth + 1));
    } else if (n > 0) {
        d->p++;
    }
    put(t, SB_STR("]"));
    return true;
}

/* Prints a list of bytes or a binary that is text. */
static bool
print_bytes(struct otp_decoder *d, struct text *t)
{
    bool binary = otp_peek(d) == SB_ETF_BINARY;
    const uint8_t *start = d->p;
    SB_TRY(otp_skip(d));
    struct sb_str s = {(const char *)start + (binary ? 5 : 3), (size_t)(d->p - start) - (binary ? 5 : 3)};
    for (size_t i = 0; i < s.n; i++)
        if (s.p[i] < ' ' || s.p[i] == 0x7f) {
            put(t, binary ? SB_STR("<<...>>") : SB_STR("[...]"));
            return true;
        }
    put(t, binary ? SB_STR("<<\"") : SB_STR("\""));
    put(t, s);
    put(t, binary ? SB_STR("\">>") : SB_STR("\""));
    return true;
}

static bool
print_other(struct otp_decoder *d, struct text *t)
{
    uint8_t tag = otp_peek(d);
    SB_TRY(otp_skip(d));
    put(t, tag == SB_ETF_MAP                                                        ? SB_STR("#{...}")
           : tag == SB_ETF_NEW_FUN || tag == SB_ETF_OLD_FUN || tag == SB_ETF_EXPORT ? SB_STR("#Fun")
           : otp_is_ref(tag)                                                        ? SB_STR("#Ref")
                                                                                    : SB_STR("..."));
    return true;
}

static bool
print(struct otp_decoder *d, struct text *t, unsigned depth)
{
    uint8_t tag = otp_peek(d);
    if (depth > DEEPEST || t->n >= TEXT_MOST)
        return print_other(d, t);
    if (otp_is_atom(tag))
        return print_atom(d, t);
    if (otp_is_int(tag))
        return d->keep_text ? print_int(d, t) : print_other(d, t);
    if (tag == SB_ETF_SMALL_TUPLE || tag == SB_ETF_LARGE_TUPLE)
        return print_tuple(d, t, depth);
    if (tag == SB_ETF_LIST || tag == SB_ETF_NIL)
        return print_list(d, t, depth);
    if (d->keep_text && (tag == SB_ETF_NEW_PID || tag == SB_ETF_PID || tag == SB_ETF_NEW_PORT ||
                         tag == SB_ETF_V4_PORT || tag == SB_ETF_PORT))
        return print_actor(d, t);
    if (d->keep_text && (tag == SB_ETF_STRING || tag == SB_ETF_BINARY))
        return print_bytes(d, t);
    return print_other(d, t);
}

/* Texts are cut at a byte limit; removes an incomplete character at the end. */
static void
trim_character(struct text *t)
{
    size_t start = t->n;
    while (start > 0 && ((uint8_t)t->at[start - 1] & 0xc0) == 0x80)
        start--;
    uint32_t c;
    if (start > 0 && (uint8_t)t->at[start - 1] >= 0xc0 &&
        sb_utf8_get(t->at + start - 1, t->n - start + 1, &c) == 0)
        t->n = start - 1;
}

bool
otp_text(struct otp_decoder *d, uint32_t *id)
{
    if (otp_is_atom(otp_peek(d)))
        return otp_atom(d, id);
    struct text t = {.n = 0};
    bool ok = print(d, &t, 0);
    if (t.n >= TEXT_MOST) {
        trim_character(&t);
        memcpy(t.at + t.n, "...", 3);
        t.n += 3;
    }
    if (ok)
        *id = sb_names_text(d->names, (struct sb_str){t.at, t.n});
    sb_arena_close(&t.arena);
    return ok;
}
