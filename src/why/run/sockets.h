/*
 * Connections: the runs of their ports, and the requests that were answered over them, or made.
 *
 *     accepted   |read|read|   ..work..   |write|write|          |read|
 *                     |------- answered --------------|
 *     opened     |write|write|  ..waits for the other side..  |read|read|  |write|
 *                           |--------------- asked -----------------|
 *
 * A pause of 100 ms or more within an answer ends it: what comes later is news, or of another kind.
 */
#pragma once
#include "why/run/evidence.h"
#include "base/vec.h"

enum { SB_DELAY_NS = 38500000 }; /* of an acknowledgement, at least: 40 ms, in ticks of up to 4 ms */
enum sb_socket {
    SB_SOCKET_NONE, /* a port of another kind */
    SB_SOCKET_ACCEPTED,
    SB_SOCKET_OPENED,
    SB_SOCKET_UDP,
};
enum sb_socket_does {
    SB_SOCKET_READS,
    SB_SOCKET_WRITES,
    SB_SOCKET_IS_ASKED /* for something else: left out */
};
struct sb_socket_run { /* of a port */
    int64_t port, start, end;
    uint8_t does; /* enum sb_socket_does */
};
struct sb_socket_request {
    int64_t port, ns;
    int64_t work_ns, waiting_ns; /* of the process meanwhile */
    int32_t process;             /* that owns the socket */
    int32_t waits_for;           /* process.id that ended its longest wait; 0: none */
    bool asked;                  /* of the other side */
};
struct sb_sockets {
    int64_t n;      /* ports of the profile, and one more */
    uint8_t *kind;  /* by port.id: enum sb_socket */
    int64_t *owner; /* by port.id: process.id; 0: unknown */
    struct sb_socket_run *run;
    size_t n_runs; /* by port, then start */
    SB_VEC(struct sb_socket_request) request;
    struct sb_ranges delays; /* by acknowledgements: rule delayed_ack */
};
struct sb_socket_row { /* of processes that were started alike */
    int64_t process;   /* the one with most of them */
    int64_t processes, connections, requests;
    int64_t ns[2], longest_ns;   /* median, 99th percentile and maximum */
    int64_t work_ns, waiting_ns; /* means; SB_NULL of what was asked */
    int64_t waits_for;           /* process.id that ended most of the waits; SB_NULL: none */
    bool asked;
};
struct sb_socket_rows {
    struct sb_socket_row *at; /* by the 99th percentile, descending */
    size_t n, cap;
};

/* Of the part that the evidence covers. */
void sb_sockets_find(const struct sb_evidence *x, struct sb_sockets *out);
void sb_sockets_close(struct sb_sockets *s);
/* By process.id: it owns a socket that it accepted, or that was handed over to it. In the arena of `x`. */
bool *sb_sockets_served(const struct sb_evidence *x, const struct sb_sockets *s);
/* True if a wait is as long as such a delay, and most of it in these. */
bool sb_sockets_delayed(const struct sb_sockets *s, int64_t from, int64_t to);
/* The rows of all requests, which are sorted. `x` has the processes. */
void sb_socket_rows_of(const struct sb_evidence *x, struct sb_socket_request *request, size_t n,
                       struct sb_socket_rows *out);
