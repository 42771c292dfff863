#include "answer/answer.h"

static const struct sb_column columns[] = {
    {"process", SB_TEXT, SB_U_NONE, "process that ran it"},
    {"processes", SB_INT, SB_U_COUNT,
     "number of processes with the same name or entry (text shows them in one row; --process shows each)"},
    {"function", SB_TEXT, SB_U_NONE, "m:f/a"},
    {"count", SB_INT, SB_U_COUNT,
     "activations that overlap the range, at most: joined ones all count; of recursion only the outermost"},
    {"inside_ns", SB_INT, SB_U_NS,
     "their time within the range, callees included; an estimate between the two bounds if close activations "
     "were joined"},
    {"inside_low_ns", SB_INT, SB_U_NS, "lower bound of inside_ns"},
    {"inside_high_ns", SB_INT, SB_U_NS, "upper bound of inside_ns"},
    {"active_ns", SB_INT, SB_U_NS, "their whole duration, without the gaps between joined ones"},
    {"first", SB_INT, SB_U_AT_NS, "start of the first activation"},
    {"last", SB_INT, SB_U_AT_NS, "end of the last activation"},
    {"id", SB_INT, SB_U_ID, "process.id"},
    {"pid", SB_TEXT, SB_U_NONE, "<0.N.S>"},
    {"node", SB_INT, SB_U_ID, "node.id"},
    {0},
};

/* For joined activations, the time within the range is known only up to the gaps between them. */
#define OVERLAP SB_PART_IN_RANGE
#define ACTIVE \
    "sum(count) AS count, sum(CASE WHEN busy_ns = dur THEN " OVERLAP " ELSE CAST(1.0 * busy_ns * " OVERLAP \
    " / dur AS INTEGER) END) AS inside_ns, sum(max(" OVERLAP " - (dur - busy_ns), 0)) AS inside_low_ns, " \
    "sum(min(" OVERLAP ", busy_ns)) AS inside_high_ns, sum(busy_ns) AS active_ns, min(start) AS first, " \
    "max(start + dur) AS last"
#define THEN \
    "FROM activation WHERE " SB_SPAN_IN_RANGE " AND mfa NOT IN ('suspend', " \
    "'garbage_collect')"

const struct sb_answer sb_answer_active = {
    .name = "active",
    .title = "Active functions",
    .ordered = "by time on the stack",
    .doc = "One row per process and function that was on its stack at some moment from --since to --until. "
           "Activations of a function that follow each other closely are stored as one, with only the sum of "
           "the time between them: inside_low_ns and inside_high_ns are bounds of the time within the range.",
    .needs = "--trace calls --module M",
    .limit = 20,
    .sql = "SELECT who(process) AS process, mfa AS function, " ACTIVE
           ", process AS id, pid(process) AS pid, (SELECT node FROM process WHERE id = activation.process) "
           "AS node " THEN " AND {among:process} GROUP BY activation.process, mfa",
    .sql_folded = "SELECT who(p.id) AS process, count(*) AS "
                  "processes, a.function, sum(a.count) AS count, sum(a.inside_ns) AS inside_ns, "
                  "sum(a.inside_low_ns) AS inside_low_ns, sum(a.inside_high_ns) AS inside_high_ns, "
                  "sum(a.active_ns) AS active_ns, min(a.first) AS first, max(a.last) AS last FROM (SELECT "
                  "process AS id, mfa AS function, " ACTIVE " " THEN
                  " GROUP BY activation.process, mfa) a CROSS JOIN process p ON p.id = a.id GROUP BY 1, 3",
    .order = "inside_ns",
    .column = columns,
    .narrow = "process,processes,function,count,inside_ns,inside_low_ns,inside_high_ns",
    .hide = "id,node",
};
