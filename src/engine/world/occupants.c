#include "engine/world/occupants.h"
#include "engine/world/lanes.h"

void
sb_occupants_close(struct sb_occupants *o)
{
    sb_map_close(&o->of);
    SB_VEC_FREE(&o->at);
}

/* OTP records one number for all threads other than normal schedulers. */
static bool
is_one_thread(sb_lane lane)
{
    return lane != SB_LANE_NONE && sb_lane_number(lane) > 0 && sb_lane_kind(lane) != SB_LANE_UNKNOWN &&
           sb_lane_kind(lane) != SB_LANE_OTHER;
}

sb_actor
sb_occupants_enter(struct sb_occupants *o, const struct sb_event *in)
{
    sb_lane lane = sb_lane_plain(in->lane);
    /* a process continues to run while it calls a port */
    bool is_port = sb_actor_kind(in->who) == SB_PORT;
    if (!is_one_thread(lane))
        return 0;
    uint64_t key = (uint64_t)is_port << 32 | sb_lane_key(in->who, lane);
    struct sb_occupant *now = SB_AT_KEY(&o->of, key, &o->at, 0, INT64_MIN), before = *now;
    *now = (struct sb_occupant){in->who, in->at_ns};
    return before.who != in->who && before.since < in->at_ns ? before.who : 0;
}
