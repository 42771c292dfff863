/*
 * How far apart the clocks of several nodes can be, from bounds between pairs of them. A bound is a
 * difference constraint: clock b - clock a <= most(a, b). Bounds add up along a path, so the tightest bound
 * of a pair is the shortest path between its nodes:
 *
 *            +10                            n3 - n1 <= 10 + 7, though no message went from n1 to n3
 *     n1 ----------> n2 --(+7)--> n3
 *
 * A cycle of negative length is a contradiction: no constant offsets satisfy its bounds. Either the clocks
 * drift apart or two messages were taken for one. Then all bounds of the nodes that reach each other are
 * widened by the least amount that removes every such cycle, and no error is claimed for these nodes.
 */
#ifndef SB_ENGINE_CLOCK_BOUNDS_H
#define SB_ENGINE_CLOCK_BOUNDS_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sb_clock {
    int64_t guess_ns; /* given: how far it is ahead of the first, if no bound says otherwise */
    int64_t ahead_ns; /* found: how far it is ahead of the first, within all bounds */
    /* the truth is not further from it than this; SB_NULL: not bounded on both sides */
    int64_t error_ns;
    int64_t low_ns, high_ns; /* within which the truth is, where error_ns is known */
    int64_t drift_ns;        /* the bounds of its nodes contradict each other by this much; 0: they do not */
};

struct sb_clock_bounds {
    size_t n;
    __int128 *most; /* n x n */
};
void sb_clock_bounds_init(struct sb_clock_bounds *b, size_t n); /* nothing is bounded */
void sb_clock_bounds_close(struct sb_clock_bounds *b);
void sb_clock_bounds_add(struct sb_clock_bounds *b, size_t from, size_t to, __int128 most_ns);
bool sb_clock_bounds_allow(const struct sb_clock_bounds *b,
                           const struct sb_clock *clock); /* no bound as added excludes them */
/* Finds all n clocks at once; the bounds are used up. */
void sb_clock_bounds_solve(struct sb_clock_bounds *b, struct sb_clock *clock);

#endif
