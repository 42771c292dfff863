/* The top processes by each of eight measures: run time, waiting, messages sent and so on. */
#include "answer/answer.h"

static bool ask_top(const struct sb_ask *ask, struct sb_table *t, struct sb_err *e);

static const struct sb_column columns[] = {
    {"by", SB_TEXT, SB_U_NONE, "measure that the list is ordered by"},
    {"rank", SB_INT, SB_U_COUNT, "position in the list, from 1"},
    {"process", SB_TEXT, SB_U_NONE, "registered name, label or entry"},
    {"value", SB_TEXT, SB_U_NONE, "the value with its unit"},
    {"raw", SB_INT, SB_U_NONE, "the value in ns, messages or words"},
    {"life_ppm", SB_INT, SB_U_PPM, "value as a share of the life of the process; for times only"},
    {"id", SB_INT, SB_U_ID, "process.id"},
    {"pid", SB_TEXT, SB_U_NONE, "<0.N.S>"},
    {0},
};

const struct sb_answer sb_answer_top = {
    .name = "top",
    .title = "Top processes by eight measures",
    .whole_run = "strobe report P processes --since T --until T shows the time of each process in each state "
                 "in that range",
    .doc = "The first processes (--limit N, 10) by each of: run time, waiting, waiting to run, "
           "garbage collection, messages and their sizes.",
    .needs = "--trace all",
    .ask = ask_top,
    .limit = 10,
    .column = columns,
    .narrow = "by,rank,process,value,pid",
    .hide = "raw,id",
    .own_limit = true,
};

enum { BY, RANK, PROCESS, VALUE, RAW, SHARE, ID, PID, N_COLUMNS };

static const struct order {
    const char *by, *value;
    enum sb_unit unit;
} orders[] = {
    {"run time", "run_ns", SB_U_NS},
    {"waiting", "wait_ns", SB_U_NS},
    {"waiting to run", "runnable_ns", SB_U_NS},
    {"garbage collection", "gc_ns", SB_U_NS},
    {"messages received", "receives", SB_U_COUNT},
    {"messages sent", "sends", SB_U_COUNT},
    {"mean size received", "receive_words / nullif(receives, 0)", SB_U_WORDS},
    {"mean size sent", "send_words / nullif(sends, 0)", SB_U_WORDS},
};

static struct sb_str
among(const struct sb_ask *ask, const int64_t *ids, size_t n)
{
    struct sb_str list = SB_STR("");
    for (size_t i = 0; i < n; i++)
        list = sb_arena_printf(ask->arena, "%.*s%s%lld", SB_STR_ARG(list), i ? "," : "AND id IN (",
                               (long long)ids[i]);
    return n ? sb_arena_printf(ask->arena, "%.*s)", SB_STR_ARG(list)) : list;
}

static bool
put_order(const struct sb_ask *ask, const struct order *o, struct sb_str chosen, uint64_t n,
          struct sb_table *t, struct sb_err *e)
{
    struct sb_table found;
    struct sb_sql_value span = {":span", false, INT64_MAX, {0}};
    struct sb_str sql = sb_arena_printf(ask->arena,
                                        "SELECT who(p.id), c.value, CAST(c.value * 1e6 / "
                                        "nullif(coalesce(p.\"end\", p.last_seen) - coalesce(p.start, "
                                        "p.first_seen, 0), 0) AS INTEGER), p.id, p.pid FROM (SELECT id, %s "
                                        "AS value FROM process WHERE %s > 0 %.*s ORDER "
                                        "BY value DESC, id LIMIT %llu) c CROSS JOIN process p ON p.id = c.id",
                                        o->value, o->value, SB_STR_ARG(chosen), (unsigned long long)n);
    SB_TRY(sb_sql_ask(ask->sql, sql, &span, 1, NULL, ask->arena, &found, e));
    for (size_t r = 0; r < found.n_rows; r++) {
        const union sb_cell *from = &found.cell[r * found.n_columns];
        union sb_cell *c = sb_table_row(t);
        char text[64];
        c[BY].s = sb_str_of(o->by);
        c[RANK].i = (int64_t)r + 1;
        c[PROCESS].s = from[0].s;
        c[RAW].i = from[1].i;
        sb_human(text, sizeof text, c[RAW].i, o->unit);
        c[VALUE].s = sb_arena_printf(ask->arena, "%9s", text);
        c[SHARE].i = o->unit == SB_U_NS ? from[2].i : SB_NULL;
        c[ID].i = from[3].i;
        c[PID].s = from[4].s;
    }
    return true;
}

static bool
ask_top(const struct sb_ask *ask, struct sb_table *t, struct sb_err *e)
{
    enum { EACH = 10 };
    int64_t *ids;
    size_t n_ids;
    SB_TRY(sb_answer_chosen(ask, &ids, &n_ids, e));
    struct sb_str chosen = among(ask, ids, n_ids);
    uint64_t n = ask->q->limit > 0 ? ask->q->limit : EACH;
    sb_table_init(t, ask->arena, columns, N_COLUMNS);
    for (size_t i = 0; i < sizeof orders / sizeof orders[0]; i++)
        SB_TRY(put_order(ask, &orders[i], chosen, n, t, e));
    return true;
}
