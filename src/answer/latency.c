#include "answer/answer.h"

static const struct sb_column columns[] = {
    {"server", SB_TEXT, SB_U_NONE, "process that others ask and wait for"},
    {"requests", SB_INT, SB_U_COUNT, "requests that were answered; the times are of these"},
    {"requests_per_s", SB_REAL, SB_U_NONE, "messages of its clients a second"},
    {"p50_ns", SB_INT, SB_U_NS, "median time from the sending of a request to the receipt of its reply"},
    {"p99_ns", SB_INT, SB_U_NS, "99th percentile of that time"},
    {"max_ns", SB_INT, SB_U_NS, "longest such time"},
    {"mailbox_ns", SB_INT, SB_U_NS, "of it, in the mailbox until the server could begin; mean"},
    {"work_ns", SB_INT, SB_U_NS, "of it, the server was on a scheduler; mean"},
    {"waiting_ns", SB_INT, SB_U_NS, "of it, the server waited; mean"},
    {"runnable_ns", SB_INT, SB_U_NS, "of it, the server was runnable, or its state is unknown; mean"},
    {"reply_ns", SB_INT, SB_U_NS, "of it, from the reply to its receipt; mean"},
    {"waits_for", SB_TEXT, SB_U_NONE,
     "process that ended most of waiting_ns; none: the function of half of it or more"},
    {"given_up", SB_INT, SB_U_COUNT,
     "requests whose caller had given up before the reply; its round trip ends there, and the means are of "
     "the others"},
    {"pid", SB_TEXT, SB_U_NONE, "<0.N.S> of the server"},
    {"id", SB_INT, SB_U_ID, "process.id"},
    {"node", SB_INT, SB_U_ID, "node.id"},
    {0},
};

const struct sb_answer sb_answer_latency = {
    .name = "latency",
    .title = "Round trips of requests",
    .ordered = "by 99th percentile",
    .doc = "How long the clients of each server waited for its replies, and where that time was on average: "
           "in the mailbox, in the server at work, waiting or runnable, or on the way back. A call that ends "
           "with its timeout ends there, though it is served later. Of requests of "
           "nodes that were not recorded only the server's part is known. The table request has the same by "
           "client and call path.",
    .whole_run = "strobe report P messages --since T --until T shows the messages in that range",
    .model = SB_MODEL_FINDINGS,
    .none = "no single process replied ten times or more to others that waited",
    .needs = "--trace running,messages",
    .limit = 20,
    .sql = "SELECT who(process) AS server, replies AS requests, requests_per_s, round_trip_p50_ns AS p50_ns, "
           "round_trip_p99_ns AS p99_ns, round_trip_max_ns AS max_ns, mailbox_ns, work_ns, waiting_ns, "
           "runnable_ns, reply_ns, "
           "ifnull(who(waits_for), waits_in) AS waits_for, given_up, pid(process) AS pid, process AS id, "
           "{node:process} AS node FROM "
           "server WHERE {among:process}",
    .order = "p99_ns",
    .column = columns,
    .narrow = "server,p50_ns,p99_ns,max_ns,mailbox_ns,work_ns,waiting_ns,waits_for",
    .hide = "id,node",
};
