#include "base/sort.h"
#include <stdbool.h>
#include <string.h>

enum { WIDEST = 11, VALUES = 1 << WIDEST, FEW = 48, MANY = 2048 };

/* An element is its key and what goes with it: `words` in all, which each caller below says as a constant. */
#define ANY_SIZE static inline __attribute__((always_inline))

/* Which bits differ between keys, and whether there is anything to do at all: most of what comes here is
 * nearly the same number in most of its bits. */
ANY_SIZE uint64_t
differing(const uint64_t *at, size_t n, size_t words, bool *sorted)
{
    uint64_t bits = 0, back = 0;
    for (size_t i = words; i < n * words; i += words) {
        bits |= at[i] ^ at[0];
        back |= at[i] < at[i - words];
    }
    *sorted = back == 0;
    return bits;
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

/* As few digits as cover the bits that differ, all of about one width; few keys take narrow ones, since the
 * counters of each digit must be cleared and summed. */
ANY_SIZE void
sort(uint64_t *at, uint64_t *tmp, size_t n, size_t words)
{
    if (n < FEW) {
        insertion(at, n, words);
        return;
    }
    bool sorted;
    uint64_t bits = differing(at, n, words, &sorted);
    if (sorted)
        return;
    unsigned low = (unsigned)__builtin_ctzll(bits), high = 64 - (unsigned)__builtin_clzll(bits);
    unsigned widest = n < MANY ? 8 : WIDEST, digits = (high - low + widest - 1) / widest;
    unsigned width = (high - low + digits - 1) / digits;
    uint64_t *from = at, *to = tmp;
    for (unsigned shift = low; shift < high; shift += width) {
        if ((bits >> shift & ((UINT64_C(1) << width) - 1)) == 0)
            continue;
        scatter(from, to, n, words, shift, width);
        uint64_t *swap = from;
        from = to;
        to = swap;
    }
    if (from != at)
        memcpy(at, from, n * words * sizeof *at);
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
