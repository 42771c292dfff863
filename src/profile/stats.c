#include "profile/stats.h"

enum { RELEASE_EVERY = 128 /* blocks; what has been passed needn't stay in memory */ };

static void
add_block(struct sb_stats *s, const int64_t *v, size_t n, uint64_t first)
{
    for (size_t i = 0; i < n; i++) {
        if (v[i] == SB_NULL)
            continue;
        s->n++;
        if (__builtin_add_overflow(s->sum, v[i], &s->sum))
            s->sum = v[i] < 0 ? SB_NULL + 1 : INT64_MAX;
        s->least = v[i] < s->least ? v[i] : s->least;
        if (v[i] > s->most)
            s->most = v[i], s->most_row = first + i;
    }
}

struct sb_stats
sb_profile_stats(const struct sb_profile *p, enum sb_tab t, unsigned col)
{
    struct sb_stats s = {.least = INT64_MAX, .most = INT64_MIN};
    int64_t v[SB_BLOCK_ROWS];
    uint64_t rows = sb_profile_rows(p, t);
    for (uint64_t b = 0; b * SB_BLOCK_ROWS < rows; b++) {
        if (b % RELEASE_EVERY == RELEASE_EVERY - 1)
            sb_profile_release(p);
        add_block(&s, v, sb_profile_block(p, t, col, b, v), b * SB_BLOCK_ROWS);
    }
    if (s.n == 0)
        s.sum = s.least = s.most = SB_NULL;
    return s;
}
