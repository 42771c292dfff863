/* How much can run at one moment: what every share of "the schedulers" is divided by. */
#ifndef SB_PROFILE_CAPACITY_H
#define SB_PROFILE_CAPACITY_H
#include "profile/profile.h"

struct sb_capacity { /* 0: the trace does not tell */
    /* normal schedulers that can hold a process at one moment: those online, or that worked where these are more */
    int64_t schedulers;
    /* of these, so many as can run at a time: no more than cores, nor than a control group's quota, rounded up */
    int64_t able;
    int64_t cpu_ppm; /* CPU time a second that they can get, in millionths of a core */
};
/* Of the node in that row of table node. */
void sb_capacity_of_node(const struct sb_profile *p, uint64_t row, struct sb_capacity *c);
/* Of all traced nodes together; 0 where one of them does not tell. */
void sb_capacity_find(const struct sb_profile *p, struct sb_capacity *c);

#endif
