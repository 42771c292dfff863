/* The answers of `strobe report`: the page and the command line share them. */
#include "answer/answer.h"
#include "serve/route.h"

static bool
read_moment(const struct sb_request *rq, const char *key, int64_t *out, struct sb_err *e)
{
    struct sb_str s = sb_request_text(rq, key);
    *out = SB_NULL;
    return s.n == 0 || sb_str_to_ns(s, out) ||
           sb_err_set(e, SB_ERR_INPUT, "%s takes a time such as 20ms", key);
}

static bool
read_question(const struct sb_request *rq, struct sb_question *q, struct sb_err *e)
{
    int64_t limit, elixir;
    struct sb_str process = sb_request_text(rq, "process");
    SB_TRY(read_moment(rq, "since", &q->since_ns, e));
    SB_TRY(read_moment(rq, "until", &q->until_ns, e));
    SB_TRY(
        sb_request_int(rq, "limit", (struct sb_request_limits){0, SB_QUERY_ROWS, SB_QUERY_ROWS}, &limit, e));
    SB_TRY(sb_request_int(rq, "elixir", (struct sb_request_limits){0, 1, 0}, &elixir, e));
    struct sb_str *list = SB_NEW_N(rq->arena, struct sb_str, SB_MOST_IDS);
    while (process.n > 0 && q->n_process < SB_MOST_IDS)
        list[q->n_process++] = sb_str_cut(&process, ',');
    q->process = list;
    q->subject = sb_request_text(rq, "subject");
    q->sort = sb_request_text(rq, "sort");
    q->limit = (uint64_t)limit;
    q->elixir = elixir != 0;
    return true;
}

bool
sb_route_answer(const struct sb_request *rq, struct sb_reply *r, struct sb_err *e)
{
    struct sb_question q = {0};
    const struct sb_answer *a = sb_answer_find(rq->rest);
    if (!a)
        return sb_err_set(e, SB_ERR_INPUT, "there is no answer '%.*s'", SB_STR_ARG(rq->rest));
    SB_TRY(read_question(rq, &q, e));
    struct sb_ask ask = {rq->served->profile, rq->sql, &q, rq->arena};
    sb_reply_text(r, "title", sb_answer_title(a, NULL, rq->arena));
    sb_reply_text(r, "doc", sb_str_of(a->doc));
    sb_reply_text(r, "needs", sb_str_of(a->needs));
    return sb_answer_run(a, &ask, sb_reply_room(r, "answer"), e);
}
