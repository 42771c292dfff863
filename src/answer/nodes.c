#include "answer/answer.h"

static const struct sb_column columns[] = {
    {"node", SB_TEXT, SB_U_NONE, "name"},
    {SB_OF(node, otp)},
    {SB_OF(node, schedulers)},
    {"processes", SB_INT, SB_U_COUNT, "processes on it in the trace"},
    {"run_ns", SB_INT, SB_U_NS, "run time of its processes"},
    {"sent_to_others", SB_INT, SB_U_COUNT, "messages to other nodes"},
    {"sent_words", SB_INT, SB_U_WORDS, "total size of these messages"},
    {"sent_at_least", SB_INT, SB_U_COUNT, "messages that sent_words counts by a lower bound of their size"},
    {SB_OF(node, clock_offset_ns)},
    {SB_OF(node, clock_error_ns)},
    {SB_OF(node, clock_conflict_ns)},
    {SB_OF(node, ambiguous)},
    {SB_OF(node, os_pid)},
    {SB_OF(node, id)},
    {0},
};

/* messages to other nodes: 0 if there were none, unknown if none were recorded */
#define SENT "CASE WHEN s.sends IS NOT NULL THEN (SELECT coalesce("
#define TO_OTHERS ", 0) FROM node_edge WHERE from_node = n.id AND to_node <> n.id) END"

const struct sb_answer sb_answer_nodes = {
    .name = "nodes",
    .title = "Nodes",
    .whole_run = "strobe report P messages --since T --until T shows senders and receivers in that range",
    .of_all = true,
    .doc = "One row per node, traced or only mentioned, with the accuracy of its clock.",
    .limit = 20,
    .sql = "SELECT n.name AS node, n.otp, n.schedulers, s.processes, s.run_ns, " SENT "sum(count)" TO_OTHERS
           " AS sent_to_others, " SENT "sum(total_words)" TO_OTHERS " AS sent_words, " SENT
           "sum(at_least)" TO_OTHERS
           " AS sent_at_least, n.clock_offset_ns, n.clock_error_ns, n.clock_conflict_ns, n.ambiguous, "
           "n.os_pid, n.id FROM node n LEFT JOIN (SELECT node, count(*) AS processes, sum(run_ns) AS run_ns, "
           "sum(sends) AS sends FROM process GROUP BY node) s ON s.node = n.id",
    .order = "run_ns",
    .column = columns,
    .narrow = "node,processes,run_ns,sent_to_others,clock_offset_ns,clock_error_ns",
    .hide = "id",
};
