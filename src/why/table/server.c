/* server(process, clients, requests, service_p50_ns, ...). */
#include "why/find/findings.h"
#include "why/why.h"

static bool next_row(void *rows, union sb_cell *cell, enum sb_type *type);

static const struct sb_column columns[] = {
    {"process", SB_INT, SB_U_ID, "process.id"},
    {"clients", SB_INT, SB_U_COUNT, "processes that waited for it"},
    {"requests", SB_INT, SB_U_COUNT, "messages of its clients"},
    {"replies", SB_INT, SB_U_COUNT, "messages to its clients that answer a request; the times are of these"},
    {"service_p50_ns", SB_INT, SB_U_NS,
     "median time from the moment it could begin with a request to its reply"},
    {"service_p99_ns", SB_INT, SB_U_NS, "99th percentile of that time"},
    {"mailbox_p50_ns", SB_INT, SB_U_NS,
     "median time from the sending of a request to the moment it could begin"},
    {"mailbox_p99_ns", SB_INT, SB_U_NS, "99th percentile of that time"},
    {"utilisation", SB_INT, SB_U_PPM, "share of the program's time that it was at work"},
    {"round_trip_p50_ns", SB_INT, SB_U_NS,
     "median time from the sending of a request to the receipt of its reply"},
    {"round_trip_p99_ns", SB_INT, SB_U_NS, "99th percentile of that time"},
    {"requests_per_s", SB_REAL, SB_U_NONE, "requests a second"},
    {"asks_most", SB_INT, SB_U_ID, "process.id of the client with most requests"},
    {"asks_most_requests", SB_INT, SB_U_COUNT, "requests of that client"},
    {"occupied", SB_INT, SB_U_PPM,
     "share of the program's time from the fetching of a request to its reply, of any; casts are in none"},
    {"round_trip_max_ns", SB_INT, SB_U_NS, "longest time from the sending of a request to its reply"},
    {"mailbox_ns", SB_INT, SB_U_NS, "mean of mailbox"},
    {"work_ns", SB_INT, SB_U_NS, "mean part of service in which it was on a scheduler"},
    {"waiting_ns", SB_INT, SB_U_NS, "mean part of service in which it waited"},
    {"runnable_ns", SB_INT, SB_U_NS, "mean rest of service: it was runnable, or its state is unknown"},
    {"reply_ns", SB_INT, SB_U_NS, "mean time from the reply to its receipt"},
    {"waits_for", SB_INT, SB_U_ID, "process.id that ended most of waiting_ns"},
};

const struct sb_computed sb_why_server = {
    .name = "server",
    .doc = "processes that replied to others ten times or more while these waited, as queues, by utilisation",
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
    if (r->next == r->all->servers.n)
        return false;
    const struct sb_server_row *s = &r->all->servers.at[r->next++];
    cell[0].i = s->process;
    cell[1].i = s->clients;
    cell[2].i = s->requests;
    cell[3].i = s->replies;
    cell[4].i = s->service[0];
    cell[5].i = s->service[1];
    cell[6].i = s->mailbox[0];
    cell[7].i = s->mailbox[1];
    cell[8].i = s->utilisation_ppm;
    cell[9].i = s->latency.round_trip[0];
    cell[10].i = s->latency.round_trip[1];
    cell[11].f = (double)s->rate_ppm / 1e6;
    cell[12].i = s->most;
    cell[13].i = s->most_requests;
    cell[14].i = s->occupied_ppm;
    cell[15].i = s->latency.longest_ns;
    cell[16].i = s->latency.mailbox_ns;
    cell[17].i = s->latency.work_ns;
    cell[18].i = s->latency.waiting_ns;
    cell[19].i =
        s->latency.count > 0 ? s->latency.service_ns - s->latency.work_ns - s->latency.waiting_ns : SB_NULL;
    cell[20].i = s->latency.reply_ns;
    cell[21].i = s->latency.waits_for;
    return true;
}
