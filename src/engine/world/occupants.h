/*
 * Who runs on which scheduler, in time order over all processes of a trace that lost events. A scheduler runs
 * one process at a time: when another is scheduled in on it, the one before has been scheduled out, and that
 * event was lost.
 */
#ifndef SB_ENGINE_OCCUPANTS_H
#define SB_ENGINE_OCCUPANTS_H
#include "base/map.h"
#include "base/vec.h"
#include "trace/event.h"

struct sb_occupant {
    sb_actor who;
    int64_t since;
};
struct sb_occupants {
    struct sb_map of; /* node, lane, and whether it is a port's -> index */
    SB_VEC(struct sb_occupant) at;
};
void sb_occupants_close(struct sb_occupants *o);
/* Takes an `in`; whose stay it shows to be over: 0: nobody's. */
sb_actor sb_occupants_enter(struct sb_occupants *o, const struct sb_event *in);

#endif
