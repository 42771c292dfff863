/* The recording of a trace that is still being written: a page asks about it twice a second. */
#include "base/progress.h"
#include "serve/route.h"

bool
sb_route_recording(const struct sb_request *rq, struct sb_reply *r, struct sb_err *e)
{
    static const char *const name[] = {
        [SB_FOLLOW_RECORDING] = "recording", [SB_FOLLOW_ENDING] = "ending", [SB_FOLLOW_ENDED] = "ended"};
    int64_t i, claimed, known_until;
    char said[SB_FOLLOW_SAID] = "";
    SB_TRY(
        sb_request_int(rq, "profile", (struct sb_request_limits){0, (int64_t)rq->profiles->n - 1, 0}, &i, e));
    SB_TRY(sb_request_int(rq, "claim", (struct sb_request_limits){0, INT64_MAX, 0}, &claimed, e));
    struct sb_listed *b = &rq->profiles->listed[i];
    /* in this order: the last edition is there before the recording is said to have ended */
    enum sb_follow_state state = b->follow ? sb_follow_state(b->follow) : SB_FOLLOW_ENDED;
    uint64_t newest = sb_editions_claim(&b->editions, (uint64_t)claimed, &known_until);
    if (b->follow)
        sb_follow_said(b->follow, said);
    sb_reply_text(r, "state", sb_str_of(b->follow ? name[state] : "none"));
    sb_reply_int(r, "edition", (int64_t)newest);
    sb_reply_int(r, "behind_ns",
                 state == SB_FOLLOW_RECORDING && known_until != SB_NULL ? sb_clock_ns() - known_until
                                                                        : SB_NULL);
    sb_reply_text(r, "said", sb_arena_str(r->arena, sb_str_of(said)));
    return true;
}
