/* request(server, client, path, count, p50_ns, ...). */
#include "why/find/findings.h"
#include "why/why.h"

static bool next_row(void *rows, union sb_cell *cell, enum sb_type *type);

static const struct sb_column columns[] = {
    {"server", SB_INT, SB_U_ID, "process.id"},
    {"client", SB_INT, SB_U_ID, "process.id; of many clients of one group the one that asked most"},
    {"path", SB_TEXT, SB_U_NONE,
     "the server, and what it asked in turn: of several requests the longest, as in shop -> prices -> db"},
    {"count", SB_INT, SB_U_COUNT, "requests that were answered; the times are of these"},
    {"p50_ns", SB_INT, SB_U_NS, "median time from the sending of a request to the receipt of its reply"},
    {"p99_ns", SB_INT, SB_U_NS, "99th percentile of that time"},
    {"max_ns", SB_INT, SB_U_NS, "longest such time"},
    {"mailbox_ns", SB_INT, SB_U_NS,
     "mean time from the sending of a request to the moment the server could begin"},
    {"service_ns", SB_INT, SB_U_NS, "mean time from that moment to the reply"},
    {"work_ns", SB_INT, SB_U_NS, "mean part of it in which the server was on a scheduler"},
    {"waiting_ns", SB_INT, SB_U_NS, "mean part of it in which the server waited"},
    {"waits_for", SB_INT, SB_U_ID, "process.id that ended most of that"},
    {"clients", SB_INT, SB_U_COUNT, "clients that the row is about"},
};

const struct sb_computed sb_why_request = {
    .name = "request",
    .doc = "round trips by who asks whom, of the servers in table server",
    .column = columns,
    .n_columns = sizeof columns / sizeof columns[0],
    .open = sb_findings_rows,
    .next = next_row,
    .close = free,
};

static bool
next_row(void *rows, union sb_cell *cell, enum sb_type *type)
{
    (void)type;
    struct sb_findings_rows *r = rows;
    if (r->next == r->all->requests.n)
        return false;
    const struct sb_request_row *q = &r->all->requests.at[r->next++];
    cell[0].i = q->server;
    cell[1].i = q->client;
    cell[2].s = q->path;
    cell[3].i = q->latency.count;
    cell[4].i = q->latency.round_trip[0];
    cell[5].i = q->latency.round_trip[1];
    cell[6].i = q->latency.longest_ns;
    cell[7].i = q->latency.mailbox_ns;
    cell[8].i = q->latency.service_ns;
    cell[9].i = q->latency.work_ns;
    cell[10].i = q->latency.waiting_ns;
    cell[11].i = q->latency.waits_for;
    cell[12].i = q->clients;
    return true;
}
