#include "profile/sweep.h"

enum { AT_ONCE = 1 << 20, RELEASE_EVERY = 16 };
#define BEGINS (UINT64_C(1) << 63)

int64_t
sb_sweep_after(int64_t at, int64_t dur)
{
    int64_t to;
    return dur <= 0 ? at : __builtin_add_overflow(at, dur, &to) ? INT64_MAX : to;
}

/* ---- the starts and ends in a window ---- */

void
sb_sweep_put(struct sb_sweep *x, int64_t from, int64_t to, uint64_t value)
{
    from = from > x->t0 ? from : x->t0;
    to = to < x->t1 ? to : x->t1;
    if (from >= to)
        return;
    *SB_PUSH(&x->v) = (struct sb_sort_key){(uint64_t)(from - x->t0), value | BEGINS};
    *SB_PUSH(&x->v) = (struct sb_sort_key){(uint64_t)(to - x->t0), value};
}

void
sb_sweep_put_moment(struct sb_sweep *x, int64_t at, uint64_t value)
{
    if (at >= x->t0 && at < x->t1)
        *SB_PUSH(&x->v) = (struct sb_sort_key){(uint64_t)(at - x->t0), value | BEGINS};
}

static bool
touches(const struct sb_sweep *x, const struct sb_sweep_spans *s, uint64_t row, uint64_t *end)
{
    struct sb_zone z = sb_profile_zone(x->profile, s->tab, s->col[0], row);
    int64_t to = z.max;
    *end = z.end;
    for (unsigned i = 1; i <= s->n_lengths; i++)
        to = sb_sweep_after(to, sb_profile_zone(x->profile, s->tab, s->col[i], row).max);
    return z.min <= z.max && z.min < x->t1 && to >= x->t0; /* a moment may be at the end of a span */
}

static void
put_block(struct sb_sweep *x, const struct sb_sweep_spans *s, uint64_t block)
{
    int64_t v[SB_SWEEP_COLUMNS][SB_BLOCK_ROWS], row[SB_SWEEP_COLUMNS];
    size_t n = 0;
    for (unsigned c = 0; c < s->n_columns; c++)
        n = sb_profile_block(x->profile, s->tab, s->col[c], block, v[c]);
    for (size_t i = 0; i < n; i++) {
        if (v[0][i] == SB_NULL || v[0][i] >= x->t1)
            continue;
        int64_t to = v[0][i];
        for (unsigned c = 1; c <= s->n_lengths; c++)
            to = sb_sweep_after(to, v[c][i]);
        if (to < x->t0)
            continue;
        for (unsigned c = 0; c < s->n_columns; c++)
            row[c] = v[c][i];
        s->put(x, row);
    }
}

/* false: they do not fit, and the window can be made smaller */
static bool
collect(struct sb_sweep *x)
{
    x->v.n = 0;
    for (size_t k = 0; k < x->n_spans; k++) {
        uint64_t rows = sb_profile_rows(x->profile, x->spans[k].tab);
        for (uint64_t at = 0, end; at < rows; at = end) {
            if (touches(x, &x->spans[k], at, &end))
                put_block(x, &x->spans[k], at / SB_BLOCK_ROWS);
            if (x->v.n > 4 * x->at_once && x->t1 - x->t0 > 1)
                return false;
        }
    }
    return true;
}

/* ---- the windows ---- */

static void
sweep_window(struct sb_sweep *x)
{
    SB_RESERVE(&x->spare, x->v.n);
    if (x->v.n > 0)
        sb_sort_radix(x->v.at, x->spare.at, x->v.n);
    for (size_t i = 0; i < x->v.n; i++)
        x->change(x->ctx, x->t0 + (int64_t)x->v.at[i].key, x->v.at[i].value & ~BEGINS,
                  (x->v.at[i].value & BEGINS) != 0);
}

/* Windows are halved until they fit, and doubled while they are nearly empty. */
static void
sweep_all(struct sb_sweep *x, int64_t t0, int64_t t1)
{
    uint64_t rows = 0;
    for (size_t k = 0; k < x->n_spans; k++)
        rows += sb_profile_rows(x->profile, x->spans[k].tab);
    int64_t wide = (int64_t)((double)sb_profile_largest(x->profile, SB_T_process, SB_C_process__last_seen) /
                             ((double)rows * 4 / (double)x->at_once + 1)) +
                   1;
    unsigned windows = 0;
    for (int64_t at = t0; at < t1; at = x->t1) {
        wide = wide < t1 - at ? wide : t1 - at;
        x->t0 = at;
        for (x->t1 = at + wide; !collect(x); x->t1 = at + wide)
            wide = (wide + 1) / 2;
        sweep_window(x);
        if (x->is_told)
            sb_profile_tell(x->profile, (uint64_t)(x->t1 - t0), (uint64_t)(t1 - t0));
        wide = x->v.n < x->at_once / 2 && wide < INT64_MAX / 2 ? 2 * wide : wide;
        if (++windows % RELEASE_EVERY == 0)
            sb_profile_release(x->profile);
    }
}

void
sb_sweep_run(struct sb_sweep *x, int64_t t0, int64_t t1)
{
    x->at_once = x->at_once ? x->at_once : AT_ONCE;
    sweep_all(x, t0, t1);
    SB_VEC_FREE(&x->v);
    SB_VEC_FREE(&x->spare);
}
