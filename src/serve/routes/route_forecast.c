/* The answer of `strobe predict`: the time on other numbers of cores, with changes to the program. */
#include "answer/answer.h"
#include "serve/route.h"

bool
sb_route_forecast(const struct sb_request *rq, struct sb_reply *r, struct sb_err *e)
{
    struct sb_question q = {
        .since_ns = SB_NULL,
        .until_ns = SB_NULL,
        .what_if = {sb_request_text(rq, "cores"), sb_request_text(rq, "faster"), sb_request_text(rq, "split"),
                    sb_request_text(rq, "free")},
    };
    struct sb_ask ask = {rq->served->profile, rq->sql, &q, rq->arena};
    return sb_answer_run(&sb_answer_forecast, &ask, sb_reply_room(r, "forecast"), e);
}
