/*
 * Level of detail of one lane: converts spans of time to cells, at most about two per pixel. The width of a
 * pixel is a power of two, and pixels start at its multiples, so a range that moves shows the same cells. A
 * span at least as long as a pixel is an exact cell. Shorter spans are summed by state in the pixel that
 * contains them, so that full, partial and empty differ, and a lone microsecond in an hour is visible.
 *
 *     spans    ▇▇▇▇▇▇▇▇▇▇▇▇▇  ▏▏ ▏   ▏           ▇▇▇▇▇▇▇▇
 *     pixels   |    |    |    |    |    |    |    |    |
 *     cells    [exact     ]   [3: 41 %]           [exact ]       merged: number, shares, the longest
 */
#pragma once
#include "base/table.h"
#include "base/vec.h"
#include "profile/state.h"

struct sb_lane_piece {
    enum sb_state state;
    int64_t start_ns, dur_ns;
    int64_t process, function; /* SB_NULL: none, unknown; function is a text id */
};

/* One cache line. Spans arrive in the order of processes, so they touch pixels in any order. */
struct sb_pixel {
    _Alignas(64) int64_t ns[SB_STATES];
    uint32_t process, function; /* of its longest span; UINT32_MAX: no process, unknown */
    uint32_t longest;           /* length of that span, in units of which a pixel has at most 2^32 */
    uint32_t count;
};

struct sb_lane {
    int64_t t0, t1, width_ns; /* of a pixel; t0 and t1 are multiples of it */
    unsigned level;           /* width_ns is 2^level */
    size_t n;
    struct sb_pixel *pixel;
    SB_VEC(struct sb_lane_piece) exact;
};

/* at most about n pixels for [t0, t1) */
void sb_lane_init(struct sb_lane *l, struct sb_arena *a, int64_t t0, int64_t t1, size_t n);
void sb_lane_close(struct sb_lane *l);
void sb_lane_reset(struct sb_lane *l);
void sb_lane_add(struct sb_lane *l, const struct sb_lane_piece *piece);
/* Prefetches the memory that a span will touch, which pays for the next spans of many lanes. */
static inline void
sb_lane_soon(const struct sb_lane *l, int64_t start_ns)
{
    if (start_ns >= l->t0 && start_ns < l->t1)
        __builtin_prefetch(&l->pixel[(start_ns - l->t0) >> l->level], 1);
}

/*
 * A cell's columns in the order of sb_lane_columns. The shares of a merged cell are one number, eight bits
 * for each state before unknown, running in the lowest: 250ths, at least one if the state occurs. Most of a
 * hundred thousand cells are merged, and six numbers for each would be most of the answer. The page reads the
 * number into a double, so it must fit in 53 bits. NULL in exact cells.
 */
enum {
    SB_LANE_C_LANE,
    SB_LANE_C_START,
    SB_LANE_C_END,
    SB_LANE_C_STATE,
    SB_LANE_C_COUNT,
    SB_LANE_C_PROCESS,
    SB_LANE_C_GROUP,
    SB_LANE_C_FUNCTION,
    SB_LANE_C_SHARES
};
int64_t sb_lane_shares(const int64_t ns[SB_STATE_UNKNOWN], int64_t width_ns);
extern const struct sb_column sb_lane_columns[];
extern const size_t sb_lane_n_columns;
struct sb_profile;
struct sb_served;
void sb_lane_write(struct sb_lane *l, int64_t lane, const struct sb_served *b, struct sb_table *t);
void sb_lane_who(union sb_cell *c, int64_t process, int64_t function, const struct sb_served *b);
