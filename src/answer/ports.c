#include "answer/answer.h"

static const struct sb_column columns[] = {
    {SB_OF(port, driver)},
    {"owner", SB_TEXT, SB_U_NONE,
     "process that opened it; of an accepted socket, the process that it was handed over to"},
    {SB_OF(port, run_ns)},
    {SB_OF(port, runs)},
    {SB_OF(port, start)},
    {SB_OF(port, end)},
    {SB_OF(port, exit_reason)},
    {"node", SB_INT, SB_U_ID, "node.id"},
    {"owner_pid", SB_TEXT, SB_U_NONE, "<0.N.S>"},
    {"port", SB_TEXT, SB_U_NONE, "#Port<0.N>"},
    {SB_OF(port, id)},
    {"owner_id", SB_INT, SB_U_ID, "process.id of the owner"},
    {0},
};

#define WHOSE "p.node, pid(p.owner) AS owner_pid, p.name AS port, p.id, p.owner AS owner_id FROM port p "
#define THEIRS WHOSE "WHERE {among:owner}"
#define THEIRS_THEN WHOSE "LEFT JOIN within w ON w.port = p.id WHERE {among:owner} AND " SB_LIFE_IN_RANGE

const struct sb_answer sb_answer_ports = {
    .name = "ports",
    .title = "Ports",
    .doc = "One row per port: the process that opened it, and how long its driver ran.",
    .needs = "--trace ports",
    .limit = 20,
    .sql = "SELECT p.driver, who(p.owner) AS owner, p.run_ns, p.runs, p.start, p.\"end\", "
           "p.exit_reason, " THEIRS,
    .sql_between = "WITH within AS MATERIALIZED (SELECT port, count(*) AS runs, sum(" SB_PART_IN_RANGE
                   ") AS run_ns FROM slice WHERE port IS NOT NULL AND " SB_SPAN_IN_RANGE
                   " GROUP BY port) SELECT p.driver, who(p.owner) AS owner, CASE WHEN p.runs IS NOT NULL "
                   "THEN coalesce(w.run_ns, 0) END AS run_ns, CASE WHEN p.runs IS NOT NULL THEN "
                   "coalesce(w.runs, 0) END AS runs, p.start, p.\"end\", p.exit_reason, " THEIRS_THEN,
    .order = "run_ns",
    .column = columns,
    .narrow = "driver,owner,run_ns,runs,port",
    .hide = "id,owner_id,node,exit_reason",
};
