#include "answer/bars.h"

static size_t
put_utf8(char *to, unsigned c)
{
    to[0] = (char)(0xe0 | c >> 12);
    to[1] = (char)(0x80 | (c >> 6 & 0x3f));
    to[2] = (char)(0x80 | (c & 0x3f));
    return 3;
}

struct sb_str
sb_bars(const double *share, size_t n, struct sb_arena *a)
{
    char *p = sb_arena_alloc(a, 3 * n + 1, 1);
    size_t at = 0;
    for (size_t i = 0; i < n; i++) {
        if (!(share[i] > 0)) {
            p[at++] = ' ';
            continue;
        }
        double eighths = share[i] * 8;
        unsigned level = share[i] >= 0.999 ? 8 : eighths < 1 ? 1 : eighths > 7 ? 7 : (unsigned)eighths;
        at += put_utf8(p + at, 0x2580 + level);
    }
    return (struct sb_str){p, at};
}

struct sb_str
sb_bar_line(double share, size_t width, struct sb_arena *a)
{
    char *p = sb_arena_alloc(a, 3 * width + 4, 1);
    double eighths = (share < 0 ? 0 : share > 1 ? 1 : share) * (double)width * 8;
    size_t at = 0, full = (size_t)eighths / 8, rest = (size_t)eighths % 8;
    for (size_t i = 0; i < full; i++)
        at += put_utf8(p + at, 0x2588);
    if (rest > 0 || (share > 0 && full == 0))
        at += put_utf8(p + at, 0x2590 - (unsigned)(rest > 0 ? rest : 1));
    return (struct sb_str){p, at};
}
