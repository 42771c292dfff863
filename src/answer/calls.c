#include "answer/answer.h"

static const struct sb_column columns[] = {
    {SB_OF(call_edge, calls)},
    {SB_OF(call_edge, own_ns)},
    {SB_OF(call_edge, acc_ns)},
    {"processes", SB_INT, SB_U_COUNT, "processes with such calls"},
    {"caller", SB_TEXT, SB_U_NONE, "m:f/a"},
    {SB_OF(call_edge, callee)},
    {0},
};

const struct sb_answer sb_answer_calls = {
    .name = "calls",
    .title = "Calls, by caller and callee",
    .doc = "One row per caller and callee, over all processes or the selected ones. Times of recursive calls "
           "overlap. Table call_node has the calling-context tree.",
    .needs = "--trace calls --module M",
    .limit = 20,
    .sql =
        "SELECT sum(calls) AS calls, sum(own_ns) AS own_ns, sum(acc_ns) AS acc_ns, count(DISTINCT process) "
        "AS processes, caller, callee FROM call_edge WHERE {among:process} GROUP BY caller, callee",
    .whole_run = "strobe report P paths --since T --until T shows the calls in that range",
    .order = "acc_ns",
    .column = columns,
    .narrow = "calls,own_ns,acc_ns,caller,callee",
    .worst_last = true,
};
