#include "why/predict/moments.h"

void
sb_moments_open(struct sb_moments *s, uint32_t cores)
{
    *s = (struct sb_moments){.leaves = 1};
    while (s->leaves < cores)
        s->leaves *= 2;
    s->node = sb_realloc_or_die(NULL, 2 * s->leaves * sizeof *s->node);
    for (uint32_t i = 0; i < 2 * s->leaves; i++)
        s->node[i] = SB_NO_MOMENT;
}

void
sb_moments_close(struct sb_moments *s)
{
    free(s->node);
    SB_VEC_FREE(&s->wait);
}

void
sb_moments_put_wait(struct sb_moments *s, uint32_t line, int64_t ns)
{
    struct sb_moments_wait w = {(sb_moment)(uint64_t)ns << 64 | s->number++ << 16, line};
    SB_RESERVE(&s->wait, 1);
    size_t i = s->wait.n++;
    for (; i > 0 && w.at < s->wait.at[(i - 1) / 2].at; i = (i - 1) / 2)
        s->wait.at[i] = s->wait.at[(i - 1) / 2];
    s->wait.at[i] = w;
}

uint32_t
sb_moments_take_wait(struct sb_moments *s)
{
    struct sb_moments_wait *at = s->wait.at, last = at[--s->wait.n];
    uint32_t line = at[0].line;
    size_t i = 0, n = s->wait.n;
    for (size_t k; (k = 2 * i + 1) < n; i = k) {
        k += k + 1 < n && at[k + 1].at < at[k].at;
        if (last.at <= at[k].at)
            break;
        at[i] = at[k];
    }
    at[i] = last;
    return line;
}
