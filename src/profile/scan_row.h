/*
 * A scan, a row at a time:
 *     SB_SCAN(s, p, slice, start, dur);
 *     for (size_t i = 0; sb_scan_row(&s, &i); i++) use(s.value[start][i], s.value[dur][i], s.row[i]);
 */
#pragma once
#include "profile/profile.h"

/* Opens the scan `s` of a table; the columns are variables, the indexes into s.value. At most eight columns. It is
 * closed at the latest where the block ends. */
#define SB_SCAN(s, p, table, ...) \
    SB_SCOPED_SCAN struct sb_scan s; \
    sb_scan_open(&s, p, SB_T_##table); \
    SB_WANT(s, table, __VA_ARGS__)
/* The same columns of a scan that is open. */
#define SB_WANT(s, table, ...) \
    unsigned SB_WANT_OF(__VA_ARGS__, 8, 7, 6, 5, 4, 3, 2, 1, )(s, table, __VA_ARGS__)
#define SB_WANT_OF(a, b, c, d, e, f, g, h, n, ...) SB_WANT_##n
#define SB_WANT_1(s, table, column) column = sb_scan_want(&s, SB_C_##table##__##column)
#define SB_WANT_2(s, table, column, ...) SB_WANT_1(s, table, column), SB_WANT_1(s, table, __VA_ARGS__)
#define SB_WANT_3(s, table, column, ...) SB_WANT_1(s, table, column), SB_WANT_2(s, table, __VA_ARGS__)
#define SB_WANT_4(s, table, column, ...) SB_WANT_1(s, table, column), SB_WANT_3(s, table, __VA_ARGS__)
#define SB_WANT_5(s, table, column, ...) SB_WANT_1(s, table, column), SB_WANT_4(s, table, __VA_ARGS__)
#define SB_WANT_6(s, table, column, ...) SB_WANT_1(s, table, column), SB_WANT_5(s, table, __VA_ARGS__)
#define SB_WANT_7(s, table, column, ...) SB_WANT_1(s, table, column), SB_WANT_6(s, table, __VA_ARGS__)
#define SB_WANT_8(s, table, column, ...) SB_WANT_1(s, table, column), SB_WANT_7(s, table, __VA_ARGS__)

/* Goes on to the next rows where `i` is behind those at hand; closes the scan after the last one. */
static inline bool
sb_scan_row(struct sb_scan *s, size_t *i)
{
    if (*i < s->n)
        return true;
    *i = 0;
    if (sb_scan_next(s))
        return true;
    sb_scan_close(s);
    return false;
}
