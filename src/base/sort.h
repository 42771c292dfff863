/* Radix sort for large arrays with numeric keys; qsort_r of libc serves the rest. */
#pragma once
#include <stddef.h>
#include <stdint.h>

struct sb_sort_key {
    uint64_t key;
    uint64_t value; /* usually an index */
};

/* Negative numbers are before others. */
static inline uint64_t
sb_sort_key_of(int64_t number)
{
    return (uint64_t)number ^ UINT64_C(1) << 63;
}
static inline int64_t
sb_sort_of_key(uint64_t key)
{
    return (int64_t)(key ^ UINT64_C(1) << 63);
}

/* Stable, ascending by key. `tmp` has room for n too; the result is in `at`. n < 2^32; bits that all keys
 * share at the top and the bottom cost nothing. */
void sb_sort_radix(struct sb_sort_key *at, struct sb_sort_key *tmp, size_t n);
void sb_sort_numbers(uint64_t *at, uint64_t *tmp, size_t n); /* keys without values */
void sb_sort_signed(int64_t *at, size_t n);
