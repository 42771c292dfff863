#include "engine/pass/call_activity.h"

size_t
sb_call_activity(const struct sb_call_function *f, struct sb_interval all[SB_CALLS_INTERVALS])
{
    size_t k = f->earlier ? f->earlier->n : 0;
    if (k > 0)
        memcpy(all, f->earlier->at, k * sizeof *all);
    if (f->latest.count > 0)
        all[k++] = f->latest;
    return k;
}

static void
join(struct sb_interval *to, const struct sb_interval *next)
{
    to->end = next->end;
    to->busy_ns += next->busy_ns;
    to->count += next->count;
}

static void
join_intervals(struct sb_call_function *f)
{
    struct sb_interval all[SB_CALLS_INTERVALS];
    size_t k = sb_call_activity(f, all);
    int64_t *join_ns = &f->earlier->join_ns;
    while (k == SB_CALLS_INTERVALS) {
        int64_t share = (all[k - 1].end - all[0].start) / (SB_CALLS_INTERVALS * 3 / 8) + 1;
        *join_ns = share > *join_ns ? share : *join_ns * 2;
        size_t kept = 0;
        for (size_t i = 1; i < k; i++) {
            if (all[i].end - all[kept].start <= *join_ns)
                join(&all[kept], &all[i]);
            else
                all[++kept] = all[i];
        }
        k = kept + 1;
    }
    f->latest = all[--k];
    f->earlier->n = (uint32_t)k;
    memcpy(f->earlier->at, all, k * sizeof *all);
}

static void
keep_latest(struct sb_call_function *f)
{
    struct sb_earlier_intervals *e = f->earlier;
    if (!e || e->n == e->cap) {
        uint32_t cap = e ? e->cap * 2 + 1 : 1; /* 1, 3, 7, 15, 31 */
        f->earlier = sb_realloc_or_die(e, sizeof *e + cap * sizeof *e->at);
        if (!e)
            *f->earlier = (struct sb_earlier_intervals){0};
        e = f->earlier;
        e->cap = cap;
    }
    e->at[e->n++] = f->latest;
}

void
sb_call_was_active(struct sb_call_function *f, int64_t start, int64_t end)
{
    struct sb_interval now = {start, end, end - start, 1};
    int64_t join_ns = f->earlier ? f->earlier->join_ns : 0;
    bool overlaps = start < f->latest.end; /* stamps that run backwards */
    if (f->latest.count > 0 && (overlaps || end - f->latest.start <= join_ns)) {
        join(&f->latest, &now);
        return;
    }
    if (f->latest.count > 0)
        keep_latest(f);
    f->latest = now;
    if (f->earlier && f->earlier->n + 1 == SB_CALLS_INTERVALS)
        join_intervals(f);
}
