/* Arrays in order: sorting them with qsort, and searching them. */
#ifndef SB_BASE_ORDER_H
#define SB_BASE_ORDER_H
#include <stdint.h>
#include <stdlib.h>

/* Sorts a growing array (vec.h). */
#define SB_SORT(v, compare) ((v)->n > 1 ? qsort((v)->at, (v)->n, sizeof *(v)->at, compare) : (void)0)

/* Moves lo to the first index `mid` in [lo, hi) for which `before` does not hold; it holds for all before that one. */
#define SB_SEARCH(lo, hi, before)                                                                            \
    while (lo < hi) {                                                                                        \
        __typeof__(lo) mid = lo + (hi - lo) / 2;                                                             \
        if (before)                                                                                          \
            lo = mid + 1;                                                                                    \
        else                                                                                                 \
            hi = mid;                                                                                        \
    }

static inline int
sb_by_number(const void *a, const void *b) /* for qsort: int64_t, ascending */
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

#endif
