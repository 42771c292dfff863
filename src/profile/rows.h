/*
 * Rows on their way into a table, in the lists of the parts that made them. A cell takes 4 bytes, a time 8;
 * the few numbers that do not fit are stored apart. Beside the rows are the keys of their place in the table: the
 * time of each row, as long as it can matter, and the owner of each run of rows.
 *
 *     cell:  row row row | row row | row ...       far: number number ...
 *     run:   \__of one__/ \_another_ ...                \__ cells hold their places
 *     at:                  time time time ...      of rows that are not settled
 */
#pragma once
#include "base/sort.h"
#include "base/vec.h"
#include "profile/row.h"

enum { SB_LISTS_MOST = 255 /* lists that can be ordered together */ };

struct sb_row_shape {               /* of a table's rows */
    unsigned n_columns, words;      /* words of 4 bytes */
    int cluster;                    /* column index, -1 for none */
    uint8_t place[SB_ROW_MOST + 1]; /* offset of each column in words, and the size of a row */
};

struct sb_row_run {
    uint64_t who;
    uint32_t first, n; /* rows */
};

struct sb_rows {
    SB_VEC(uint32_t) cell;
    SB_VEC(int64_t) far;
    SB_VEC(struct sb_row_run) run;
    SB_VEC(int64_t) at;
    size_t n, room; /* number of rows, and capacity in rows */
    size_t settled; /* the first rows, which precede all later rows of the same owner */
    uint64_t of;    /* 1 + owner of the last run while it can grow; else 0 */
    bool unordered; /* some unsettled rows of one owner are not in order of time */
};

struct sb_row_shape sb_row_shape(enum sb_tab t);
void sb_rows_settle(struct sb_rows *r);
/* Sorts the unsettled rows of each run by time, where they are not sorted. */
void sb_rows_put_in_order(struct sb_rows *r);
void sb_rows_clear(struct sb_rows *r); /* keeps the memory */
void sb_rows_free(struct sb_rows *r);
uint64_t sb_rows_who(const struct sb_rows *r, size_t row); /* owner of an unsettled row */

static inline int64_t
sb_rows_time(const struct sb_rows *r, size_t row) /* time of an unsettled row */
{
    return r->at.at[row - r->settled];
}

/* ---- cells ---- */

uint32_t sb_cell_far(struct sb_rows *r, int64_t v);
static inline uint32_t
sb_cell(struct sb_rows *r, int64_t v) /* a cell for a row of that list */
{
    return (uint64_t)v < SB_FAR ? (uint32_t)v : v == SB_NULL ? SB_NO_NUMBER : sb_cell_far(r, v);
}
static inline uint32_t *
sb_row_at(const struct sb_rows *r, const struct sb_row_shape *s, size_t row)
{
    return r->cell.at + row * s->words;
}
static inline bool
sb_row_is_wide(const struct sb_row_shape *s, unsigned column)
{
    return s->place[column + 1] - s->place[column] > 1;
}
static inline int64_t
sb_cell_number(const struct sb_rows *r, uint32_t code)
{
    return code < SB_FAR ? code : code == SB_NO_NUMBER ? SB_NULL : r->far.at[code - SB_FAR];
}
static inline int64_t
sb_row_cell(const struct sb_rows *r, const struct sb_row_shape *s, const uint32_t *row, unsigned column)
{
    int64_t wide;
    if (sb_row_is_wide(s, column))
        return memcpy(&wide, row + s->place[column], sizeof wide), wide;
    return sb_cell_number(r, row[s->place[column]]);
}
void sb_row_set(struct sb_rows *r, const struct sb_row_shape *s, uint32_t *row, unsigned column, int64_t v);

/* ---- appending ---- */

void sb_rows_grow(struct sb_rows *r, unsigned words);
void sb_rows_begin(struct sb_rows *r, uint64_t who);
/* Appends a row of `t`; fill it before the next call on this list. `who`: its cluster column, or a port. */
#define SB_WHO_PORT (UINT64_C(1) << 40) /* plus the id of the port; 0: port unknown */
static inline void *
sb_rows_put(struct sb_rows *r, enum sb_tab t, int64_t at, uint64_t who)
{
    if (r->n == r->room)
        sb_rows_grow(r, sb_row_words(t));
    if (r->of != who + 1)
        sb_rows_begin(r, who);
    else
        r->unordered |= at < r->at.at[r->at.n - 1];
    r->run.at[r->run.n - 1].n++;
    r->at.at[r->at.n++] = at;
    uint32_t *row = r->cell.at + r->cell.n;
    r->cell.n += sb_row_words(t);
    r->n++;
    return row;
}

/* Appends copies of rows of another list of the table; they must be unsettled, of one owner and in order
 * of time. */
void sb_rows_add(struct sb_rows *r, const struct sb_row_shape *s, const struct sb_rows *from, size_t first,
                 size_t n, uint64_t who);

/* ---- order ---- */

/* A number of adjacent rows of one of several lists, as the value of a sort key. */
static inline uint64_t
sb_row_span(size_t list, size_t first, size_t n)
{
    return (uint64_t)list << 56 | (uint64_t)first << 28 | n;
}
static inline size_t
sb_span_list(uint64_t span)
{
    return span >> 56;
}
static inline size_t
sb_span_first(uint64_t span)
{
    return span >> 28 & ((1 << 28) - 1);
}
static inline size_t
sb_span_rows(uint64_t span)
{
    return span & ((1 << 28) - 1);
}

struct sb_row_order {
    SB_VEC(struct sb_sort_key) row; /* key: its time; value: its span */
    SB_VEC(struct sb_sort_key) scratch;
};
/* Orders the unsettled rows of several lists by time, then by owner; rows with the same time and owner
 * keep their order, list by list. */
void sb_rows_order(struct sb_row_order *o, struct sb_rows *const *list, size_t n_lists);
void sb_row_order_close(struct sb_row_order *o);
