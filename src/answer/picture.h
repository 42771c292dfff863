/* Small pictures in the terminal: a bar a bucket, from U+2581 to U+2588. None is told apart from little. */
#ifndef SB_ANSWER_PICTURE_H
#define SB_ANSWER_PICTURE_H
#include "base/arena.h"

/* share[i] of 1; 0 is a blank, anything more at least the lowest bar, only all of it the full one */
struct sb_str sb_picture_bars(const double *share, size_t n, struct sb_arena *a);
struct sb_str sb_picture_line(double share, size_t width, struct sb_arena *a); /* a bar to the right */

#endif
