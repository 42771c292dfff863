/* How much can run at one moment: what every share of "the schedulers" is divided by. */
#ifndef SB_PROFILE_CAPACITY_H
#define SB_PROFILE_CAPACITY_H
#include "profile/profile.h"

struct sb_capacity { /* all traced nodes together */
    /* normal schedulers that can hold a process at one moment: those online, or seen at work where that is more */
    int64_t schedulers;
    /* of these, so many as have a core each; the same where the cores are not known */
    int64_t able;
    /* CPU time a second that they can get, in millionths of a core: `able`, or less by a control group's quota */
    int64_t cpu_ppm;
};
void sb_capacity_find(const struct sb_profile *p, struct sb_capacity *c);

#endif
