/* The zones of a column give everything except the row of the maximum; only the block of that row is
 * decoded. */
#include "profile/stats.h"

static bool
cannot_overflow(const struct sb_zone *z)
{
    return z->min > INT64_MIN / (int64_t)SB_BLOCK_ROWS && z->max < INT64_MAX / (int64_t)SB_BLOCK_ROWS;
}

static int64_t
limited_sum(int64_t a, int64_t b)
{
    int64_t sum;
    if (!__builtin_add_overflow(a, b, &sum))
        return sum;
    return b < 0 ? SB_NULL + 1 : INT64_MAX;
}

static void
add_numbers(struct sb_stats *s, const struct sb_profile *p, enum sb_tab t, unsigned col, uint64_t b)
{
    int64_t v[SB_BLOCK_ROWS];
    size_t n = sb_profile_block(p, t, col, b, v);
    for (size_t i = 0; i < n; i++)
        s->sum = v[i] == SB_NULL ? s->sum : limited_sum(s->sum, v[i]);
}

static uint64_t
row_of(const struct sb_profile *p, enum sb_tab t, unsigned col, uint64_t b, int64_t is)
{
    int64_t v[SB_BLOCK_ROWS];
    size_t n = sb_profile_block(p, t, col, b, v), i = 0;
    while (i + 1 < n && v[i] != is)
        i++;
    return b * SB_BLOCK_ROWS + i;
}

struct sb_stats
sb_profile_stats(const struct sb_profile *p, enum sb_tab t, unsigned col)
{
    struct sb_stats s = {.least = INT64_MAX, .most = INT64_MIN};
    uint64_t rows = sb_profile_rows(p, t), most_in = 0;
    for (uint64_t b = 0, at = 0; at < rows; b++) {
        struct sb_zone z = sb_profile_zone(p, t, col, at);
        uint64_t n = z.end - at - (z.nulls < z.end - at ? z.nulls : z.end - at);
        at = z.end;
        if (n == 0)
            continue;
        s.n += n;
        s.least = z.min < s.least ? z.min : s.least;
        if (z.max > s.most)
            s.most = z.max, most_in = b;
        if (cannot_overflow(&z))
            s.sum = limited_sum(s.sum, z.total);
        else
            add_numbers(&s, p, t, col, b);
    }
    if (s.n == 0)
        s.sum = s.least = s.most = SB_NULL;
    else
        s.most_row = row_of(p, t, col, most_in, s.most);
    return s;
}
