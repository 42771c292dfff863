/* The processes that a recording of some processes left out: what they did, and so what the schedulers did, is
 * unknown. */
#pragma once
#include "profile/profile.h"

/* Returns how many processes of each node existed when the recording began, and were not recorded: by node.id; element
 * 0 is that of all traced nodes. */
int64_t *sb_left_out_find(const struct sb_profile *p, struct sb_arena *a);
