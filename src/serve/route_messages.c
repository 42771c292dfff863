/*
 * Who sends how much to whom, between processes, groups, schedulers or nodes. Over the whole run the
 * profile's edges answer; inside a window the messages themselves are added up, where they were kept.
 */
#include "base/sort.h"
#include "serve/people.h"
#include "serve/route.h"

enum level { BY_PROCESS, BY_GROUP, BY_SCHEDULER, BY_NODE };
enum { MOST_EDGES = 4000 };

struct edge {
    int64_t from, to, count, words, max_words, ext_bytes, matched, latency_ns, max_latency_ns;
};

struct edges {
    const struct sb_book *book;
    enum level level;
    int64_t t0, t1;
    struct sb_map only; /* edges that touch one of these processes; empty: all */
    struct sb_map at;   /* from and to, mixed, to an index */
    SB_VEC(struct edge) v;
};

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

static int64_t
end_of(const struct edges *x, int64_t process)
{
    return x->level == BY_GROUP ? sb_book_group(x->book, process) : process;
}

static bool
is_wanted(const struct edges *x, int64_t a, int64_t b)
{
    return x->only.n == 0 || (a > 0 && sb_map_get(&x->only, (uint64_t)a)) ||
           (b > 0 && sb_map_get(&x->only, (uint64_t)b));
}

static void
add_known(int64_t *sum, int64_t v)
{
    if (v != SB_NULL)
        *sum = *sum == SB_NULL ? v : *sum + v;
}

static void
keep_largest(int64_t *most, int64_t v)
{
    if (v != SB_NULL && (*most == SB_NULL || v > *most))
        *most = v;
}

static void
add(struct edges *x, const struct edge *e)
{
    bool is_new;
    if (e->from == SB_NULL || e->to == SB_NULL || e->from < 0 || e->to < 0)
        return;
    uint32_t *at = sb_map_put(&x->at, (uint64_t)e->from << 32 | (uint64_t)e->to, &is_new);
    if (is_new) {
        *at = (uint32_t)x->v.n;
        *SB_PUSH(&x->v) = *e;
        return;
    }
    struct edge *sum = &x->v.at[*at];
    sum->count += e->count;
    sum->matched += e->matched;
    add_known(&sum->words, e->words);
    add_known(&sum->ext_bytes, e->ext_bytes);
    add_known(&sum->latency_ns, e->latency_ns);
    keep_largest(&sum->max_words, e->max_words);
    keep_largest(&sum->max_latency_ns, e->max_latency_ns);
}

static void
add_edges(struct edges *x)
{
    struct sb_scan s;
    sb_scan_open(&s, x->book->profile, SB_T_message_edge);
    unsigned from = sb_scan_want(&s, SB_C_message_edge__sender),
             to = sb_scan_want(&s, SB_C_message_edge__receiver),
             count = sb_scan_want(&s, SB_C_message_edge__count),
             words = sb_scan_want(&s, SB_C_message_edge__total_words),
             max = sb_scan_want(&s, SB_C_message_edge__max_words),
             ext = sb_scan_want(&s, SB_C_message_edge__total_ext_bytes),
             matched = sb_scan_want(&s, SB_C_message_edge__matched),
             lat = sb_scan_want(&s, SB_C_message_edge__latency_ns),
             max_lat = sb_scan_want(&s, SB_C_message_edge__max_latency_ns);
    while (sb_scan_next(&s))
        for (size_t i = 0; i < s.n; i++)
            if (is_wanted(x, s.value[from][i], s.value[to][i]))
                add(x, &(struct edge){end_of(x, s.value[from][i]), end_of(x, s.value[to][i]),
                                      s.value[count][i], s.value[words][i], s.value[max][i], s.value[ext][i],
                                      s.value[matched][i], s.value[lat][i], s.value[max_lat][i]});
    sb_scan_close(&s);
}

static void
add_messages(struct edges *x)
{
    struct sb_scan s;
    sb_scan_open(&s, x->book->profile, SB_T_message);
    sb_scan_where(&s, SB_C_message__sent, x->t0, x->t1);
    unsigned from = sb_scan_want(&s, SB_C_message__sender), to = sb_scan_want(&s, SB_C_message__receiver),
             sent = sb_scan_want(&s, SB_C_message__sent), received = sb_scan_want(&s, SB_C_message__received),
             words = sb_scan_want(&s, SB_C_message__words), ext = sb_scan_want(&s, SB_C_message__ext_bytes);
    while (sb_scan_next(&s))
        for (size_t i = 0; i < s.n; i++)
            if (is_wanted(x, s.value[from][i], s.value[to][i])) {
                bool both = s.value[received][i] != SB_NULL && s.value[sent][i] != SB_NULL;
                int64_t latency = both ? s.value[received][i] - s.value[sent][i] : SB_NULL;
                add(x, &(struct edge){end_of(x, s.value[from][i]), end_of(x, s.value[to][i]), 1,
                                      s.value[words][i], s.value[words][i], s.value[ext][i], both, latency,
                                      latency});
            }
    sb_scan_close(&s);
}

static void
add_table(struct edges *x, enum sb_tab tab, const unsigned column[4])
{
    struct sb_scan s;
    sb_scan_open(&s, x->book->profile, tab);
    for (unsigned c = 0; c < 4; c++)
        sb_scan_want(&s, column[c]);
    while (sb_scan_next(&s))
        for (size_t i = 0; i < s.n; i++)
            add(x, &(struct edge){s.value[0][i], s.value[1][i], s.value[2][i], s.value[3][i], SB_NULL,
                                  SB_NULL, 0, SB_NULL, SB_NULL});
    sb_scan_close(&s);
}

static void
collect(struct edges *x, bool narrowed)
{
    static const unsigned by_scheduler[] = {SB_C_scheduler_edge__from_scheduler,
                                            SB_C_scheduler_edge__to_scheduler, SB_C_scheduler_edge__count,
                                            SB_C_scheduler_edge__total_words};
    static const unsigned by_node[] = {SB_C_node_edge__from_node, SB_C_node_edge__to_node,
                                       SB_C_node_edge__count, SB_C_node_edge__total_words};
    if (x->level == BY_SCHEDULER)
        add_table(x, SB_T_scheduler_edge, by_scheduler);
    else if (x->level == BY_NODE)
        add_table(x, SB_T_node_edge, by_node);
    else if (narrowed)
        add_messages(x);
    else
        add_edges(x);
}

static int
by_count(const void *a, const void *b)
{
    const struct edge *x = a, *y = b;
    if (x->count != y->count)
        return x->count < y->count ? 1 : -1;
    return x->from != y->from ? (x->from > y->from) - (x->from < y->from) : (x->to > y->to) - (x->to < y->to);
}

static void
write_edge(const struct edge *e, struct sb_table *t)
{
    union sb_cell *c = sb_table_row(t);
    c[0].i = e->from;
    c[1].i = e->to;
    c[2].i = e->count;
    c[3].i = e->words;
    c[4].i = e->max_words;
    c[5].i = e->ext_bytes;
    c[6].i = e->matched;
    c[7].i = e->matched > 0 && e->latency_ns != SB_NULL ? e->latency_ns / e->matched : SB_NULL;
    c[8].i = e->max_latency_ns;
}

static void
write_edges(struct edges *x, int64_t min_count, int64_t min_words, int64_t n, struct sb_reply *r)
{
    struct sb_table *t = sb_reply_table(r, "edge", edge_columns, EDGE_COLUMNS);
    struct sb_people people = {0};
    int64_t messages = 0;
    if (x->v.n > 0)
        qsort(x->v.at, x->v.n, sizeof *x->v.at, by_count);
    for (size_t i = 0; i < x->v.n; i++) {
        const struct edge *e = &x->v.at[i];
        messages += e->count;
        if (e->count < min_count || (e->words != SB_NULL && e->words / e->count < min_words))
            continue;
        if (t->n_rows == (size_t)n) {
            t->rows_left_out++;
            continue;
        }
        write_edge(e, t);
        if (x->level == BY_PROCESS) {
            sb_people_add(&people, e->from);
            sb_people_add(&people, e->to);
        }
    }
    sb_people_write(&people, x->book, r);
    sb_reply_int(r, "edges", (int64_t)x->v.n);
    sb_reply_int(r, "messages", messages);
}

bool
sb_route_messages(const struct sb_request *rq, struct sb_reply *r, struct sb_err *e)
{
    struct edges x = {.book = rq->book};
    unsigned level;
    int64_t min_count, min_words, n, *id;
    size_t n_ids;
    SB_TRY(sb_request_choice(rq, "level", "process|group|scheduler|node", &level, e));
    SB_TRY(sb_request_window(rq, &x.t0, &x.t1, e));
    SB_TRY(sb_request_int(rq, "min_count", 0, INT64_MAX, 1, &min_count, e));
    SB_TRY(sb_request_int(rq, "min_words", 0, INT64_MAX, 0, &min_words, e));
    SB_TRY(sb_request_int(rq, "n", 1, MOST_EDGES, 1000, &n, e));
    SB_TRY(sb_request_ids(rq, "p", &id, &n_ids, e));
    for (size_t i = 0; i < n_ids; i++) {
        bool is_new;
        sb_map_put(&x.only, (uint64_t)id[i], &is_new);
    }
    x.level = level;
    bool kept = sb_profile_rows(rq->book->profile, SB_T_message) > 0;
    bool narrowed = kept && level <= BY_GROUP && (x.t0 > 0 || x.t1 < rq->book->end_ns);
    collect(&x, narrowed);
    write_edges(&x, min_count, min_words, n, r);
    sb_reply_bool(r, "narrowed", narrowed);
    sb_reply_bool(r, "kept", kept);
    SB_VEC_FREE(&x.v);
    sb_map_close(&x.at);
    sb_map_close(&x.only);
    return true;
}
