/* Scheduler threads: rows of the table scheduler, numbered in an order that depends on the data alone. */
#pragma once
#include "engine/state/run.h"

/* OTP records a number without a kind: 1 and above are normal schedulers, 0 is any other thread (such as a
 * dirty scheduler). */
static inline sb_lane
sb_lane_plain(sb_lane lane)
{
    return lane != SB_LANE_NONE && sb_lane_kind(lane) == SB_LANE_UNKNOWN && lane != 0
               ? sb_lane_make(SB_LANE_NORMAL, sb_lane_number(lane))
               : lane;
}
static inline uint32_t
sb_lane_key(sb_actor on, sb_lane plain)
{
    return sb_actor_node(on) << 16 | plain;
}

static inline unsigned
sb_lane_place(uint32_t key)
{
    return (key ^ key >> 6) & 255; /* spreads lanes with the same number and different kinds */
}

struct sb_scheduler_id sb_lane_find(const struct sb_run *r, uint32_t key);

static inline struct sb_scheduler_id
sb_lane_id(const struct sb_run *r, sb_actor on, sb_lane plain)
{
    uint32_t key = sb_lane_key(on, plain);
    unsigned at = sb_lane_place(key);
    if (plain == SB_LANE_NONE)
        return (struct sb_scheduler_id){0};
    if (r->lanes.known[at].id && r->lanes.known[at].key == key)
        return (struct sb_scheduler_id){r->lanes.known[at].id};
    return sb_lane_find(r, key);
}
/* Records a lane that the events of a window, which come in any order, mention for the first time. Called
 * before the passes of the window. */
void sb_lanes_meet(struct sb_part *x, uint32_t key, int64_t at);
static inline void
sb_lanes_note(struct sb_part *x, const struct sb_event *ev)
{
    sb_lane lane = sb_lane_plain(ev->lane);
    uint32_t key = sb_lane_key(ev->who, lane);
    if (lane != SB_LANE_NONE && x->lanes.known[key % SB_LANES_KNOWN] != key + 1)
        sb_lanes_meet(x, key, ev->at_ns);
}
void sb_lanes_window(struct sb_run *r);
/* Adds the schedulers that a source lists, whether or not they have events. */
void sb_lanes_known(struct sb_run *r, unsigned node, const struct sb_source_info *info);

/* Takes an event of system_profile about a scheduler, in order of time. */
void sb_lanes_activity(struct sb_run *r, const struct sb_event *ev);
void
sb_lanes_finish(struct sb_run *r); /* schedulers that are active are so up to the end of their node's trace */
void sb_lanes_close(struct sb_lanes *l);
