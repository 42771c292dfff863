#include "answer/answer.h"

static const struct sb_column columns[] = {
    {SB_OF(function, calls)},
    {SB_OF(function, counted)},
    {"at_least", SB_TEXT, SB_U_NONE, "yes: calls is a lower bound, the last count is missing"},
    {"own_ppm", SB_INT, SB_U_PPM, "share of the own time of all functions"},
    {SB_OF(function, own_ns)},
    {"own_per_call_ns", SB_INT, SB_U_NS, "own_ns per recorded call"},
    {SB_OF(function, acc_ns)},
    {SB_OF(function, gc_ns)},
    {SB_OF(function, suspend_ns)},
    {SB_OF(function, words)},
    {SB_OF(function, processes)},
    {"function", SB_TEXT, SB_U_NONE, "m:f/a"},
    {"place", SB_TEXT, SB_U_NONE, "file and line of its source; NULL: unknown"},
    {SB_OF(function, id)},
    {0},
};

const struct sb_answer sb_answer_functions = {
    .name = "functions",
    .title = "Functions",
    .ordered = "by own time",
    .doc = "One row per function. Tracing has a cost per call, so small functions look slower than they are. "
           "A function with no calls was returned to, but its own call is not in the trace: it is not "
           "traced, or was called before the trace began. Then own_ns is the time from such returns to the "
           "next call, and acc_ns is unknown. When a ring is nearly full, calls of the hottest functions are "
           "only counted, in all processes: they are in calls, but times, and the figures of selected "
           "processes, are of recorded calls alone.",
    .needs = "--trace calls --module M",
    .limit = 20,
    .sql = "SELECT f.calls, iif(f.counted_from IS NULL, NULL, f.counted) AS counted, iif(f.at_least, 'yes', "
           "NULL) AS at_least, f.own_ns * 1000000 / nullif((SELECT sum(own_ns) FROM function WHERE mfa NOT "
           "IN ('suspend', 'garbage_collect')), 0) AS own_ppm, f.own_ns, f.own_ns / nullif(f.calls - "
           "coalesce(f.counted, 0), 0) AS own_per_call_ns, f.acc_ns, f.gc_ns, f.suspend_ns, f.words, "
           "f.processes, f.mfa AS function, place(f.mfa) AS place, f.id FROM function f WHERE f.mfa NOT IN "
           "('suspend', "
           "'garbage_collect')",
    .sql_among =
        "SELECT n.calls, n.own_ns * 1000000 / nullif(sum(n.own_ns) OVER (), 0) AS own_ppm, n.own_ns, "
        "n.own_ns / nullif(n.calls, 0) AS own_per_call_ns, n.acc_ns, coalesce(pseudo.gc_ns, 0) AS gc_ns, "
        "coalesce(pseudo.suspend_ns, 0) AS suspend_ns, n.processes, n.function, place(n.function) AS place "
        "FROM (SELECT mfa AS function, "
        "sum(calls) AS calls, sum(own_ns) AS own_ns, sum(function_acc_ns) AS acc_ns, count(DISTINCT process) "
        "AS processes FROM call_node WHERE {among:process} AND mfa NOT IN ('suspend', 'garbage_collect') "
        "GROUP BY mfa) n LEFT JOIN (SELECT caller, sum(CASE callee WHEN 'garbage_collect' THEN acc_ns END) "
        "AS gc_ns, sum(CASE callee WHEN 'suspend' THEN acc_ns END) AS suspend_ns FROM call_edge WHERE "
        "{among:process} AND callee IN ('suspend', 'garbage_collect') GROUP BY caller) pseudo ON "
        "pseudo.caller = n.function",
    .whole_run = "strobe report P active --since T --until T shows the functions active in that range",
    .order = "own_ns",
    .column = columns,
    .narrow = "calls,own_ppm,own_ns,acc_ns,function",
    .hide = "id",
    .worst_last = true,
};
