/* A process that others call and wait for, as a queue: its rate of requests, service time and queueing time. */
#ifndef SB_WHY_SERVER_H
#define SB_WHY_SERVER_H
#include "why/awaits.h"

struct sb_server_row { /* times are SB_NULL if no reply was seen */
    int64_t process, clients;
    int64_t requests;            /* messages of its clients */
    int64_t replies;             /* messages to its clients that answer one of them */
    int64_t rate_ppm;            /* requests a second, in millionths */
    int64_t service[2];          /* median and 99th percentile: from the moment it could begin to the reply */
    int64_t mailbox[2];          /* from the sending to the moment it could begin */
    int64_t round_trip[2];       /* from the sending to the receipt of the reply */
    int64_t utilisation_ppm;     /* at work, of the part of the program */
    int64_t most, most_requests; /* process.id of the client that asks most */
};
struct sb_servers {
    struct sb_server_row *at; /* by utilisation, descending */
    size_t n, cap;
};

/* The processes that replied FEWEST times or more to others that waited. A process that is only cast to is none. */
void sb_servers_find(const struct sb_evidence *x, const struct sb_awaits *w, struct sb_servers *out);

#endif
