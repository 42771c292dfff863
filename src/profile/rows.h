/*
 * Rows on their way into a table, as those who find them leave them: in front of each stand two cells that say
 * where it belongs.
 *
 *     time who cell cell ... | time who cell cell ... |
 */
#ifndef SB_PROFILE_ROWS_H
#define SB_PROFILE_ROWS_H
#include "base/sort.h"
#include "base/vec.h"
#include <stdbool.h>

enum { SB_ROW_AT, SB_ROW_BY, SB_ROW_HEAD };
enum { SB_ROW_MOST = 64 }; /* cells */

struct sb_rows {
    int64_t *at; /* n is in cells, too */
    size_t n, cap;
    bool unordered; /* somewhere two rows of one process, one behind the other, are not in order of time */
};

struct sb_row_order {
    SB_VEC(struct sb_sort_key) row; /* value: address of a row's head */
    SB_VEC(struct sb_sort_key) scratch;
};

static inline const int64_t *
sb_row_of(struct sb_sort_key k)
{
    return (const int64_t *)(uintptr_t)k.value;
}

/* All rows of some lists by time, then who; what is of one time and the same stays as it lies, list by list. */
void sb_rows_order(struct sb_row_order *o, const struct sb_rows *list, size_t n_lists, size_t cells);
void sb_row_order_close(struct sb_row_order *o);

#endif
