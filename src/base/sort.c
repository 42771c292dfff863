#include "base/sort.h"
#include <stdbool.h>
#include <string.h>

enum { WIDEST = 11, VALUES = 1 << WIDEST, FEW = 48, MANY = 2048, RUNS = 64 };

struct shape {              /* of the keys that came */
    uint64_t bits;          /* that differ between them */
    size_t runs;            /* stretches in order */
    size_t start[RUNS + 1]; /* of each, in words, and the end; of the first ones where there are more */
};

/* An element is its key and what goes with it: `words` in all, which each caller below says as a constant. */
#define ANY_SIZE static inline __attribute__((always_inline))

/* What comes here is nearly the same number in most of its bits, and often a few stretches in order, one
 * behind the other. */
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

ANY_SIZE void
insertion(uint64_t *at, size_t n, size_t words)
{
    uint64_t moving[2];
    for (size_t i = words; i < n * words; i += words) {
        size_t j = i;
        if (at[i - words] <= at[i])
            continue;
        memcpy(moving, at + i, words * sizeof *at);
        for (; j > 0 && at[j - words] > moving[0]; j -= words)
            memcpy(at + j, at + j - words, words * sizeof *at);
        memcpy(at + j, moving, words * sizeof *at);
    }
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

/* Neighbours two by two; says where the result lies. */
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

/* As few digits as cover the bits that differ, all of about one width; few keys take narrow ones, since the
 * counters of each digit must be cleared and summed. */
struct digits {
    unsigned low, high, width, n;
};

static struct digits
digits_of(uint64_t bits, size_t n)
{
    struct digits d = {.low = (unsigned)__builtin_ctzll(bits), .high = 64 - (unsigned)__builtin_clzll(bits)};
    unsigned widest = n < MANY ? 8 : WIDEST;
    d.n = (d.high - d.low + widest - 1) / widest;
    d.width = (d.high - d.low + d.n - 1) / d.n;
    return d;
}

ANY_SIZE uint64_t *
scatter_digits(struct digits d, uint64_t bits, uint64_t *from, uint64_t *to, size_t n, size_t words)
{
    for (unsigned shift = d.low; shift < d.high; shift += d.width) {
        if ((bits >> shift & ((UINT64_C(1) << d.width) - 1)) == 0)
            continue;
        scatter(from, to, n, words, shift, d.width);
        uint64_t *swap = from;
        from = to;
        to = swap;
    }
    return from;
}

/* Merging reads and writes one stretch after the other and costs a pass a doubling; a digit costs two, all
 * over the memory. */
static bool
should_merge(const struct shape *s, struct digits d)
{
    return s->runs <= RUNS && s->runs <= UINT64_C(1) << 2 * d.n;
}

ANY_SIZE void
sort(uint64_t *at, uint64_t *tmp, size_t n, size_t words)
{
    struct shape shape;
    if (n < FEW) {
        insertion(at, n, words);
        return;
    }
    look(&shape, at, n, words);
    if (shape.runs == 1)
        return;
    struct digits d = digits_of(shape.bits, n);
    uint64_t *sorted = should_merge(&shape, d) ? merge_runs(&shape, at, tmp, words)
                                               : scatter_digits(d, shape.bits, at, tmp, n, words);
    if (sorted != at)
        memcpy(at, sorted, n * words * sizeof *at);
}

void
sb_sort_radix(struct sb_sort_key *at, struct sb_sort_key *tmp, size_t n)
{
    _Static_assert(sizeof *at == 2 * sizeof(uint64_t), "a key and its value");
    sort(&at->key, &tmp->key, n, 2);
}

void
sb_sort_numbers(uint64_t *at, uint64_t *tmp, size_t n)
{
    sort(at, tmp, n, 1);
}
