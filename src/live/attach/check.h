/* Decides, before anything is recorded, whether a node can be recorded from here and is fit for it. */
#ifndef SB_LIVE_ATTACH_CHECK_H
#define SB_LIVE_ATTACH_CHECK_H
#include "live/attach/peer.h"

/* Whether the rings of the node can be read from here: it runs on this machine, in no container of its own, and this
 * user may look at it. */
bool sb_check_is_here(const struct sb_peer_facts *f);
/* Returns why the tracer, which is machine code, cannot be loaded there: another architecture or C library, or no
 * folder that may hold code. NULL: it can. */
const char *sb_check_obstacle(const struct sb_peer_facts *f, struct sb_arena *a);
/* Refuses a node in trouble: long run queues, little memory, or tables that are nearly full. */
bool sb_check_health(const struct sb_peer_facts *f, uint64_t buffer, struct sb_err *e);

#endif
