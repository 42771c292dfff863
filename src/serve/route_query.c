#include "serve/route.h"

bool
sb_route_query(const struct sb_request *rq, struct sb_reply *r, struct sb_err *e)
{
    struct sb_sql_limits limits = {SB_QUERY_TIME_NS, SB_QUERY_ROWS};
    if (sb_str_trim(rq->body).n == 0)
        return sb_err_set(e, SB_ERR_INPUT, "the statement is empty") || sb_err_advise(e, "type some SQL");
    return sb_sql_ask(rq->sql, rq->body, NULL, 0, &limits, rq->arena, sb_reply_room(r, "result"), e);
}
