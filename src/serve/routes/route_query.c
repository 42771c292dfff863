/* A statement of SQL from the page. Errors advise the page's list of tables, not options. */
#include "serve/route.h"

static bool
advise(struct sb_err *e)
{
    if (e->advice[0])
        sb_err_advise(e, "%s",
                      e->code == SB_ERR_USAGE ? "the tables and their columns are listed below"
                                              : "narrow the statement by time or process");
    return false;
}

bool
sb_route_query(const struct sb_request *rq, struct sb_reply *r, struct sb_err *e)
{
    struct sb_sql_limits limits = {SB_QUERY_TIME_NS, SB_QUERY_ROWS, rq->cancelled};
    struct sb_table *t = sb_reply_room(r, "result");
    if (sb_str_trim(rq->body).n == 0)
        return sb_err_set(e, SB_ERR_INPUT, "the statement is empty") || sb_err_advise(e, "type some SQL");
    sb_reply_int(r, "limit_ns", SB_QUERY_TIME_NS);
    return sb_sql_ask(rq->sql, rq->body, NULL, 0, &limits, rq->arena, t, e) || advise(e);
}
