#include "profile/rows.h"
#include "base/order.h"

/* Capacities of a list: some rows, half of its share of a segment, somewhat more than its share. */
enum { FEW = 256, HALF = 1 << 11, SHARE = HALF * 9 / 4 };

struct sb_row_shape
sb_row_shape(enum sb_tab t)
{
    const struct sb_tab_desc *desc = &sb_schema[t];
    struct sb_row_shape s = {.n_columns = desc->n_columns};
    SB_ASSERT(desc->n_columns <= SB_ROW_MOST);
    for (unsigned c = 0; c < desc->n_columns; c++) {
        s.place[c] = (uint8_t)s.words;
        s.words += desc->column[c].unit == SB_U_AT_NS ? 2 : 1;
    }
    s.place[desc->n_columns] = (uint8_t)s.words;
    SB_ASSERT(s.words == sb_row_words(t) && s.words <= SB_ROW_WORDS_MOST);
    s.cluster = sb_schema_column(t, sb_str_of(desc->cluster));
    return s;
}

/* ---- cells ---- */

uint32_t
sb_cell_far(struct sb_rows *r, int64_t v)
{
    SB_ASSERT(r->far.n < SB_NO_NUMBER - SB_FAR);
    *SB_PUSH(&r->far) = v;
    return SB_FAR + (uint32_t)(r->far.n - 1);
}

void
sb_row_set(struct sb_rows *r, const struct sb_row_shape *s, uint32_t *row, unsigned column, int64_t v)
{
    if (sb_row_is_wide(s, column))
        memcpy(row + s->place[column], &v, sizeof v);
    else
        row[s->place[column]] = sb_cell(r, v);
}

/* ---- appending ---- */

static size_t
rows_to_come(size_t n)
{
    return n < FEW || n >= SHARE ? 1 : n < HALF ? HALF - n : SHARE - n;
}

void
sb_rows_grow(struct sb_rows *r, unsigned words)
{
    if (r->cell.cap - r->cell.n < words)
        SB_RESERVE(&r->cell, words * rows_to_come(r->n));
    SB_RESERVE(&r->at, 1);
    size_t cells = r->cell.cap / words, times = r->settled + r->at.cap;
    r->room = cells < times ? cells : times;
}

void
sb_rows_begin(struct sb_rows *r, uint64_t who)
{
    SB_ASSERT(r->n < sb_span_first(UINT64_MAX));
    *SB_PUSH(&r->run) = (struct sb_row_run){who, (uint32_t)r->n, 0};
    r->of = who + 1;
}

static void
bring_far(struct sb_rows *r, const struct sb_row_shape *s, uint32_t *row, const struct sb_rows *from)
{
    for (unsigned c = 0; c < s->n_columns; c++) {
        uint32_t *code = row + s->place[c];
        if (!sb_row_is_wide(s, c) && *code >= SB_FAR && *code != SB_NO_NUMBER)
            *code = sb_cell_far(r, sb_cell_number(from, *code));
    }
}

void
sb_rows_add(struct sb_rows *r, const struct sb_row_shape *s, const struct sb_rows *from, size_t first,
            size_t n, uint64_t who)
{
    if (r->of != who + 1)
        sb_rows_begin(r, who);
    else
        r->unordered |= sb_rows_time(from, first) < r->at.at[r->at.n - 1];
    SB_RESERVE(&r->cell, n * s->words);
    SB_RESERVE(&r->at, n);
    uint32_t *row = r->cell.at + r->cell.n;
    memcpy(row, sb_row_at(from, s, first), n * s->words * sizeof *row);
    memcpy(r->at.at + r->at.n, &from->at.at[first - from->settled], n * sizeof *r->at.at);
    for (size_t i = 0; i < n && from->far.n > 0; i++)
        bring_far(r, s, row + i * s->words, from);
    r->run.at[r->run.n - 1].n += (uint32_t)n;
    r->cell.n += n * s->words;
    r->at.n += n;
    r->n += n;
    r->room = r->n;
}

void
sb_rows_put_in_order(struct sb_rows *r)
{
    struct sb_row_order o = {0};
    if (!r->unordered)
        return;
    r->unordered = false;
    r->of = 0;
    SB_SCOPED SB_VEC(struct sb_row_run) in_order = {0};
    sb_rows_order(&o, &r, 1);
    for (size_t i = 0; i < o.row.n; i++) {
        size_t row = sb_span_first(o.row.at[i].value);
        *SB_PUSH(&in_order) = (struct sb_row_run){sb_rows_who(r, row), (uint32_t)row, 1};
    }
    while (r->run.n > 0 && r->run.at[r->run.n - 1].first >= r->settled)
        r->run.n--;
    for (size_t i = 0; i < in_order.n; i++)
        *SB_PUSH(&r->run) = in_order.at[i];
    sb_row_order_close(&o);
}

void
sb_rows_settle(struct sb_rows *r)
{
    if (r->settled == r->n)
        return;
    sb_rows_put_in_order(r);
    r->settled = r->room = r->n;
    r->at.n = r->of = 0;
}

uint64_t
sb_rows_who(const struct sb_rows *r, size_t row)
{
    size_t from = 0, to = r->run.n;
    SB_SEARCH(from, to, r->run.at[mid].first <= row);
    return r->run.at[from - 1].who;
}

void
sb_rows_clear(struct sb_rows *r)
{
    r->cell.n = r->far.n = r->run.n = r->at.n = 0;
    r->n = r->room = r->settled = r->of = 0;
    r->unordered = false;
}

void
sb_rows_free(struct sb_rows *r)
{
    SB_VEC_FREE(&r->cell);
    SB_VEC_FREE(&r->far);
    SB_VEC_FREE(&r->run);
    SB_VEC_FREE(&r->at);
    sb_rows_clear(r);
}

/* ---- order ---- */

static void
sort(struct sb_row_order *o, struct sb_sort_key *at, size_t n)
{
    o->scratch.n = 0;
    SB_RESERVE(&o->scratch, n);
    sb_sort_radix(at, o->scratch.at, n);
}

/* Few rows usually share a moment. */
static void
sort_moment(struct sb_row_order *o, struct sb_rows *const *list, struct sb_sort_key *at, size_t n)
{
    uint64_t moment = at->key;
    for (size_t i = 0; i < n; i++)
        at[i].key = sb_rows_who(list[sb_span_list(at[i].value)], sb_span_first(at[i].value));
    sort(o, at, n);
    for (size_t i = 0; i < n; i++)
        at[i].key = moment;
}

void
sb_rows_order(struct sb_row_order *o, struct sb_rows *const *list, size_t n_lists)
{
    o->row.n = 0;
    for (size_t l = 0; l < n_lists; l++) {
        const struct sb_rows *r = list[l];
        SB_RESERVE(&o->row, r->at.n);
        for (size_t i = 0; i < r->at.n; i++)
            o->row.at[o->row.n++] =
                (struct sb_sort_key){sb_sort_key_of(r->at.at[i]), sb_row_span(l, r->settled + i, 1)};
    }
    if (o->row.n > 0)
        sort(o, o->row.at, o->row.n);
    for (size_t i = 0, j; i < o->row.n; i = j) {
        for (j = i + 1; j < o->row.n && o->row.at[j].key == o->row.at[i].key;)
            j++;
        if (j - i > 1)
            sort_moment(o, list, o->row.at + i, j - i);
    }
}

void
sb_row_order_close(struct sb_row_order *o)
{
    SB_VEC_FREE(&o->row);
    SB_VEC_FREE(&o->scratch);
}
