#include "answer/answer.h"

static const struct sb_column columns[] = {
    {"share", SB_REAL, SB_U_PERCENT, "per cent of the time of all normal schedulers"},
    {"ns", SB_INT, SB_U_NS, "summed over the schedulers"},
    {"part", SB_TEXT, SB_U_NONE,
     "as in table account; dirty_cpu and dirty_io are beside it and have no share"},
    {"of", SB_TEXT, SB_U_NONE,
     "what everything waited for: a process, several of one name, or timer, port, dirty, node"},
    {"what", SB_TEXT, SB_U_NONE, "the part in words"},
    {"node", SB_TEXT, SB_U_NONE, "name, if there are several nodes"},
    {"id", SB_INT, SB_U_ID, "process.id of `of`, if it is one"},
    {0},
};

#define MANY_NODES "(SELECT count(*) FROM node WHERE trace_start IS NOT NULL) > 1"
#define PART(id, name, words) " WHEN '" name "' THEN '" words "'"

static const char statement[] =
    "WITH a AS (SELECT node, part, coalesce(who(process), of) AS of, sum(share) AS share, sum(ns) AS ns, "
    "count(*) AS rows, max(process) AS process FROM account GROUP BY 1, 2, 3) SELECT a.share, a.ns, a.part, "
    "a.of, CASE WHEN a.part = 'process' AND a.process IS NULL THEN 'idle: fewer processes at work than "
    "schedulers' WHEN a.part = 'process' THEN 'idle: all wait for ' || a.of || iif(a.rows > 1, ' (' || "
    "a.rows || ' processes)', '') WHEN a.part = 'outside' AND a.of = 'timer' THEN 'idle: all wait, the next "
    "for a timer' WHEN a.part = 'outside' AND a.of = 'port' THEN 'idle: all wait for a port' WHEN a.part = "
    "'outside' AND a.of = 'dirty' THEN 'idle: all wait for a dirty scheduler' WHEN a.part = 'outside' AND "
    "a.of = 'node' THEN 'idle: all wait for another node' ELSE CASE a.part"
#include "why/account/account_parts.def"
    " END END AS what, CASE WHEN " MANY_NODES
    " THEN (SELECT name FROM node n WHERE n.id = a.node) END AS node, iif(a.rows = 1, a.process, NULL) AS id "
    "FROM a UNION ALL SELECT NULL, sum(slice_ns), kind, NULL, CASE kind WHEN 'dirty_cpu' THEN 'on dirty CPU "
    "schedulers, beside the rest' ELSE 'on dirty I/O schedulers, beside the rest' END, CASE WHEN " MANY_NODES
    " THEN (SELECT name FROM node n WHERE n.id = s.node) END, NULL FROM scheduler s WHERE kind IN "
    "('dirty_cpu', 'dirty_io') GROUP BY node, kind HAVING sum(slice_ns) > 0 ORDER BY share DESC";

static bool ask_why(const struct sb_ask *ask, struct sb_table *t, struct sb_err *e);

const struct sb_answer sb_answer_why = {
    .name = "why",
    .title = "Where the time of the schedulers went",
    .whole_run = "strobe report P schedulers --since T --until T shows the schedulers in that range",
    .of_all = true,
    .doc = "The normal schedulers times the length of the run, split into parts that add up; time on dirty "
           "schedulers is beside it.",
    .model = SB_MODEL_ACCOUNT,
    .needs = "--trace running; the trace must state the number of schedulers",
    .limit = 24,
    .ask = ask_why,
    .order = "share",
    .column = columns,
    .narrow = "share,ns,what",
    .hide = "id,part,of",
    .whole = "what",
};

/* Names in the sentences are as Elixir writes them, in every format. */
static bool
ask_why(const struct sb_ask *ask, struct sb_table *t, struct sb_err *e)
{
    enum { WHAT = 4 };
    SB_TRY(sb_sql_ask(ask->sql, sb_str_of(statement), NULL, 0, NULL, ask->arena, t, e));
    for (size_t r = 0; r < t->n_rows; r++) {
        union sb_cell *c = &t->cell[r * t->n_columns + WHAT];
        c->s = sb_elixir_sentence(c->s, ask->arena);
    }
    return true;
}
