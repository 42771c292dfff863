#include "profile/rows.h"

static uint64_t
bias(int64_t v)
{
    return (uint64_t)v ^ UINT64_C(1) << 63;
}

static void
sort(struct sb_row_order *o, struct sb_sort_key *at, size_t n)
{
    o->scratch.n = 0;
    SB_RESERVE(&o->scratch, n);
    sb_sort_radix(at, o->scratch.at, n);
}

/* Rows of one moment are few, mostly. */
static void
sort_moment(struct sb_row_order *o, struct sb_sort_key *at, size_t n)
{
    uint64_t moment = at->key;
    for (size_t i = 0; i < n; i++)
        at[i].key = bias(sb_row_of(at[i])[SB_ROW_BY]);
    sort(o, at, n);
    for (size_t i = 0; i < n; i++)
        at[i].key = moment;
}

void
sb_rows_order(struct sb_row_order *o, const struct sb_rows *list, size_t n_lists, size_t cells)
{
    o->row.n = 0;
    for (size_t l = 0; l < n_lists; l++) {
        SB_RESERVE(&o->row, list[l].n / cells);
        for (size_t i = 0; i < list[l].n; i += cells)
            o->row.at[o->row.n++] =
                (struct sb_sort_key){bias(list[l].at[i + SB_ROW_AT]), (uintptr_t)(list[l].at + i)};
    }
    if (o->row.n > 0)
        sort(o, o->row.at, o->row.n);
    for (size_t i = 0, j; i < o->row.n; i = j) {
        for (j = i + 1; j < o->row.n && o->row.at[j].key == o->row.at[i].key;)
            j++;
        if (j - i > 1)
            sort_moment(o, o->row.at + i, j - i);
    }
}

void
sb_row_order_close(struct sb_row_order *o)
{
    SB_VEC_FREE(&o->row);
    SB_VEC_FREE(&o->scratch);
}
