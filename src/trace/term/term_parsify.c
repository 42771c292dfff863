/* Replaces terms that file:consult cannot read by strings. */
#include "base/utf8.h"
#include "trace/term/term_print.h"

/* Not part of parsify, whose frame has to be small: terms can be deep. */
static __attribute__((noinline)) struct sb_etf
as_string(struct sb_arena *a, const struct sb_etf *t)
{
    SB_OUT_TO_MEMORY(text);
    sb_term_put_atomic(&text, t);
    struct sb_etf *at = SB_NEW_N(a, struct sb_etf, text.n + 1);
    uint32_t n = 0;
    for (size_t i = 0, step; i < text.n; i += step ? step : 1) {
        uint32_t c = 0;
        step = sb_utf8_get(text.buf + i, text.n - i, &c);
        at[n++] = sb_etf_new_int(c);
    }
    at[n] = (struct sb_etf){.kind = SB_TERM_NIL};
    return (struct sb_etf){.kind = SB_TERM_LIST, .n = n, .at = at};
}

static struct sb_etf parsify(struct sb_arena *a, const struct sb_etf *t, unsigned depth);

static struct sb_etf *
parsify_parts(struct sb_arena *a, const struct sb_etf *at, uint32_t n, unsigned depth)
{
    struct sb_etf *parts = SB_NEW_N(a, struct sb_etf, n ? n : 1);
    for (uint32_t i = 0; i < n; i++)
        parts[i] = parsify(a, &at[i], depth + 1);
    return parts;
}

static struct sb_etf
parsify_list(struct sb_arena *a, const struct sb_etf *t, unsigned depth)
{
    struct sb_etf copy = *t, *at = parsify_parts(a, t->at, t->n + 1, depth);
    const struct sb_etf *tail = &at[t->n];
    copy.at = at;
    if (tail->kind == SB_TERM_LIST) { /* the tail is a string now: its characters continue the list */
        copy.n = t->n + tail->n;
        struct sb_etf *whole = SB_NEW_N(a, struct sb_etf, copy.n + 1);
        memcpy(whole, at, t->n * sizeof *at);
        memcpy(whole + t->n, tail->at, (tail->n + 1) * sizeof *at);
        copy.at = whole;
    }
    return copy;
}

static struct sb_etf
parsify(struct sb_arena *a, const struct sb_etf *t, unsigned depth)
{
    struct sb_etf copy = *t;
    if (depth > SB_TERM_PRINT_DEPTH)
        return copy;
    switch (t->kind) {
    case SB_TERM_PID:
    case SB_TERM_PORT:
    case SB_TERM_REF:
    case SB_TERM_FUN:
    case SB_TERM_EXPORT:
        return as_string(a, t);
    case SB_TERM_LIST:
        return parsify_list(a, t, depth);
    case SB_TERM_TUPLE:
        copy.at = parsify_parts(a, t->at, t->n, depth);
        return copy;
    case SB_TERM_MAP: {
        struct sb_etf *pairs = parsify_parts(a, t->at, 2 * t->n, depth);
        if (t->n > 1 && t->n <= SB_ETF_SORTED_MAP)
            sb_etf_sort_pairs(a, pairs, t->n);
        copy.at = pairs;
        return copy;
    }
    default:
        return copy;
    }
}

struct sb_etf
sb_term_parsify(struct sb_arena *a, const struct sb_etf *t)
{
    return parsify(a, t, 0);
}
