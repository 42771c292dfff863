/* Who asks whom: the round trips of each client to each server, by what the server asked in turn. */
#ifndef SB_WHY_REQUEST_H
#define SB_WHY_REQUEST_H
#include "why/find/finding.h"

struct sb_request_row {
    int64_t server;
    int64_t client, clients; /* of one group; if there are many, the one that asked most stands for all */
    struct sb_str path;      /* "shop -> prices -> db" */
    struct sb_latency latency;
};
struct sb_requests {
    struct sb_request_row *at; /* in the order of the servers, then by client */
    size_t n, cap;
};

/* Gives each request of w->servers its path. */
void sb_requests_find(struct sb_why *w, struct sb_requests *out);

#endif
