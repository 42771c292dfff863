/* Sum, minimum and maximum of a column, from its zones. */
#pragma once
#include "profile/profile.h"

struct sb_stats {
    uint64_t n;          /* rows that are not NULL */
    int64_t sum;         /* SB_NULL when n is 0 */
    int64_t least, most; /* likewise */
    uint64_t most_row;   /* the first row that holds `most` */
};
struct sb_stats sb_profile_stats(const struct sb_profile *p, enum sb_tab t,
                                 unsigned col); /* a column of numbers */
