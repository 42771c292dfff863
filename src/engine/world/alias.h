/*
 * Who an alias belongs to, in traces that tell its reference only (those of OTP): whoever was the first to
 * send a message with it in. Most are answered at once and never again, so of those that nobody asks for the
 * oldest are forgotten. Within a node alone: which trace of several tells first depends on their clocks.
 */
#ifndef SB_ENGINE_ALIAS_H
#define SB_ENGINE_ALIAS_H
#include "base/map.h"
#include "base/vec.h"
#include "trace/event.h"

struct sb_aliases {
    struct sb_alias_age {
        struct sb_map place_of; /* node << 32 | alias -> index */
        SB_VEC(sb_actor) owner;
    } young, old;
};

void sb_aliases_close(struct sb_aliases *a);
void sb_alias_seen(struct sb_aliases *a, uint32_t alias, sb_actor who);       /* it sends it to somebody */
sb_actor sb_alias_owner(struct sb_aliases *a, unsigned node, uint32_t alias); /* 0: nobody is known */

#endif
