#include "answer/answer.h"

static const struct sb_column columns[] = {
    {"process", SB_TEXT, SB_U_NONE,
     "process that owns the sockets; the one with most requests of those alike"},
    {"direction", SB_TEXT, SB_U_NONE,
     "answered, on sockets that it accepted, or asked, on those that it opened"},
    {"processes", SB_INT, SB_U_COUNT, "processes started alike that the row is about"},
    {"connections", SB_INT, SB_U_COUNT, "their sockets with a request"},
    {"requests", SB_INT, SB_U_COUNT, "requests with an answer; the times are of these"},
    {"p50_ns", SB_INT, SB_U_NS,
     "median time from the last piece of a request to that of its answer; a pause of 100 ms ends an answer"},
    {"p99_ns", SB_INT, SB_U_NS, "99th percentile of that time"},
    {"max_ns", SB_INT, SB_U_NS, "longest such time"},
    {"work_ns", SB_INT, SB_U_NS, "of it, the process was on a scheduler; mean"},
    {"waiting_ns", SB_INT, SB_U_NS, "of it, the process waited; mean"},
    {"waits_for", SB_TEXT, SB_U_NONE, "process that ended most of waiting_ns"},
    {"pid", SB_TEXT, SB_U_NONE, "<0.N.S> of the process"},
    {"id", SB_INT, SB_U_ID, "process.id"},
    {"node", SB_INT, SB_U_ID, "node.id"},
    {0},
};

const struct sb_answer sb_answer_sockets = {
    .name = "sockets",
    .title = "Requests over sockets",
    .ordered = "by 99th percentile",
    .doc =
        "How long processes took for the requests that came over TCP connections, from the moment that the "
        "VM read the last of a request to the moment that it had written the answer; and how long the other "
        "side took for requests that were sent to it. What either network or the other program adds is not "
        "in it. With TLS the messages that begin a connection are requests too.",
    .whole_run = "strobe report P ports --since T --until T shows how long sockets ran in that range",
    .model = SB_MODEL_FINDINGS,
    .none = "no answer to a request was seen on a socket",
    .needs = "--trace running,ports",
    .limit = 20,
    .sql = "SELECT who(process) AS process, direction, processes, connections, requests, p50_ns, p99_ns, "
           "max_ns, "
           "work_ns, waiting_ns, who(waits_for) AS waits_for, pid(process) AS pid, process AS id, "
           "{node:process} AS node FROM socket WHERE {among:process}",
    .order = "p99_ns",
    .column = columns,
    .narrow = "process,direction,requests,p50_ns,p99_ns,max_ns,work_ns,waiting_ns,waits_for",
    .hide = "id,node",
};
