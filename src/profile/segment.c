#include "profile/segment.h"

enum { FIRST_ROWS = 256, MANY_ROWS = 1 << 15 /* more will follow: room for all there can be, untouched until written */ };
#define NO_NUMBER UINT32_MAX                /* NULL */
#define FAR (NO_NUMBER - (UINT32_C(1) << 24)) /* from here on: FAR + place in `far` */

void
sb_segment_open(struct sb_segment *s, const struct sb_tab_desc *desc, size_t most)
{
    *s = (struct sb_segment){.n_columns = desc->n_columns, .most = most};
    SB_ASSERT(desc->n_columns <= SB_COLUMNS_MAX && most * desc->n_columns < NO_NUMBER - FAR);
    unsigned n = 0;
    for (unsigned wide = 2; wide-- > 0;)
        for (unsigned c = 0; c < desc->n_columns; c++)
            if ((desc->column[c].unit == SB_U_AT_NS) == wide) {
                s->column[n++] = (uint8_t)c;
                s->n_wide += wide;
                s->place[c] = (uint8_t)s->words;
                s->words += 1 + wide;
            }
}

void
sb_segment_close(struct sb_segment *s)
{
    SB_VEC_FREE(s);
    SB_VEC_FREE(&s->far);
    SB_VEC_FREE(&s->stretch);
    SB_VEC_FREE(&s->scratch);
}

/* ---- adding ---- */

static void
make_room(struct sb_segment *s)
{
    size_t cap = s->cap == 0 ? FIRST_ROWS : s->cap * 4;
    s->cap = cap < MANY_ROWS && cap < s->most ? cap : s->most;
    s->at = sb_realloc_or_die(s->at, s->cap * s->words * sizeof *s->at);
}

static uint32_t
far_code(struct sb_segment *s, int64_t v)
{
    if (v == SB_NULL)
        return NO_NUMBER;
    *SB_PUSH(&s->far) = v;
    return FAR + (uint32_t)(s->far.n - 1);
}

void
sb_segment_add(struct sb_segment *s, const int64_t *cells, uint64_t key)
{
    SB_ASSERT(s->n < s->most);
    if (s->n == s->cap)
        make_room(s);
    uint32_t *to = s->at + s->n * s->words;
    unsigned i = 0;
    for (; i < s->n_wide; i++, to += 2)
        memcpy(to, &cells[s->column[i]], sizeof *cells);
    for (; i < s->n_columns; i++) {
        int64_t v = cells[s->column[i]];
        *to++ = (uint64_t)v < FAR ? (uint32_t)v : far_code(s, v);
    }
    if (s->stretch.n == 0 || s->stretch.at[s->stretch.n - 1].key != key)
        *SB_PUSH(&s->stretch) = (struct sb_sort_key){key, (uint64_t)s->n << 32};
    s->stretch.at[s->stretch.n - 1].value++;
    s->n++;
}

/* ---- taking ---- */

void
sb_segment_order(struct sb_segment *s)
{
    s->scratch.n = 0;
    SB_RESERVE(&s->scratch, s->stretch.n);
    if (s->stretch.n > 0)
        sb_sort_radix(s->stretch.at, s->scratch.at, s->stretch.n);
    s->next_stretch = s->next_row = 0;
}

size_t
sb_segment_next(struct sb_segment *s, const uint32_t **row, size_t most)
{
    size_t n = 0;
    while (n < most && s->next_stretch < s->stretch.n) {
        uint64_t some = s->stretch.at[s->next_stretch].value;
        size_t left = (uint32_t)some - s->next_row, take = left < most - n ? left : most - n;
        const uint32_t *at = s->at + ((some >> 32) + s->next_row) * s->words;
        for (size_t i = 0; i < take; i++, at += s->words) {
            __builtin_prefetch(at); /* stretches lie all over the segment */
            __builtin_prefetch(at + s->words - 1);
            row[n++] = at;
        }
        s->next_row = take < left ? s->next_row + take : 0;
        s->next_stretch += take == left;
    }
    return n;
}

void
sb_segment_cells(const struct sb_segment *s, unsigned column, const uint32_t *const *row, size_t n, int64_t *v)
{
    unsigned place = s->place[column];
    if (place < 2 * s->n_wide) {
        for (size_t i = 0; i < n; i++)
            memcpy(&v[i], row[i] + place, sizeof *v);
        return;
    }
    for (size_t i = 0; i < n; i++) {
        uint32_t code = row[i][place];
        v[i] = code < FAR ? code : code == NO_NUMBER ? SB_NULL : s->far.at[code - FAR];
    }
}

void
sb_segment_clear(struct sb_segment *s)
{
    s->n = s->far.n = s->stretch.n = 0;
}
