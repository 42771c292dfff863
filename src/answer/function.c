/* One function: its own figures, its callers, its callees, and the processes that ran it. */
#include "answer/answer.h"

static const struct sb_column columns[] = {
    {"role", SB_TEXT, SB_U_NONE,
     "itself, caller, callee, process (one that ran it), or counted (calls in any process that were only "
     "counted)"},
    {"calls", SB_INT, SB_U_COUNT, "number of calls; of a callee: calls from this function"},
    {"own_ns", SB_INT, SB_U_NS, "own time of the called function"},
    {"acc_ns", SB_INT, SB_U_NS,
     "time including its callees; of a caller or callee: time with at least one such call on the stack"},
    {SB_OF(call_node, tail)},
    {"recursive", SB_INT, SB_U_COUNT, "calls folded into an outer call on the same path"},
    {SB_OF(call_node, first)},
    {SB_OF(call_node, last)},
    {"processes", SB_INT, SB_U_COUNT, "processes with such calls"},
    {"name", SB_TEXT, SB_U_NONE, "function or process"},
    {"id", SB_INT, SB_U_ID, "process.id"},
    {"pid", SB_TEXT, SB_U_NONE, "<0.N.S>"},
    {0},
};

const struct sb_answer sb_answer_function = {
    .name = "function",
    .title = "One function",
    .doc = "strobe report P function m:f/a: its own figures, its callers and callees, and the processes that "
           "ran it.",
    .whole_run = "strobe report P active --since T --until T shows the functions active in that range",
    .needs = "--trace calls --module M, and give the function as m:f/a",
    .limit = 40,
    .sql =
        "WITH n AS MATERIALIZED (SELECT process, calls, own_ns, function_acc_ns AS acc_ns, tail, recursive, "
        "first, last FROM call_node WHERE mfa = :subject AND {among:process}), e AS MATERIALIZED (SELECT "
        "process, caller, callee, calls, own_ns, acc_ns FROM call_edge WHERE {among:process}) SELECT role, "
        "calls, own_ns, acc_ns, tail, recursive, first, last, processes, name, id, pid FROM (SELECT 1 AS k, "
        "'itself' AS role, sum(calls) AS calls, sum(own_ns) AS own_ns, sum(acc_ns) AS acc_ns, sum(tail) AS "
        "tail, sum(recursive) AS recursive, min(first) AS first, max(last) AS last, count(DISTINCT process) "
        "AS processes, :subject AS name, NULL AS id, NULL AS pid FROM n HAVING count(*) > 0 UNION ALL SELECT "
        "1, 'counted', counted, NULL, NULL, NULL, NULL, counted_from, NULL, NULL, :subject, NULL, NULL FROM "
        "function WHERE mfa = :subject AND counted_from IS NOT NULL UNION ALL SELECT 2, 'caller', "
        "sum(calls), sum(own_ns), sum(acc_ns), NULL, NULL, NULL, NULL, count(DISTINCT process), caller, "
        "NULL, NULL FROM e WHERE callee = :subject GROUP BY caller UNION ALL SELECT 3, 'callee', sum(calls), "
        "sum(own_ns), sum(acc_ns), NULL, NULL, NULL, NULL, count(DISTINCT process), callee, NULL, NULL FROM "
        "e WHERE caller = :subject GROUP BY callee UNION ALL SELECT 4, 'process', sum(calls), sum(own_ns), "
        "sum(acc_ns), sum(tail), sum(recursive), min(first), max(last), NULL, who(process), process, "
        "pid(process) FROM n GROUP BY process) ORDER BY k, acc_ns DESC, name, id",
    .column = columns,
    .narrow = "role,calls,own_ns,acc_ns,name,pid",
    .hide = "id",
};
