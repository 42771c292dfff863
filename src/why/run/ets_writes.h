/*
 * How much of the work writes to ETS tables. Without calls in the trace, the functions that processes were in when
 * their time on the scheduler was used up are samples of what they do. A short loop can always use it up in the same
 * call, so a loop that writes can look as if it never did. Calls in the trace (--module ets) show it.
 */
#pragma once
#include "profile/profile.h"

/* Returns the share of the recorded run time in slices that ended in a write to ETS, or in calls that write, whichever
 * is larger. Slices and calls of one process alone do not count. */
double sb_ets_write_share(const struct sb_profile *p);
