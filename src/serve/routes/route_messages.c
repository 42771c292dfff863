/*
 * Messages between processes, groups, schedulers or nodes. For the whole run the profile has sums; for a
 * range single messages are summed, if they were stored.
 */
#include "serve/pairs.h"
#include "serve/people.h"
#include "serve/route.h"

enum { MOST_EDGES = 4000 };

static const struct sb_column edge_columns[] = {
    {"from", SB_INT, SB_U_ID, "sender"},
    {"to", SB_INT, SB_U_ID, "receiver"},
    {"count", SB_INT, SB_U_COUNT, "messages"},
    {"words", SB_INT, SB_U_WORDS, "in all"},
    {"max_words", SB_INT, SB_U_WORDS, "of the largest"},
    {"ext_bytes", SB_INT, SB_U_BYTES, "in all, as external terms"},
    {"matched", SB_INT, SB_U_COUNT, "with both ends seen"},
    {"latency_ns", SB_INT, SB_U_NS, "mean from sent to received"},
    {"max_latency_ns", SB_INT, SB_U_NS, "longest"},
};
enum { EDGE_COLUMNS = sizeof edge_columns / sizeof *edge_columns };

static void
write_edge(const struct sb_pair *p, struct sb_table *t)
{
    SB_ROW(t, {.i = p->from}, {.i = p->to}, {.i = p->count}, {.i = p->words}, {.i = p->max_words},
           {.i = p->ext_bytes}, {.i = p->matched},
           {.i = p->matched > 0 && p->latency_ns != SB_NULL ? p->latency_ns / p->matched : SB_NULL},
           {.i = p->max_latency_ns});
}

static void
write_edges(const struct sb_pairs_question *q, const struct sb_pairs *x, struct sb_reply *r)
{
    struct sb_table *t = sb_reply_table(r, "edge", edge_columns, EDGE_COLUMNS);
    struct sb_people people = {0};
    for (size_t i = 0; i < x->v.n; i++) {
        write_edge(&x->v.at[i], t);
        if (q->level == SB_BY_PROCESS) {
            sb_people_add(&people, x->v.at[i].from);
            sb_people_add(&people, x->v.at[i].to);
        }
    }
    t->rows_left_out = x->left_out;
    sb_people_write(&people, q->rq->served, r);
    sb_reply_int(r, "edges", x->n);
    sb_reply_int(r, "messages", x->messages);
}

bool
sb_route_messages(const struct sb_request *rq, struct sb_reply *r, struct sb_err *e)
{
    struct sb_pairs_question q = {.rq = rq};
    struct sb_pairs found;
    unsigned level;
    int64_t n, *id;
    SB_TRY(sb_request_choice(rq, "level", "process|group|scheduler|node", &level, e));
    SB_TRY(sb_request_range(rq, &q.range, e));
    SB_TRY(sb_request_int(rq, "min_count", (struct sb_request_limits){0, INT64_MAX, 1}, &q.min_count, e));
    SB_TRY(sb_request_int(rq, "min_words", (struct sb_request_limits){0, INT64_MAX, 0}, &q.min_words, e));
    SB_TRY(sb_request_int(rq, "n", (struct sb_request_limits){1, MOST_EDGES, 1000}, &n, e));
    SB_TRY(sb_request_ids(rq, "p", &id, &q.n_ids, e));
    bool kept = sb_profile_rows(rq->served->profile, SB_T_message) > 0;
    q.level = (enum sb_pair_level)level;
    q.of_window = kept && level <= SB_BY_GROUP && sb_range_is_part(q.range);
    q.id = id;
    q.most = (size_t)n;
    bool ok = sb_pairs_find(&q, &found, e);
    if (ok)
        write_edges(&q, &found, r);
    sb_reply_bool(r, "narrowed", q.of_window);
    sb_reply_bool(r, "kept", kept);
    SB_VEC_FREE(&found.v);
    return ok;
}
