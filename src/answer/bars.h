/* Small pictures for the terminal: one bar per bucket, U+2581 to U+2588. Zero looks different from a small
 * value. */
#pragma once
#include "base/arena.h"

/* share[i] of 1; 0 is a blank, more is at least the lowest bar, and only 1 is the full one */
struct sb_str sb_bars(const double *share, size_t n, struct sb_arena *a);
struct sb_str sb_bar_line(double share, size_t width, struct sb_arena *a); /* a horizontal bar */
