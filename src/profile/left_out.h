/* The processes that a recording of some processes left out: what they did, and so what the schedulers did, is
 * unknown. */
#ifndef SB_PROFILE_LEFT_OUT_H
#define SB_PROFILE_LEFT_OUT_H
#include "profile/profile.h"

/* Returns how many processes of the node existed when the recording began, and were not recorded. `node` is a node.id;
 * 0 stands for all traced nodes. */
int64_t sb_left_out(const struct sb_profile *p, int64_t node);

#endif
