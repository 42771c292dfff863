#include "answer/answer.h"

static const struct sb_column columns[] = {
    {"calls", SB_INT, SB_U_COUNT, "number of calls"},
    {"own_ns", SB_INT, SB_U_NS, "own time of the callee"},
    {"acc_ns", SB_INT, SB_U_NS, "time with at least one such call on the stack"},
    {"processes", SB_INT, SB_U_COUNT, "processes with such calls"},
    {"caller", SB_TEXT, SB_U_NONE, "m:f/a"},
    {"callee", SB_TEXT, SB_U_NONE, "m:f/a"},
    {0},
};

const struct sb_answer sb_answer_calls = {
    .name = "calls",
    .title = "Calls, by caller and callee",
    .doc = "One row per caller and callee, over all processes or the selected ones. Times of "
           "recursive calls overlap. Table call_node has the calling-context tree.",
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
