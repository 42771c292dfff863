#include "answer/answer.h"

static const struct sb_column columns[] = {
    {"calls", SB_INT, SB_U_COUNT, "how often"},
    {"own_ns", SB_INT, SB_U_NS, "in the callee itself"},
    {"acc_ns", SB_INT, SB_U_NS, "with at least one such call on the stack"},
    {"processes", SB_INT, SB_U_COUNT, "in which it happened"},
    {"caller", SB_TEXT, SB_U_NONE, "m:f/a"},
    {"callee", SB_TEXT, SB_U_NONE, "m:f/a"},
    {0},
};

const struct sb_answer sb_answer_calls = {
    .name = "calls",
    .title = "Calls, by caller and callee",
    .doc = "One row a caller and callee, over all processes or those named. Times of recursive calls overlap. The "
           "calling-context tree is the table call_node.",
    .needs = "--trace calls --module M",
    .limit = 20,
    .sql = "SELECT sum(calls) AS calls, sum(own_ns) AS own_ns, sum(acc_ns) AS acc_ns, count(DISTINCT "
           "process) AS "
           "processes, caller, callee FROM call_edge WHERE {among:process} GROUP BY caller, callee",
    .whole_run = "strobe report P paths --since T --until T shows the calls that go on then",
    .order = "acc_ns",
    .column = columns,
    .narrow = "calls,own_ns,acc_ns,caller,callee",
    .worst_last = true,
};
