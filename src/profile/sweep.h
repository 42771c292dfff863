/*
 * A sweep over spans of a profile's tables in time order, in windows that are small enough to sort their starts
 * and ends in memory. Zone maps find the blocks that overlap a window. A span that crosses the border of a
 * window is cut there: it ends and begins again at that moment.
 */
#pragma once
#include "base/sort.h"
#include "base/vec.h"
#include "profile/profile.h"

enum { SB_SWEEP_COLUMNS = 10 };
struct sb_sweep;

/* A table whose rows are spans of time: `start`, and the columns that follow it. */
struct sb_sweep_spans {
    enum sb_tab tab;
    unsigned col[SB_SWEEP_COLUMNS]; /* start first, then the columns that make up its duration */
    unsigned n_lengths, n_columns;
    void (*put)(struct sb_sweep *x, const int64_t *row); /* calls sb_sweep_put for what matters in the row */
};

typedef SB_VEC(struct sb_sort_key) sb_sweep_changes; /* key: ns from the window's start */

struct sb_sweep {
    const struct sb_profile *profile;
    const struct sb_sweep_spans *spans;
    size_t n_spans;
    bool is_told;   /* to who watches the profile */
    size_t at_once; /* approximate number of changes per window, up to four times as many; 0: the default */
    void *ctx;
    void (*change)(void *ctx, int64_t at, uint64_t value, bool begins);

    int64_t t0, t1; /* of the window; the sweep sets what follows */
    sb_sweep_changes v, spare;
};
/* Calls `change` for every start and end in [t0, t1), by time. */
void sb_sweep_run(struct sb_sweep *x, int64_t t0, int64_t t1);
/* For `put`: a span, or a moment, which only begins. `value` is below 2^63. */
void sb_sweep_put(struct sb_sweep *x, int64_t from, int64_t to, uint64_t value);
void sb_sweep_put_moment(struct sb_sweep *x, int64_t at, uint64_t value);
/* at + dur; a negative or unknown duration counts as 0, and nothing overflows */
int64_t sb_sweep_after(int64_t at, int64_t dur);
