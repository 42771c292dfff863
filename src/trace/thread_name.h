/* Which thread of the VM a name of the operating system stands for. */
#ifndef SB_TRACE_THREAD_NAME_H
#define SB_TRACE_THREAD_NAME_H
#include "base/str.h"
#include "trace/event.h"

/* SB_LANE_NONE for a thread that is no scheduler: aux, poll, async, signal dispatcher, or a thread of a driver. */
sb_lane sb_thread_lane(struct sb_str name);

#endif
