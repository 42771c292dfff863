/*
 * Rows on their way into a table, as those who find them leave them. A cell takes 4 bytes, a time 8; the few
 * numbers that do not fit lie apart. Beside them stands where they belong: when each is of, while that can
 * still matter, and of whom they are, once for a run of rows of the same.
 *
 *     cell:  row row row | row row | row ...       far: number number ...
 *     run:   \__of one__/ \_another_ ...                \__ cells hold their places
 *     at:                  time time time ...      of rows that are not settled
 */
#ifndef SB_PROFILE_ROWS_H
#define SB_PROFILE_ROWS_H
#include "base/sort.h"
#include "base/vec.h"
#include "profile/schema.h"

enum { SB_ROW_MOST = 64 /* cells */, SB_LISTS_MOST = 255 /* that are put in order together */ };
#define SB_NO_NUMBER UINT32_MAX                     /* a cell that is NULL */
#define SB_FAR (SB_NO_NUMBER - (UINT32_C(1) << 28)) /* from here on: SB_FAR + place in `far` */

struct sb_row_shape {            /* of a table's rows */
    unsigned n_columns, words;   /* of 4 bytes */
    unsigned n_wide;             /* columns of 8 bytes, which stand first */
    int cluster;                 /* column, -1 for none */
    uint8_t column[SB_ROW_MOST]; /* as they stand in a row */
    uint8_t place[SB_ROW_MOST];  /* of each column, in words */
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
    size_t n;       /* rows */
    size_t settled; /* the first of them: whatever comes belongs behind them, if it is of the same */
    bool unordered; /* somewhere behind them two rows of the same are not in order of time */
};

struct sb_row_shape sb_row_shape(enum sb_tab t);
/* A port is not who has the same id: it stands behind all others. */
void sb_rows_put(struct sb_rows *r, const struct sb_row_shape *s, const int64_t *cells, int64_t at,
                 uint64_t who);
void sb_rows_settle(struct sb_rows *r);
/* By time in each run that is not settled: of one row, where they were not. */
void sb_rows_put_in_order(struct sb_rows *r);
void sb_rows_clear(struct sb_rows *r); /* keeps the memory */
void sb_rows_free(struct sb_rows *r);
uint64_t sb_rows_who(const struct sb_rows *r, size_t row); /* that is not settled */

static inline int64_t
sb_rows_time(const struct sb_rows *r, size_t row) /* that is not settled */
{
    return r->at.at[row - r->settled];
}

/* ---- cells ---- */

static inline uint32_t *
sb_row_at(const struct sb_rows *r, const struct sb_row_shape *s, size_t row)
{
    return r->cell.at + row * s->words;
}
static inline int64_t
sb_row_cell(const struct sb_rows *r, const struct sb_row_shape *s, const uint32_t *row, unsigned column)
{
    unsigned place = s->place[column];
    int64_t wide;
    if (place < 2 * s->n_wide)
        return memcpy(&wide, row + place, sizeof wide), wide;
    uint32_t code = row[place];
    return code < SB_FAR ? code : code == SB_NO_NUMBER ? SB_NULL : r->far.at[code - SB_FAR];
}
void sb_row_cells(const struct sb_rows *r, const struct sb_row_shape *s, const uint32_t *row, int64_t *cells);
void sb_row_say(struct sb_rows *r, const struct sb_row_shape *s, uint32_t *row, const int64_t *cells);

/* ---- order ---- */

/* Some rows of one of several lists, one behind the other, as a sort key's value. */
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
/* The rows of some lists that are not settled by time, then who; what is of one time and the same stays as it
   lies, list by list. */
void sb_rows_order(struct sb_row_order *o, struct sb_rows *const *list, size_t n_lists);
void sb_row_order_close(struct sb_row_order *o);

#endif
