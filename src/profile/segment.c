#include "profile/segment.h"

void
sb_segment_begin(struct sb_segment *s, const struct sb_row_shape *shape, struct sb_rows *const *list)
{
    s->shape = shape;
    s->list = list;
    s->spans.n = 0;
}

/* Rows of ports, which have no process, precede all others, port by port. */
void
sb_segment_add(struct sb_segment *s, uint64_t span, uint64_t who)
{
    uint64_t key = s->shape->cluster < 0 ? 0 : who ^ SB_WHO_PORT;
    *SB_PUSH(&s->spans) = (struct sb_sort_key){key, span};
}

void
sb_segment_add_settled(struct sb_segment *s, const struct sb_rows *r, size_t list)
{
    for (size_t i = 0; i < r->run.n && r->run.at[i].first < r->settled; i++)
        sb_segment_add(s, sb_row_span(list, r->run.at[i].first, r->run.at[i].n), r->run.at[i].who);
}

void
sb_segment_order(struct sb_segment *s)
{
    s->scratch.n = 0;
    SB_RESERVE(&s->scratch, s->spans.n);
    if (s->spans.n > 0)
        sb_sort_radix(s->spans.at, s->scratch.at, s->spans.n);
    s->next_span = s->next_row = 0;
}

size_t
sb_segment_next(struct sb_segment *s, uint32_t **row, uint8_t *in, size_t most)
{
    size_t n = 0;
    while (n < most && s->next_span < s->spans.n) {
        uint64_t span = s->spans.at[s->next_span].value;
        size_t l = sb_span_list(span), left = sb_span_rows(span) - s->next_row;
        size_t take = left < most - n ? left : most - n;
        uint32_t *at = sb_row_at(s->list[l], s->shape, sb_span_first(span) + s->next_row);
        memset(in + n, (int)l, take);
        for (size_t i = 0; i < take; i++, at += s->shape->words)
            row[n++] = at;
        s->next_row = take < left ? s->next_row + take : 0;
        s->next_span += take == left;
    }
    return n;
}

void
sb_segment_close(struct sb_segment *s)
{
    SB_VEC_FREE(&s->spans);
    SB_VEC_FREE(&s->scratch);
}
