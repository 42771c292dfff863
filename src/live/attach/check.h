/* Decides, before anything is recorded, whether a node can be recorded from here and is fit for it. */
#pragma once
#include "live/attach/peer.h"

/* Whether the rings of the node can be read from here: it runs on this machine, in no container of its own, and this
 * user may look at it. */
bool sb_check_is_here(const struct sb_peer_facts *f);
/* Returns why the tracer, which is machine code, cannot be loaded there: it was not built for that architecture and C
 * library, or there is no folder that may hold code. NULL: it can. `*priv` is the folder of the libraries, which
 * becomes that of those for another platform (`make CROSS=aarch64-linux-gnu`) where the node needs these. */
const char *sb_check_obstacle(const struct sb_peer_facts *f, const char **priv, struct sb_arena *a);
/* Refuses a node in trouble: long run queues, little memory, or tables that are nearly full. */
bool sb_check_health(const struct sb_peer_facts *f, uint64_t buffer, struct sb_err *e);
