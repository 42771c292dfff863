/* Maps the name of an operating system thread to a thread of the VM. */
#pragma once
#include "base/str.h"
#include "trace/event.h"

/* Returns SB_LANE_NONE for a thread that is not a scheduler: aux, poll, async, signal dispatcher, or of a
 * driver. */
sb_lane sb_thread_lane(struct sb_str name);
