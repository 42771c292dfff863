#include "profile/cut.h"
#include "base/order.h"

struct end { /* the last row of the segment */
    int64_t at;
    uint64_t who, row; /* row: its span */
};

void
sb_cut_begin(struct sb_cut *c, struct sb_rows *const *list, size_t n_lists)
{
    for (size_t l = 0; l < n_lists; l++) {
        struct sb_rows *r = list[l];
        sb_rows_put_in_order(r);
        SB_RESERVE(&c->time, r->at.n);
        for (size_t i = 0; i < r->at.n; i++)
            c->time.at[c->time.n++] = (uint64_t)r->at.at[i] ^ UINT64_C(1) << 63;
    }
}

/* Finds the i-th time among very many: only those that share its first digit are sorted. */
static uint64_t
find_time(struct sb_cut *c, size_t i)
{
    enum { DIGIT = 11 };
    uint32_t count[1 << DIGIT] = {0};
    uint64_t min = UINT64_MAX, max = 0, digit = 0;
    for (size_t k = 0; k < c->time.n; k++) {
        min = c->time.at[k] < min ? c->time.at[k] : min;
        max = c->time.at[k] > max ? c->time.at[k] : max;
    }
    unsigned bits = max == min ? 0 : 64 - (unsigned)__builtin_clzll(max - min);
    unsigned shift = bits > DIGIT ? bits - DIGIT : 0;
    for (size_t k = 0; k < c->time.n; k++)
        count[(c->time.at[k] - min) >> shift]++;
    for (; i >= count[digit]; digit++)
        i -= count[digit];
    c->some.n = 0;
    SB_RESERVE(&c->some, count[digit]);
    SB_RESERVE(&c->scratch, count[digit]);
    for (size_t k = 0; k < c->time.n; k++)
        if ((c->time.at[k] - min) >> shift == digit)
            c->some.at[c->some.n++] = c->time.at[k];
    sb_sort_numbers(c->some.at, c->scratch.at, c->some.n);
    return c->some.at[i];
}

uint64_t
sb_cut_time(struct sb_cut *c, size_t i)
{
    SB_ASSERT(i < c->time.n);
    if (c->asked != i + 1)
        c->settled = find_time(c, i);
    c->asked = i + 1;
    return c->settled;
}

/* The number of rows of a run that precede a moment. */
static uint32_t
before(const struct sb_rows *r, const struct sb_row_run *run, int64_t at)
{
    uint32_t from = 0, to = run->n;
    SB_SEARCH(from, to, sb_rows_time(r, run->first + mid) < at);
    return from;
}

/* Collects the rows of the moment from unsettled runs; returns the number of rows before the moment. */
static size_t
find_moment(struct sb_cut *c, const struct sb_segment *s, size_t n_lists, int64_t at)
{
    size_t earlier = 0;
    c->moment.n = 0;
    for (size_t l = 0; l < n_lists; l++) {
        const struct sb_rows *r = s->list[l];
        for (size_t i = 0; i < r->run.n; i++) {
            const struct sb_row_run *run = &r->run.at[i];
            if (run->first < r->settled)
                continue;
            uint32_t k = before(r, run, at);
            earlier += k;
            for (; k < run->n && sb_rows_time(r, run->first + k) == at; k++)
                *SB_PUSH(&c->moment) = (struct sb_sort_key){run->who, sb_row_span(l, run->first + k, 1)};
        }
    }
    return earlier;
}

static struct end
find_end(struct sb_cut *c, const struct sb_segment *s, size_t n_lists, size_t last, size_t others)
{
    int64_t at = (int64_t)(sb_cut_time(c, last) ^ UINT64_C(1) << 63);
    size_t of_moment = others - find_moment(c, s, n_lists, at);
    SB_ASSERT(of_moment > 0 && of_moment <= c->moment.n);
    SB_RESERVE(&c->moment_scratch, c->moment.n);
    sb_sort_radix(c->moment.at, c->moment_scratch.at, c->moment.n);
    struct sb_sort_key k = c->moment.at[of_moment - 1];
    return (struct end){at, k.key, k.value};
}

static uint32_t
taken_of(const struct sb_rows *r, size_t l, const struct sb_row_run *run, const struct end *e)
{
    if (run->first < r->settled || !e)
        return run->n;
    uint32_t k = before(r, run, e->at);
    while (k < run->n && sb_rows_time(r, run->first + k) == e->at &&
           (run->who != e->who ? run->who < e->who : sb_row_span(l, run->first + k, 1) <= e->row))
        k++;
    return k;
}

void
sb_cut_take(struct sb_cut *c, struct sb_segment *s, size_t n_lists, size_t last, size_t others)
{
    bool all = c->time.n == 0 || last >= c->time.n - 1;
    struct end e = {0};
    if (!all)
        e = find_end(c, s, n_lists, last, others);
    for (size_t l = 0; l < n_lists; l++) {
        const struct sb_rows *r = s->list[l];
        for (size_t i = 0; i < r->run.n; i++) {
            struct sb_row_run *run = &r->run.at[i];
            uint32_t n = taken_of(r, l, run, all ? NULL : &e);
            if (n > 0)
                sb_segment_add(s, sb_row_span(l, run->first, n), run->who);
            run->first += n;
            run->n -= n;
        }
    }
}

void
sb_cut_close(struct sb_cut *c)
{
    SB_VEC_FREE(&c->time);
    SB_VEC_FREE(&c->some);
    SB_VEC_FREE(&c->scratch);
    SB_VEC_FREE(&c->moment);
    SB_VEC_FREE(&c->moment_scratch);
}
