/* Findings, servers, requests and tests of a profile: computed once and shared by all that open it. */
#pragma once
#include "profile/sql/computed.h"
#include "why/find/finding.h"

/* Who asks whom: the round trips of each client to each server, by what the server asked in turn. */
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

struct sb_findings {
    struct sb_finding *finding; /* by rank */
    size_t n;
    struct sb_servers servers;
    struct sb_requests requests;
    struct sb_socket_rows sockets;
    struct sb_tests tests;
    bool is_known; /* false: the trace has no slices, no times or no code of a program */
    size_t pieces; /* of the program that they are of, covered_ns of its run_ns; 0: of all of it */
    int64_t covered_ns, run_ns;
    int64_t idle_ns; /* nothing was at work, and nothing ready; of pieces unknown: 0 */
};
const char *sb_finding_cure(const struct sb_finding *f, bool in_elixir);
const struct sb_findings *sb_findings_of(const struct sb_profile *p, struct sb_err *e);

struct sb_findings_rows { /* of one of the tables */
    const struct sb_findings *all;
    size_t next;
};
void *sb_findings_rows(const struct sb_computation *c, struct sb_err *e);
