#include "answer/answer.h"

static const struct sb_column columns[] = {
    {"process", SB_TEXT, SB_U_NONE, "in which it was at work"},
    {"processes", SB_INT, SB_U_COUNT,
     "how many of the same name or entry (text folds them; --process shows each)"},
    {"function", SB_TEXT, SB_U_NONE, "m:f/a"},
    {"count", SB_INT, SB_U_COUNT, "activations that reach into the time, at most: of joined ones all count; of recursion the outermost"},
    {"inside_ns", SB_INT, SB_U_NS,
     "the part of them inside it, with all they called; between the two bounds where close ones were joined"},
    {"inside_low_ns", SB_INT, SB_U_NS, "at least so much of it is inside"},
    {"inside_high_ns", SB_INT, SB_U_NS, "at most so much of it is inside"},
    {"active_ns", SB_INT, SB_U_NS, "their whole length, without the gaps between those that were joined"},
    {"first", SB_INT, SB_U_AT_NS, "start of the first"},
    {"last", SB_INT, SB_U_AT_NS, "end of the last"},
    {"id", SB_INT, SB_U_ID, "process.id"},
    {"pid", SB_TEXT, SB_U_NONE, "<0.N.S>"},
    {0},
};

/* Of activations that were joined, what lies inside the time is known to the gaps between them. */
#define OVERLAP "(min(start + dur, :until) - max(start, :since))"
#define ACTIVE                                                                                               \
    "sum(count) AS count, sum(CASE WHEN busy_ns = dur THEN " OVERLAP " ELSE CAST(1.0 * busy_ns * " OVERLAP   \
    " / dur AS INTEGER) END) AS inside_ns, sum(max(" OVERLAP " - (dur - busy_ns), 0)) AS inside_low_ns, "    \
    "sum(min(" OVERLAP ", busy_ns)) AS inside_high_ns, sum(busy_ns) AS active_ns, min(start) AS first, "     \
    "max(start + dur) AS last"
#define THEN                                                                                                 \
    "FROM activation WHERE start < :until AND start + dur > :since AND mfa NOT IN ('suspend', "              \
    "'garbage_collect')"

const struct sb_answer sb_answer_active = {
    .name = "active",
    .title = "Functions at work, by how long",
    .doc = "One row a process and function that was on its stack at some moment from --since to --until. "
           "Activations of one function that follow each other closely are kept as one, with the time "
           "between them known only as a sum: inside_low_ns and inside_high_ns bound what is inside.",
    .needs = "--trace calls --module M",
    .limit = 20,
    .sql = "SELECT who(process) AS process, mfa AS function, " ACTIVE
           ", process AS id, pid(process) AS pid " THEN " AND {among:process} GROUP BY activation.process, mfa",
    .sql_folded = "SELECT coalesce(p.name, p.label, p.entry, p.spawn_mfa, p.pid) AS process, count(*) AS "
                  "processes, a.function, sum(a.count) AS count, sum(a.inside_ns) AS inside_ns, "
                  "sum(a.inside_low_ns) AS inside_low_ns, sum(a.inside_high_ns) AS inside_high_ns, "
                  "sum(a.active_ns) AS active_ns, min(a.first) AS first, max(a.last) AS last FROM (SELECT "
                  "process AS id, mfa AS function, " ACTIVE " " THEN
                  " GROUP BY activation.process, mfa) a CROSS JOIN process p ON p.id = a.id GROUP BY 1, 3",
    .order = "inside_ns",
    .column = columns,
    .narrow = "process,processes,function,count,inside_ns,inside_low_ns,inside_high_ns",
    .hide = "id",
};
