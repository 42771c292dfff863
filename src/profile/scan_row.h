/*
 * A scan, a row at a time:
 *     for (size_t i = 0; sb_scan_row(&s, &i); i++) use(s.value[start][i], s.row[i]);
 */
#ifndef SB_PROFILE_SCAN_ROW_H
#define SB_PROFILE_SCAN_ROW_H
#include "profile/profile.h"

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

#endif
