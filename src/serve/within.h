/*
 * A process inside a window: the columns of its row that hold times in a state, as they are within [t0, t1).
 * One thread at a time.
 */
#ifndef SB_SERVE_WITHIN_H
#define SB_SERVE_WITHIN_H
#include "profile/profile.h"

struct sb_within;
struct sb_within *sb_within_open(const struct sb_profile *p, int64_t t0, int64_t t1);
void sb_within_close(struct sb_within *w);
bool sb_within_has(unsigned column); /* of table process: does it hold time in a state? */
/* The value of such a column inside the window; `whole`, what the row has, where it is NULL or no such
 * column. */
int64_t sb_within_value(struct sb_within *w, int64_t process, unsigned column, int64_t whole);

#endif
