/* Tells a node that has ended from one that refuses a connection or drops it. */
#ifndef SB_LIVE_ATTACH_ENDED_H
#define SB_LIVE_ATTACH_ENDED_H
#include "live/attach/target.h"

/*
 * To be asked when a connection failed or was lost. True: the node's port takes no connections any more, and the error
 * says so. Waits two seconds at most, for a process that is on its way out.
 */
bool sb_target_has_ended(const struct sb_target *t, struct sb_err *e);

#endif
