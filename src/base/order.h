/* Arrays in order: sorting them with qsort, and searching them. */
#pragma once
#include <stdint.h>
#include <stdlib.h>

/* qsort, which costs one comparison an element where the array is in order already. */
static inline void
sb_sort(void *at, size_t n, size_t bytes, int (*compare)(const void *, const void *))
{
    const char *p = at;
    for (size_t i = 1; i < n; i++)
        if (compare(p + (i - 1) * bytes, p + i * bytes) > 0) {
            qsort(at, n, bytes, compare);
            return;
        }
}

/* Sorts a growing array (vec.h). */
#define SB_SORT(v, compare) sb_sort((v)->at, (v)->n, sizeof *(v)->at, compare)

/* Moves lo to the first index `mid` in [lo, hi) for which `before` does not hold; it holds for all before that one. */
#define SB_SEARCH(lo, hi, before) \
    while (lo < hi) { \
        __typeof__(lo) mid = lo + (hi - lo) / 2; \
        if (before) \
            lo = mid + 1; \
        else \
            hi = mid; \
    }

/* Defines `name`, a comparison of two elements for sorting: by the first key that differs. A key is SB_UP or SB_DOWN of
 * a member, or any expression of the elements `a` and `b`; `?:` stands between keys. */
#define SB_ORDER(name, type, keys) \
    static int name(const void *pa, const void *pb) \
    { \
        const type *a = pa, *b = pb; \
        return keys; \
    }
#define SB_UP(member) ((a->member > b->member) - (a->member < b->member))
#define SB_DOWN(member) ((a->member < b->member) - (a->member > b->member))

static inline int
sb_by_number(const void *a, const void *b) /* for qsort: int64_t, ascending */
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}
