/* Named statements: what a view shows that is plain SQL. A table more is a row more in ask.def. */
#include "serve/route.h"

static const struct {
    const char *view, *table, *statement;
} asks[] = {
#define ASK(view, table, statement) {#view, #table, statement},
#define PAGE(...)
#include "serve/routes/ask.def"
#undef PAGE
#undef ASK
};

bool
sb_route_ask(const struct sb_request *rq, struct sb_reply *r, struct sb_err *e)
{
    int64_t t0, t1, id, a, b, n;
    bool found = false;
    SB_TRY(sb_request_window(rq, &t0, &t1, e));
    SB_TRY(sb_request_int(rq, "id", (struct sb_request_limits){0, INT64_MAX, 0}, &id, e));
    SB_TRY(sb_request_int(rq, "a", (struct sb_request_limits){0, INT64_MAX, 0}, &a, e));
    SB_TRY(sb_request_int(rq, "b", (struct sb_request_limits){0, INT64_MAX, 0}, &b, e));
    SB_TRY(sb_request_int(rq, "n", (struct sb_request_limits){1, SB_QUERY_ROWS, 1000}, &n, e));
    struct sb_sql_value value[] = {{.name = ":t0", .i = t0},
                                   {.name = ":t1", .i = t1},
                                   {.name = ":id", .i = id},
                                   {.name = ":a", .i = a},
                                   {.name = ":b", .i = b},
                                   {.name = ":n", .i = n},
                                   {.name = ":f", .is_text = true, .s = sb_request_text(rq, "f")}};
    struct sb_sql_limits limits = {SB_QUERY_TIME_NS, 6 * SB_QUERY_ROWS};
    for (size_t i = 0; i < sizeof asks / sizeof *asks; i++)
        if (sb_str_eq(rq->rest, sb_str_of(asks[i].view))) {
            found = true;
            SB_TRY(sb_sql_ask(rq->sql, sb_str_of(asks[i].statement), value, sizeof value / sizeof *value,
                              &limits, rq->arena, sb_reply_room(r, asks[i].table), e));
        }
    return found || sb_err_set(e, SB_ERR_INPUT, "there is no view '%.*s'", SB_STR_ARG(rq->rest));
}
