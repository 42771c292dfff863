#include "answer/answer.h"
#include "why/run/vm_states.h"
#include <math.h>

static const struct sb_column columns[] = {
    {"share", SB_REAL, SB_U_PERCENT, "per cent of the time of all normal schedulers"},
    {"ns", SB_INT, SB_U_NS, "summed over the schedulers"},
    {"part", SB_TEXT, SB_U_NONE,
     "as in table account; dirty_cpu, dirty_io and cpu_* (by samples) are beside it and have no share"},
    {"of", SB_TEXT, SB_U_NONE,
     "what everything waited for: a process, several of one name, or timer, port, dirty, node"},
    {"what", SB_TEXT, SB_U_NONE, "the part in words"},
    {"node", SB_TEXT, SB_U_NONE, "name, if there are several nodes"},
    {"id", SB_INT, SB_U_ID, "process.id of `of`, if it is one"},
    {0},
};

enum { CPU, ID, NAME }; /* of a node */
enum { NS = 1, PART = 2, WHAT = 4, NODE = 5 };

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

SB_ANSWER(why) = {
    .name = "why",
    .title = "Where the time of the schedulers went",
    .whole_run = "strobe report P schedulers --since T --until T shows the schedulers in that range",
    .of_all = true,
    .doc = "The normal schedulers times the length of the run, split into parts that add up. Beside it: time "
           "on dirty schedulers, and what the normal ones did with their CPU time, by samples of all,cpu: "
           "each share with how far it may be off (95 %).",
    .model = SB_MODEL_ACCOUNT,
    .needs = "--trace running; the trace must state the number of schedulers",
    .limit = 24,
    .ask = answer,
    .column = columns,
    .narrow = "share,ns,what",
    .hide = "id,part,of",
    .whole = "what",
};

static const char cpu_of_nodes[] =
    "SELECT sum(t.cpu_ns), n.id, n.name FROM node n LEFT JOIN thread t ON t.node = n.id AND t.kind = "
    "'normal' WHERE n.trace_start IS NOT NULL GROUP BY n.id";

static union sb_cell
nothing(enum sb_type type)
{
    return type == SB_REAL  ? (union sb_cell){.f = NAN}
           : type == SB_INT ? (union sb_cell){.i = SB_NULL}
                            : (union sb_cell){.s = {0}};
}

static unsigned
most_of(const uint64_t of[SB_VM_STATES])
{
    unsigned most = 0;
    for (unsigned i = 1; i < SB_VM_STATES; i++)
        most = of[i] > of[most] ? i : most;
    return most;
}

/* What the normal schedulers of a node did with their CPU time: rows below that of its work. */
static void
add_states(const struct sb_vm_samples *v, const union sb_cell *node, struct sb_str name, struct sb_table *t)
{
    uint64_t of[SB_VM_STATES], n = sb_vm_states_find(v, (uint32_t)node[ID].i, of);
    for (unsigned i; n >= SB_VM_LEAST_SAMPLES && of[i = most_of(of)] > 0; of[i] = 0) {
        double share = (double)of[i] / (double)n;
        union sb_cell *c = sb_table_row(t);
        for (unsigned k = 0; k < t->n_columns; k++)
            c[k] = nothing(t->column[k].type);
        c[NS].i = node[CPU].i == SB_NULL ? SB_NULL : (int64_t)(share * (double)node[CPU].i);
        c[PART].s = sb_str_of(sb_vm_state_names[i]);
        c[WHAT].s =
            sb_arena_printf(t->arena, "CPU in %s: %.1f %% by samples (within %.1f)", sb_vm_state_words[i],
                            100 * share, (double)sb_cpu_error_ppm(of[i], n) / 1e4);
        if (t->column[NODE].type == SB_TEXT)
            c[NODE].s = name;
    }
}

/* Names in the sentences are as Elixir writes them, in every format. */
static bool
answer(const struct sb_ask *ask, struct sb_table *t, struct sb_err *e)
{
    struct sb_table all, nodes;
    struct sb_vm_samples v;
    SB_TRY(sb_answer_sql(ask, statement, &all, e));
    SB_TRY(sb_answer_sql(ask, cpu_of_nodes, &nodes, e));
    sb_vm_samples_find(ask->profile, sb_range_of(ask->profile, SB_NULL, SB_NULL), ask->arena, &v);
    sb_table_init(t, ask->arena, all.column, all.n_columns);
    sb_table_reserve(t, all.n_rows + nodes.n_rows * SB_VM_STATES + 1);
    for (size_t r = 0; r < all.n_rows; r++) {
        union sb_cell *c = sb_table_row(t);
        memcpy(c, &all.cell[r * all.n_columns], all.n_columns * sizeof *c);
        c[WHAT].s = sb_elixir_sentence(c[WHAT].s, ask->arena);
        struct sb_str node = all.column[NODE].type == SB_TEXT ? c[NODE].s : (struct sb_str){0};
        for (size_t i = 0; i < nodes.n_rows && sb_str_eq(c[PART].s, SB_STR("work")); i++) {
            const union sb_cell *of = &nodes.cell[i * nodes.n_columns];
            if (node.p && !(nodes.column[NAME].type == SB_TEXT && sb_str_eq(of[NAME].s, node)))
                continue;
            add_states(&v, of, node, t);
            break;
        }
    }
    return true;
}
