#include "answer/answer.h"

static const struct sb_column columns[] = {
    {"process", SB_TEXT, SB_U_NONE, "process that waited"},
    {"processes", SB_INT, SB_U_COUNT,
     "number of processes with the same name or entry (text shows them in one row; --process shows each)"},
    {SB_OF(wait, function)},
    {SB_OF(wait, count)},
    {SB_OF(wait, total_ns)},
    {"mean_ns", SB_INT, SB_U_NS, "average wait"},
    {SB_OF(wait, max_ns)},
    {SB_OF(wait, stddev_ns)},
    {"id", SB_INT, SB_U_ID, "process.id"},
    {"pid", SB_TEXT, SB_U_NONE, "<0.N.S>"},
    {"node", SB_INT, SB_U_ID, "node.id"},
    {0},
};

const struct sb_answer sb_answer_waits = {
    .name = "waits",
    .title = "Where processes wait",
    .ordered = "by total time",
    .doc = "One row per process and the function in which it was scheduled out to wait. In a range of time, "
           "a wait counts with its part in the range.",
    .needs = "--trace running",
    .limit = 20,
    .sql = "SELECT who(w.process) AS process, w.function, w.count, w.total_ns, w.total_ns / w.count AS "
           "mean_ns, w.max_ns, w.stddev_ns, w.process AS id, pid(w.process) AS pid, {node:w.process} AS node "
           "FROM (SELECT r FROM (SELECT rowid AS r, *, total_ns / count AS mean_ns FROM wait WHERE "
           "{among:process}) {order}) c CROSS JOIN wait w ON w.rowid = c.r",
    .sql_between =
        "SELECT who(process) AS process, function, count, total_ns, total_ns / count AS mean_ns, max_ns, "
        "process AS id, pid(process) AS pid, {node:process} AS node FROM (SELECT *, total_ns / count AS "
        "mean_ns FROM wait_by WHERE t0 = :since AND t1 = :until AND {among:process} {order})",
    .sql_folded = "SELECT who(p.id) AS process, count(*) AS "
                  "processes, w.function, sum(w.count) AS count, sum(w.total_ns) AS total_ns, "
                  "sum(w.total_ns) / sum(w.count) AS mean_ns, max(w.max_ns) AS max_ns, p.node FROM wait w "
                  "CROSS JOIN process p ON p.id = w.process GROUP BY 1, 3, p.node",
    .count = "SELECT count(*) FROM wait WHERE {among:process}",
    .order = "total_ns",
    .column = columns,
    .narrow = "process,processes,function,total_ns,mean_ns,max_ns",
    .hide = "id,node",
};
