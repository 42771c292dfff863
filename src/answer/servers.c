#include "answer/answer.h"

static const struct sb_column columns[] = {
    {"server", SB_TEXT, SB_U_NONE, "process that others ask and wait for"},
    {"utilisation", SB_INT, SB_U_PPM, "share of the program's time that it was at work"},
    {"occupied", SB_INT, SB_U_PPM,
     "share of it from the fetching of a request to its reply, without waits for the next one"},
    {"clients", SB_INT, SB_U_COUNT,
     "processes that waited for it; of a node that was not recorded those that asked it"},
    {"requests", SB_INT, SB_U_COUNT, "messages of its clients"},
    {"replies", SB_INT, SB_U_COUNT, "messages to its clients that answer a request; the times are of these"},
    {"requests_per_s", SB_REAL, SB_U_NONE, "requests a second"},
    {"service_p50_ns", SB_INT, SB_U_NS,
     "median time from the moment it could begin with a request to its reply"},
    {"service_p99_ns", SB_INT, SB_U_NS, "99th percentile of that time"},
    {"mailbox_p50_ns", SB_INT, SB_U_NS,
     "median time from the sending of a request to the moment it could begin"},
    {"mailbox_p99_ns", SB_INT, SB_U_NS, "99th percentile of that time"},
    {"round_trip_p50_ns", SB_INT, SB_U_NS,
     "median time from the sending of a request to the receipt of its reply"},
    {"round_trip_p99_ns", SB_INT, SB_U_NS, "99th percentile of that time"},
    {"asks_most", SB_TEXT, SB_U_NONE, "client with most requests"},
    {"asks_most_requests", SB_INT, SB_U_COUNT, "requests of that client"},
    {SB_OF(process, pid)},
    {SB_OF(process, id)},
    {"node", SB_INT, SB_U_ID, "node.id"},
    {0},
};

const struct sb_answer sb_answer_servers = {
    .name = "servers",
    .title = "Servers",
    .ordered = "by the time that they were occupied",
    .doc = "Processes that replied to others ten times or more while these waited, as queues: how often they "
           "are asked, how long a request takes and how long it lies in the mailbox. That, and how long the "
           "client waits, is unknown of requests of nodes that were not recorded.",
    .whole_run = "strobe report P messages --since T --until T shows the messages in that range",
    .model = SB_MODEL_FINDINGS,
    .none = "no single process replied ten times or more to others that waited",
    .needs = "--trace running,messages",
    .limit = 20,
    .sql = "SELECT who(process) AS server, utilisation, occupied, clients, requests, replies, "
           "requests_per_s, service_p50_ns, service_p99_ns, mailbox_p50_ns, mailbox_p99_ns, "
           "round_trip_p50_ns, round_trip_p99_ns, who(asks_most) AS asks_most, asks_most_requests, "
           "pid(process) AS pid, process AS id, {node:process} AS node FROM server WHERE {among:process}",
    .order = "occupied",
    .column = columns,
    .narrow = "server,utilisation,occupied,requests,service_p50_ns,mailbox_p50_ns,round_trip_p50_ns",
    .hide = "id,node",
};
