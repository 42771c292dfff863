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

const struct sb_answer sb_answer_why = {
    .name = "why",
    .title = "Where the time of the schedulers went",
    .whole_run = "strobe report P schedulers --since T --until T shows the schedulers in that range",
    .of_all = true,
    .doc = "The normal schedulers times the length of the run, split into parts that add up; time on dirty "
           "schedulers is beside it.",
    .needs = "--trace running; the trace must state the number of schedulers",
    .limit = 24,
    .sql =
        "WITH a AS (SELECT node, part, coalesce(who(process), of) AS of, sum(share) AS share, sum(ns) AS ns, "
        "count(*) AS rows, max(process) AS process FROM account GROUP BY 1, 2, 3) SELECT a.share, a.ns, "
        "a.part, a.of, CASE a.part WHEN 'work' THEN 'processes and ports at work' WHEN 'gc' THEN 'garbage "
        "collection' WHEN 'tracing' THEN 'the cost of tracing, an estimate' WHEN 'switching' THEN 'switching "
        "to the next process of its queue' WHEN 'elsewhere' THEN 'idle beside a process in another queue' "
        "WHEN 'process' THEN CASE WHEN a.process IS NULL THEN 'idle: fewer processes at work than "
        "schedulers' ELSE 'idle: all wait for ' || a.of || iif(a.rows > 1, ' (' || a.rows || ' processes)', "
        "'') END WHEN 'outside' THEN CASE a.of WHEN 'timer' THEN 'idle: all wait, the next for a timer' WHEN "
        "'port' THEN 'idle: all wait for a port' WHEN 'dirty' THEN 'idle: all wait for a dirty scheduler' "
        "WHEN 'node' THEN 'idle: all wait for another node' ELSE 'idle: all wait for something outside' END "
        "WHEN 'preempted' THEN 'the operating system ran something else' WHEN 'startup' THEN 'start-up, "
        "before the program ran code of its own' WHEN 'shutdown' THEN 'the VM shut down' ELSE 'unknown' END "
        "AS what, CASE WHEN " MANY_NODES
        " THEN (SELECT name FROM node n WHERE n.id = a.node) END AS node, iif(a.rows = 1, a.process, NULL) "
        "AS id FROM a UNION ALL SELECT NULL, sum(slice_ns), kind, NULL, CASE kind WHEN 'dirty_cpu' THEN 'on "
        "dirty CPU schedulers, beside the rest' ELSE 'on dirty I/O schedulers, beside the rest' END, CASE "
        "WHEN " MANY_NODES " THEN (SELECT name FROM node n WHERE n.id = s.node) END, NULL "
        "FROM scheduler s WHERE kind IN ('dirty_cpu', 'dirty_io') GROUP BY node, kind HAVING sum(slice_ns) > "
        "0",
    .order = "share",
    .column = columns,
    .narrow = "share,ns,what",
    .hide = "id,part,of",
    .whole = "what",
};
