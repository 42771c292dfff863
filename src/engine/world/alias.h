/*
 * Finds the owner of an alias in traces that hold only its reference (those of OTP): the first process that
 * sent a message containing it. Most aliases are answered at once and never used again, so the oldest unused
 * ones are dropped. Aliases are resolved within a node only: across nodes, the first sender would depend on
 * how the clocks are aligned.
 */
#pragma once
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
/* `who` sent a message with the alias */
void sb_alias_seen(struct sb_aliases *a, uint32_t alias, sb_actor who);
sb_actor sb_alias_owner(struct sb_aliases *a, unsigned node, uint32_t alias); /* 0: unknown */
