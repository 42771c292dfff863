/*
 * How far apart the clocks of several nodes can be, from bounds between pairs of them. A bound is a
 * difference constraint: clock b - clock a <= most(a, b). Bounds add up along a path, so the tightest bound
 * of a pair is the shortest path between its nodes:
 *
 *            +10                            n3 - n1 <= 10 + 7, without any message from n1 to n3
 *     n1 ----------> n2 --(+7)--> n3
 *
 * A cycle of negative length is a contradiction: no constant offsets satisfy its bounds. Either the clocks
 * drift apart or two messages were mistaken for one. Then all bounds of the nodes that reach each other are
 * widened by the least amount that removes every such cycle, and no error is reported for these nodes.
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sb_clock {
    int64_t guess_ns; /* input: how far it is ahead of the first clock, if no bound says otherwise */
    int64_t ahead_ns; /* result: how far it is ahead of the first clock, within all bounds */
    /* largest possible error; SB_NULL: not bounded on both sides */
    int64_t error_ns;
    int64_t low_ns, high_ns; /* interval that holds the true value, if error_ns is known */
    int64_t drift_ns;        /* by how much the bounds of its nodes contradict each other; 0: they do not */
};

struct sb_clock_bounds {
    size_t n;
    __int128 *most; /* n x n */
};
void sb_clock_bounds_init(struct sb_clock_bounds *b, size_t n); /* without any bound */
void sb_clock_bounds_close(struct sb_clock_bounds *b);
void sb_clock_bounds_add(struct sb_clock_bounds *b, size_t from, size_t to, __int128 most_ns);
bool sb_clock_bounds_allow(const struct sb_clock_bounds *b,
                           const struct sb_clock *clock); /* whether these clocks satisfy all bounds added */
/* Finds all n clocks; destroys the bounds. */
void sb_clock_bounds_solve(struct sb_clock_bounds *b, struct sb_clock *clock);
