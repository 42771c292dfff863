/* The scheduler that a process ran on at a moment. */
#pragma once
#include "profile/profile.h"

struct sb_ran_on {
    struct sb_scan slice; /* keeps the blocks that it has decoded */
    int64_t longest_ns;
};
void sb_ran_on_open(struct sb_ran_on *r, const struct sb_profile *p);
void sb_ran_on_close(struct sb_ran_on *r);
/* Returns scheduler.id; SB_NULL: the process, or the moment, is unknown, or the process did not run then. */
int64_t sb_ran_on(struct sb_ran_on *r, int64_t process, int64_t at);
