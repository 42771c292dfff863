#include "answer/answer.h"

static const struct sb_column columns[] = {
    {"direction", SB_TEXT, SB_U_NONE,
     "caller: calls the function; callee: is called by it; counted: calls of it that were only counted, "
     "callers unknown"},
    {SB_OF(call_edge, calls)},
    {SB_OF(call_edge, own_ns)},
    {SB_OF(call_edge, acc_ns)},
    {"recursive", SB_TEXT, SB_U_NONE, "yes: calls of itself; their time is part of the other rows"},
    {"processes", SB_INT, SB_U_COUNT, "processes with such calls"},
    {"function", SB_TEXT, SB_U_NONE, "the other function"},
    {0},
};

const struct sb_answer sb_answer_callers = {
    .name = "callers",
    .title = "Callers and callees",
    .doc = "strobe report P callers m:f/a: the callers and the callees of the function. Code that is not "
           "traced is skipped between two traced functions; it is shown as the caller if it has no traced "
           "caller. For functions that call each other recursively, acc_ns of several callers overlap and "
           "add up to more than that of the function.",
    .needs = "--trace calls --module M, and give the function as m:f/a",
    .limit = 40,
    .sql =
        "SELECT 'counted' AS direction, counted AS calls, NULL AS own_ns, NULL AS acc_ns, NULL AS recursive, "
        "NULL AS processes, NULL AS function FROM function WHERE mfa = :subject AND counted_from IS NOT NULL "
        "UNION ALL SELECT * FROM (SELECT direction, sum(calls) AS calls, sum(own_ns) AS own_ns, sum(acc_ns) "
        "AS acc_ns, CASE WHEN function = :subject THEN 'yes' ELSE 'no' END AS recursive, count(DISTINCT "
        "process) AS processes, function FROM (SELECT 'caller' AS direction, calls, own_ns, acc_ns, process, "
        "caller AS function FROM call_edge WHERE callee = :subject AND {among:process} UNION ALL SELECT "
        "'callee', calls, own_ns, acc_ns, process, callee FROM call_edge WHERE caller = :subject AND "
        "{among:process}) GROUP BY direction, function ORDER BY direction DESC, acc_ns DESC)",
    .whole_run = "strobe report P active --since T --until T shows the functions active in that range",
    .column = columns,
    .narrow = "direction,calls,own_ns,acc_ns,function",
};
