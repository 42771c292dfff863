/* The top processes by each of eight measures: run time, waiting, messages sent and so on. */
#include "answer/answer.h"
#include "answer/sends.h"

static const struct sb_column columns[] = {
    {"by", SB_TEXT, SB_U_NONE, "measure that the list is ordered by"},
    {"rank", SB_INT, SB_U_COUNT, "position in the list, from 1"},
    {"process", SB_TEXT, SB_U_NONE, "registered name, label or entry"},
    {"value", SB_TEXT, SB_U_NONE, "the value with its unit"},
    {"raw", SB_INT, SB_U_NONE, "the value in ns, messages or words"},
    {"life_ppm", SB_INT, SB_U_PPM,
     "value as a share of the life of the process, or of the part of it in the range; for times only"},
    {SB_OF(process, id)},
    {SB_OF(process, pid)},
    {"node", SB_INT, SB_U_ID, "node.id"},
    {0},
};

SB_ANSWER(top) = {
    .name = "top",
    .title = "Top processes by eight measures",
    .doc = "The first processes (--limit N, 10) by each of: run time, waiting, waiting to run, garbage "
           "collection, messages and their sizes.",
    .needs = "--trace all",
    .ask = answer,
    .limit = 10,
    .column = columns,
    .narrow = "by,rank,process,value,pid",
    .hide = "raw,id,node",
    .own_limit = true,
};

enum { BY, RANK, PROCESS, VALUE, RAW, SHARE, ID, PID, NODE, N_COLUMNS };

/* What the measures of a range are taken from, instead of the sums in table process */
static const char within[] =
    "WITH times AS MATERIALIZED (SELECT process AS id, running_ns + gc_ns AS run_ns, waiting_ns AS wait_ns, "
    "runnable_ns, gc_ns FROM state_by WHERE t0 = :since AND t1 = :until), received AS MATERIALIZED (SELECT "
    "receiver AS id, count(*) AS receives, sum(words) AS receive_words FROM message WHERE receiver IS NOT "
    "NULL AND " SB_RECEIVED_IN_RANGE " GROUP BY receiver), sent AS MATERIALIZED (SELECT id, count(*) AS "
    "sends, sum(words) AS send_words FROM " SB_SENDS_WITHIN " GROUP BY id) ";

static const struct order {
    const char *by, *value, *within;
    enum sb_unit unit;
} orders[] = {
    {"run time", "run_ns", "times", SB_U_NS},
    {"waiting", "wait_ns", "times", SB_U_NS},
    {"waiting to run", "runnable_ns", "times", SB_U_NS},
    {"garbage collection", "gc_ns", "times", SB_U_NS},
    {"messages received", "receives", "received", SB_U_COUNT},
    {"messages sent", "sends", "sent", SB_U_COUNT},
    {"mean size received", "receive_words / nullif(receives, 0)", "received", SB_U_WORDS},
    {"mean size sent", "send_words / nullif(sends, 0)", "sent", SB_U_WORDS},
};
enum { N_ORDERS = sizeof orders / sizeof orders[0] };

static struct sb_str
among(const struct sb_ask *ask, const int64_t *ids, size_t n)
{
    struct sb_str list = SB_STR("");
    for (size_t i = 0; i < n; i++)
        list = sb_arena_printf(ask->arena, "%.*s%s%lld", SB_STR_ARG(list), i ? "," : "AND id IN (",
                               (long long)ids[i]);
    return n ? sb_arena_printf(ask->arena, "%.*s)", SB_STR_ARG(list)) : list;
}

/* The first of each list: its index in `orders`, process.id, value */
static struct sb_str
first_of_each(const struct sb_ask *ask, struct sb_str chosen, uint64_t n, bool in_range)
{
    struct sb_str sql = SB_STR("");
    for (size_t i = 0; i < N_ORDERS; i++)
        sql = sb_arena_printf(ask->arena,
                              "%.*s%sSELECT * FROM (SELECT %zu AS list, id, %s AS value FROM %s WHERE %s > 0 "
                              "%.*s ORDER BY value DESC, id LIMIT %llu)",
                              SB_STR_ARG(sql), i > 0 ? " UNION ALL " : "", i, orders[i].value,
                              in_range ? orders[i].within : "process", orders[i].value, SB_STR_ARG(chosen),
                              (unsigned long long)n);
    return sql;
}

/* The share is of the part of its life in the range. A process whose start or end is not in the trace lives from the
 * first record of the trace, or until the last. */
static bool
find_rows(const struct sb_ask *ask, struct sb_str chosen, uint64_t n, struct sb_table *found,
          struct sb_err *e)
{
    const struct sb_question *q = ask->q;
    bool in_range = q->since_ns != SB_NULL || q->until_ns != SB_NULL;
    struct sb_str sql = sb_arena_printf(
        ask->arena,
        "%sSELECT c.list, who(p.id), c.value, CAST(c.value * 1e6 / nullif(min(coalesce(p.\"end\", "
        "n.trace_end), :until) - max(coalesce(p.start, n.trace_start), :since), 0) AS INTEGER), p.id, p.pid, "
        "p.node FROM (%.*s) c CROSS JOIN process p ON p.id = c.id LEFT JOIN node n ON n.id = p.node ORDER BY "
        "c.list, c.value DESC, p.id",
        in_range ? within : "", SB_STR_ARG(first_of_each(ask, chosen, n, in_range)));
    return sb_answer_sql(ask, sql.p, found, e);
}

static void
put_row(const struct sb_ask *ask, const union sb_cell *from, int64_t rank, struct sb_table *t)
{
    const struct order *o = &orders[from[0].i];
    union sb_cell *c = sb_table_row(t);
    c[BY].s = sb_str_of(o->by);
    c[RANK].i = rank;
    c[PROCESS].s = from[1].s;
    c[RAW].i = from[2].i;
    c[VALUE].s = sb_arena_printf(ask->arena, "%9s", sb_human(c[RAW].i, o->unit).text);
    c[SHARE].i = o->unit == SB_U_NS ? from[3].i : SB_NULL;
    c[ID].i = from[4].i;
    c[PID].s = from[5].s;
    c[NODE].i = from[6].i;
}

static bool
answer(const struct sb_ask *ask, struct sb_table *t, struct sb_err *e)
{
    enum { EACH = 10 };
    int64_t *ids, rank = 0;
    size_t n_ids;
    struct sb_table found;
    SB_TRY(sb_answer_chosen(ask, &ids, &n_ids, e));
    sb_table_init(t, ask->arena, columns, N_COLUMNS);
    SB_TRY(find_rows(ask, among(ask, ids, n_ids), ask->q->limit > 0 ? ask->q->limit : EACH, &found, e));
    for (size_t r = 0; r < found.n_rows; r++) {
        const union sb_cell *from = &found.cell[r * found.n_columns];
        rank = r > 0 && from[0].i == from[-(ptrdiff_t)found.n_columns].i ? rank + 1 : 1;
        put_row(ask, from, rank, t);
    }
    return true;
}
