/*
 * The process that runs on each scheduler, in time order, for traces that lost events. A scheduler runs one
 * process at a time: an `in` of another process shows that the one before was scheduled out and that its
 * `out` was lost.
 */
#pragma once
#include "base/map.h"
#include "base/vec.h"
#include "trace/event.h"

struct sb_occupant {
    sb_actor who;
    int64_t since;
};
struct sb_occupants {
    struct sb_map of; /* node, lane, and whether the actor is a port -> index */
    SB_VEC(struct sb_occupant) at;
};
void sb_occupants_close(struct sb_occupants *o);
/* Handles an `in`. Returns the process or port whose stay it ends, or 0. */
sb_actor sb_occupants_enter(struct sb_occupants *o, const struct sb_event *in);
