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
#include "profile/row.h"

enum { SB_LISTS_MOST = 255 /* that are put in order together */ };

struct sb_row_shape {               /* of a table's rows */
    unsigned n_columns, words;      /* of 4 bytes */
    int cluster;                    /* column, -1 for none */
    uint8_t place[SB_ROW_MOST + 1]; /* of each column, in words, and where a row ends */
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
    size_t n, room; /* rows that are there, and that may be before more memory is asked for */
    size_t settled; /* the first of them: whatever comes belongs behind them, if it is of the same */
    uint64_t of;    /* 1 + whom the last run is of, while rows may follow in it; else 0 */
    bool unordered; /* somewhere behind them two rows of the same are not in order of time */
};

struct sb_row_shape sb_row_shape(enum sb_tab t);
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

uint32_t sb_cell_far(struct sb_rows *r, int64_t v);
static inline uint32_t
sb_cell(struct sb_rows *r, int64_t v) /* of a row of that list */
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

/* ---- putting ---- */

void sb_rows_grow(struct sb_rows *r, unsigned words);
void sb_rows_begin(struct sb_rows *r, uint64_t who);
/* A row of `t`, to be filled before anything else is asked of the list. `who`: its cluster column, or a port. */
#define SB_WHO_PORT (UINT64_C(1) << 40) /* and its id; 0: which is not known */
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

/* Rows of another list of the table that are of one and in order of time, and not settled: a copy of them. */
void sb_rows_add(struct sb_rows *r, const struct sb_row_shape *s, const struct sb_rows *from, size_t first,
                 size_t n, uint64_t who);

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
