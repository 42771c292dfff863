/*
 * The times by state of a process within a range, as the columns of its row in table process.
 * One thread at a time.
 */
#pragma once
#include "profile/range.h"

struct sb_within;
struct sb_within *sb_within_open(const struct sb_profile *p, struct sb_range range);
void sb_within_close(struct sb_within *w);
bool sb_within_has(unsigned column); /* whether a column of table process is a time by state */
/* Returns the value of such a column within the range; `whole`, the value of the row, for NULL and other
   columns. */
int64_t sb_within_value(struct sb_within *w, int64_t process, unsigned column, int64_t whole);
