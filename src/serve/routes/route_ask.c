/* What a view shows at once: plain SQL, and answers about one process. A table more is a row more in ask.def. */
#include "answer/answer.h"
#include "serve/route.h"

static const struct part {
    const char *view, *table, *statement, *answer; /* one of the last two */
} parts[] = {
#define ASK(view, table, statement) {#view, #table, statement, NULL},
#define ANSWERED(view, table, answer) {#view, #table, NULL, #answer},
#define PAGE(...)
#include "serve/routes/ask.def"
#undef PAGE
#undef ANSWERED
#undef ASK
};

struct parameters {
    struct sb_range range;
    int64_t id, a, b, n;
};

static bool
read_parameters(const struct sb_request *rq, struct parameters *p, struct sb_err *e)
{
    SB_TRY(sb_request_range(rq, &p->range, e));
    SB_TRY(sb_request_int(rq, "id", (struct sb_request_limits){0, INT64_MAX, 0}, &p->id, e));
    SB_TRY(sb_request_int(rq, "a", (struct sb_request_limits){0, INT64_MAX, 0}, &p->a, e));
    SB_TRY(sb_request_int(rq, "b", (struct sb_request_limits){0, INT64_MAX, 0}, &p->b, e));
    return sb_request_int(rq, "n", (struct sb_request_limits){1, 6 * SB_QUERY_ROWS, 1000}, &p->n, e);
}

static bool
ask_sql(const struct sb_request *rq, const char *statement, const struct parameters *p, struct sb_table *t,
        struct sb_err *e)
{
    struct sb_sql_value value[] = {{.name = ":since", .i = p->range.from},
                                   {.name = ":until", .i = p->range.to},
                                   {.name = ":id", .i = p->id},
                                   {.name = ":a", .i = p->a},
                                   {.name = ":b", .i = p->b},
                                   {.name = ":n", .i = p->n},
                                   {.name = ":f", .is_text = true, .s = sb_request_text(rq, "f")}};
    struct sb_sql_limits limits = {SB_QUERY_TIME_NS, 6 * SB_QUERY_ROWS};
    return sb_sql_ask(rq->sql, sb_str_of(statement), value, sizeof value / sizeof *value, &limits, rq->arena,
                      t, e);
}

/* An answer about the process :id. It has no table where the answer refuses the range, or without such a process. */
static bool
ask_answer(const struct sb_request *rq, const struct part *part, const struct parameters *p,
           struct sb_reply *r, struct sb_err *e)
{
    struct sb_str id = sb_arena_printf(rq->arena, "%lld", (long long)p->id);
    bool whole = !sb_range_is_part(p->range);
    struct sb_question q = {.since_ns = whole ? SB_NULL : p->range.from,
                            .until_ns = whole ? SB_NULL : p->range.to,
                            .process = &id,
                            .n_process = 1,
                            .limit = (uint64_t)p->n};
    struct sb_ask ask = {rq->served->profile, rq->sql, &q, rq->arena};
    struct sb_table *t = sb_reply_room(r, part->table);
    if (sb_answer_run(sb_answer_find(sb_str_of(part->answer)), &ask, t, e))
        return true;
    r->n_tables--;
    return e->code == SB_ERR_USAGE;
}

bool
sb_route_ask(const struct sb_request *rq, struct sb_reply *r, struct sb_err *e)
{
    struct parameters p;
    bool found = false;
    SB_TRY(read_parameters(rq, &p, e));
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (sb_str_eq(rq->rest, sb_str_of(parts[i].view))) {
            found = true;
            SB_TRY(parts[i].answer
                       ? ask_answer(rq, &parts[i], &p, r, e)
                       : ask_sql(rq, parts[i].statement, &p, sb_reply_room(r, parts[i].table), e));
        }
    return found || sb_err_set(e, SB_ERR_INPUT, "there is no view '%.*s'", SB_STR_ARG(rq->rest));
}
