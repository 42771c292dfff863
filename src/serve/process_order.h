/*
 * Orders of the processes, kept for scrolling: which rows of the table `process` meet a filter, sorted by a
 * column. A table of a million rows is sorted once and then answered a page at a time. The last few orders
 * are kept; any thread may ask.
 */
#ifndef SB_SERVE_PROCESS_ORDER_H
#define SB_SERVE_PROCESS_ORDER_H
#include "profile/profile.h"

struct sb_process_order;

struct sb_process_order_key {
    unsigned column; /* of process */
    /* another column, to sort by what there is of the first for each; -1: none */
    int over;
    bool down;                    /* largest first; NULLs are last either way */
    struct sb_str find;           /* words, as answer/search.h has them, in pid, name, label, entry */
    int64_t group, parent;        /* SB_NULL: any */
    int64_t alive_from, alive_to; /* lived at some moment of it */
    bool within;                  /* times in a state are those of that window, not of the whole run */
};

struct sb_process_order *sb_process_order_open(void);
void sb_process_order_close(struct sb_process_order *o);
/* Copies rows [from, from + n) of the order into `row`; returns how many there are in all. */
uint64_t sb_process_order_rows(struct sb_process_order *o, const struct sb_profile *p,
                               const struct sb_process_order_key *k, uint64_t from, size_t *n, uint64_t *row);

#endif
