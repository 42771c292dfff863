#include "base/sort.h"
#include "base/arena.h"
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { WIDEST = 12, VALUES = 1 << WIDEST, TINY = 12, FEW = 48, FEW_RUNS = 8, RUNS = 64 };

struct shape {     /* of the given keys */
    uint64_t bits; /* that differ between them */
    size_t runs;   /* sorted runs */
    /* of each run, in words, and the end; of the first RUNS when there are more */
    size_t start[RUNS + 1];
};

/* An element is a key and its value: `words` words, a constant in each caller below. */
#define ANY_SIZE static inline __attribute__((always_inline))

/* Typical keys share most of their bits, and often form a few sorted runs one after the other. */
ANY_SIZE void
look(struct shape *s, const uint64_t *at, size_t n, size_t words)
{
    s->bits = 0;
    s->start[0] = 0;
    s->runs = 1;
    for (size_t i = words; i < n * words; i += words) {
        s->bits |= at[i] ^ at[0];
        if (at[i] >= at[i - words])
            continue;
        if (s->runs < RUNS)
            s->start[s->runs] = i;
        s->runs++;
    }
    s->start[s->runs < RUNS ? s->runs : RUNS] = n * words;
}

ANY_SIZE void
scatter(const uint64_t *from, uint64_t *to, size_t n, size_t words, unsigned shift, unsigned width)
{
    uint32_t start[VALUES], mask = (UINT32_C(1) << width) - 1, sum = 0;
    memset(start, 0, sizeof *start << width);
    for (size_t i = 0; i < n * words; i += words)
        start[(uint32_t)(from[i] >> shift) & mask]++;
    for (unsigned v = 0; v <= mask; v++) {
        uint32_t count = start[v];
        start[v] = sum;
        sum += count;
    }
    for (size_t i = 0; i < n * words; i += words)
        memcpy(to + words * start[(uint32_t)(from[i] >> shift) & mask]++, from + i, words * sizeof *to);
}

/* Returns false once elements have moved further than `most` places in all. */
ANY_SIZE bool
insertion(uint64_t *at, size_t n, size_t words, size_t most)
{
    uint64_t moving[2];
    size_t moved = 0;
    for (size_t i = words; i < n * words && moved <= most; i += words) {
        size_t j = i;
        if (at[i - words] <= at[i])
            continue;
        memcpy(moving, at + i, words * sizeof *at);
        for (; j > 0 && at[j - words] > moving[0]; j -= words)
            memcpy(at + j, at + j - words, words * sizeof *at);
        memcpy(at + j, moving, words * sizeof *at);
        moved += (i - j) / words;
    }
    return moved <= most;
}

ANY_SIZE void
merge(const uint64_t *a, const uint64_t *mid, const uint64_t *end, uint64_t *to, size_t words)
{
    const uint64_t *b = mid;
    while (a < mid && b < end) {
        for (; a < mid && *a <= *b; a += words, to += words)
            memcpy(to, a, words * sizeof *to);
        for (; a < mid && b < end && *b < *a; b += words, to += words)
            memcpy(to, b, words * sizeof *to);
    }
    memcpy(to, a, (size_t)(mid - a) * sizeof *to);
    memcpy(to + (mid - a), b, (size_t)(end - b) * sizeof *to);
}

/* Merges neighbouring runs in pairs; returns the array that holds the result. */
ANY_SIZE uint64_t *
merge_runs(struct shape *s, uint64_t *from, uint64_t *to, size_t words)
{
    while (s->runs > 1) {
        size_t kept = 0, end = s->start[s->runs];
        for (size_t i = 0; i < s->runs; i += 2) {
            size_t mid = s->start[i + 1], stop = i + 2 <= s->runs ? s->start[i + 2] : end;
            merge(from + s->start[i], from + mid, from + stop, to + s->start[i], words);
            s->start[kept++] = s->start[i];
        }
        s->start[kept] = end;
        s->runs = kept;
        uint64_t *swap = from;
        from = to;
        to = swap;
    }
    return from;
}

/* ---- digits: as few as cover the differing bits, adjacent ones of about equal width */

static unsigned
bits_of(uint64_t v)
{
    return 64 - (unsigned)__builtin_clzll(v);
}

/* Few keys get narrow digits, since the counters of each digit must be cleared and summed. */
static unsigned
widest_digit(size_t n)
{
    return bits_of(n) < WIDEST ? bits_of(n) : WIDEST;
}

struct digit {
    unsigned shift, width;
};

/* Shares the bits out to digits, up to the next hole that is wider than a digit. */
static struct digit
lowest_digit(uint64_t bits, unsigned widest)
{
    unsigned shift = (unsigned)__builtin_ctzll(bits), span = 0;
    uint64_t next;
    for (bits >>= shift; (next = bits & ((UINT64_C(1) << widest) - 1)); bits >>= bits_of(next))
        span += bits_of(next);
    unsigned n = (span + widest - 1) / widest;
    return (struct digit){shift, (span + n - 1) / n};
}

static uint64_t
without(uint64_t bits, struct digit d)
{
    return bits & ~(((UINT64_C(1) << d.width) - 1) << d.shift);
}

static unsigned
count_digits(uint64_t bits, unsigned widest)
{
    unsigned n = 0;
    for (; bits; n++)
        bits = without(bits, lowest_digit(bits, widest));
    return n;
}

ANY_SIZE uint64_t *
scatter_digits(uint64_t bits, uint64_t *from, uint64_t *to, size_t n, size_t words)
{
    while (bits) {
        struct digit d = lowest_digit(bits, widest_digit(n));
        scatter(from, to, n, words, d.shift, d.width);
        bits = without(bits, d);
        uint64_t *swap = from;
        from = to;
        to = swap;
    }
    return from;
}

/* The mask of the highest `n` differing bits. */
static uint64_t
highest(uint64_t bits, unsigned n)
{
    for (unsigned k = (unsigned)__builtin_popcountll(bits); k > n; k--)
        bits &= bits - 1;
    return bits;
}

/* Estimates from some keys how many share their highest bits, against an even spread. */
ANY_SIZE bool
is_spread(uint64_t bits, const uint64_t *at, size_t n, size_t words)
{
    enum { CELLS = 64, SAMPLES = 256, MOST = 4 /* times as many */ };
    unsigned shift = bits_of(bits) > 6 ? bits_of(bits) - 6 : 0;
    size_t cells = (size_t)1 << __builtin_popcountll(bits >> shift), every = n / SAMPLES + 1, samples = 0,
           pairs = 0;
    uint32_t count[CELLS] = {0};
    for (size_t i = 0; i < n; i += every, samples++)
        pairs += count[at[i * words] >> shift & (CELLS - 1)]++;
    return 2 * pairs * cells <= MOST * samples * samples;
}

/* Evenly spread keys are close to their places once log2(n) of their bits are sorted; otherwise all bits are
 * sorted. Returns the array that holds the result. */
ANY_SIZE uint64_t *
scatter_keys(uint64_t bits, uint64_t *at, uint64_t *tmp, size_t n, size_t words)
{
    uint64_t top = highest(bits, bits_of(n));
    if (count_digits(top, widest_digit(n)) == count_digits(bits, widest_digit(n)) ||
        !is_spread(bits, at, n, words))
        return scatter_digits(bits, at, tmp, n, words);
    uint64_t *near = scatter_digits(top, at, tmp, n, words);
    return insertion(near, n, words, 2 * n) ? near
                                            : scatter_digits(bits, near, near == at ? tmp : at, n, words);
}

/* Merging reads and writes sequentially and costs one pass a doubling; a digit costs two passes of random
 * writes. */
static bool
should_merge(const struct shape *s)
{
    unsigned digits = ((unsigned)__builtin_popcountll(s->bits) + WIDEST - 1) / WIDEST; /* or more */
    return s->runs <= RUNS && s->runs <= UINT64_C(1) << 2 * digits;
}

ANY_SIZE void
sort(uint64_t *at, uint64_t *tmp, size_t n, size_t words)
{
    struct shape shape;
    if (n >= TINY)
        look(&shape, at, n, words);
    if (n < TINY || (n < FEW && shape.runs > FEW_RUNS)) {
        insertion(at, n, words, SIZE_MAX);
        return;
    }
    if (shape.runs == 1)
        return;
    uint64_t *sorted = should_merge(&shape) ? merge_runs(&shape, at, tmp, words)
                                            : scatter_keys(shape.bits, at, tmp, n, words);
    if (sorted != at)
        memcpy(at, sorted, n * words * sizeof *at);
}

void
sb_sort_radix(struct sb_sort_key *at, struct sb_sort_key *tmp, size_t n)
{
    _Static_assert(sizeof *at == 2 * sizeof(uint64_t), "a key and its value");
    if (n > 1) /* arrays of nothing may be NULL */
        sort(&at->key, &tmp->key, n, 2);
}

void
sb_sort_numbers(uint64_t *at, uint64_t *tmp, size_t n)
{
    if (n > 1)
        sort(at, tmp, n, 1);
}

void
sb_sort_signed(int64_t *at, size_t n)
{
    if (n < 2)
        return;
    uint64_t *key = sb_realloc_or_die(NULL, sb_mul_or_die(2 * n, sizeof *key));
    for (size_t i = 0; i < n; i++)
        key[i] = sb_sort_key_of(at[i]);
    sb_sort_numbers(key, key + n, n);
    for (size_t i = 0; i < n; i++)
        at[i] = sb_sort_of_key(key[i]);
    free(key);
}
