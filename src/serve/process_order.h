/*
 * Orders of the processes: the rows of the table `process` that meet a filter, sorted by a column. A table of
 * a million rows is sorted once and then read a page at a time. The last few orders are cached; any thread
 * may ask.
 */
#pragma once
#include "profile/range.h"

struct sb_process_order;

struct sb_process_order_key {
    unsigned column; /* of process */
    /* a divisor: sort by the mean of the first column over this one; -1: none */
    int over;
    bool down;             /* largest first; NULLs are last either way */
    struct sb_str find;    /* words, as answer/search.h has them, in pid, name, label, entry */
    int64_t group, parent; /* SB_NULL: any */
    struct sb_range range; /* alive at some moment of it */
    bool within;           /* times by state are those of the range, not of the whole run */
};

struct sb_process_order *sb_process_order_open(void);
void sb_process_order_close(struct sb_process_order *o);
/* Copies rows [from, from + n) of the order into `row`; returns their total number. */
uint64_t sb_process_order_rows(struct sb_process_order *o, const struct sb_profile *p,
                               const struct sb_process_order_key *k, uint64_t from, size_t *n, uint64_t *row);
