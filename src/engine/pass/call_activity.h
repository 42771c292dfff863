/* The times at which a function was active: a bounded list of disjoint intervals, joined when the list is
 * full. */
#pragma once
#include "engine/pass/call_state.h"

void sb_call_was_active(struct sb_call_function *f, int64_t start, int64_t end);
/* Fills `all` in time order and returns the number of intervals. */
size_t sb_call_activity(const struct sb_call_function *f, struct sb_interval all[SB_CALLS_INTERVALS]);
