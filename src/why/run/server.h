/* A process that others call and wait for, as a queue: its rate of requests, service time and queueing time. */
#pragma once
#include "why/run/awaits.h"

struct sb_trip {            /* a request that was answered, from its sending to the receipt of its reply */
    int64_t sent;           /* SB_NULL: not in the trace */
    int64_t fetched, begin; /* from the mailbox; when the server could begin with it */
    int64_t replied, received;
    int64_t work_ns,
        waiting_ns; /* of the server from `begin` to `replied`; the rest it was ready, or is unknown */
    int32_t server, client;
    int32_t by;        /* process.id that replied: the server, or one that answered for it */
    int32_t waits_for; /* process.id that ended most of waiting_ns; 0: none */
    int32_t waits_in;  /* text: the function of its longest wait; 0: unknown */
    uint32_t path;     /* of sb_requests_find */
    bool gave_up;      /* `received` is when its caller gave up, before it was answered */
};
struct sb_trips {
    struct sb_trip *at; /* of a server together, by replied */
    size_t n, cap;
};
/* Of the requests whose sending is in the trace. Where there are none, of all: then a round trip, and what of it was
 * outside the server, is SB_NULL. The round trip of a caller that gave up ends there; means are of the others. */
struct sb_latency {
    int64_t count, given_up;
    int64_t round_trip[2], longest_ns;                             /* median, 99th percentile and maximum */
    int64_t mailbox_ns, service_ns, work_ns, waiting_ns, reply_ns; /* means */
    int64_t waits_for;      /* process.id that ended most of the waiting */
    struct sb_str waits_in; /* the function of half of it or more; empty: none */
};

struct sb_server_row { /* times are SB_NULL if no reply was seen */
    int64_t process, clients;
    int64_t requests;            /* messages of its clients */
    int64_t replies;             /* messages to its clients that answer one of them */
    int64_t rate_ppm;            /* requests a second, in millionths */
    int64_t service[2];          /* median and 99th percentile: from the moment it could begin to the reply */
    int64_t mailbox[2];          /* from the sending to the moment it could begin */
    int64_t work[2];             /* part of `service` in which it was on a scheduler */
    struct sb_latency latency;   /* from the sending to the receipt of the reply */
    int64_t utilisation_ppm;     /* at work, of the part of the program */
    int64_t occupied_ppm;        /* from the fetching of any request to its reply, of the same */
    size_t first;                /* of its replies in `trips` */
    int64_t most, most_requests; /* process.id of the client that asks most */
};
struct sb_trip_bucket { /* round trips of a server: [low, high), as base/octave.h divides */
    int64_t server, low_ns, high_ns, count;
};
struct sb_servers {
    struct sb_server_row *at; /* by occupation, descending */
    size_t n, cap;
    struct sb_trips trips;
    SB_VEC(struct sb_trip_bucket) buckets; /* of a server together, by low_ns */
};

/* The processes that replied FEWEST times or more to others that waited. A process that is only cast to is none. */
void sb_servers_find(const struct sb_evidence *x, const struct sb_awaits *w, struct sb_servers *out);
/* The servers of a run from those of its pieces, which stand for equal parts of it: rates and shares of the time are
 * means, times are of the requests in all pieces. `x` has the processes. */
void sb_servers_join(const struct sb_evidence *x, const struct sb_servers *const *of, size_t n,
                     struct sb_servers *out);
void sb_servers_close(struct sb_servers *s);

struct sb_latency_sum { /* of requests that are added one by one */
    SB_VEC(int64_t) round_trips;
    SB_VEC(int32_t) waited_for; /* the processes with a sum in `waited` */
    int64_t *waited;            /* by process.id */
    int64_t count, given_up, mailbox_ns, service_ns, work_ns, waiting_ns, reply_ns;
    const struct sb_evidence *x;
    int32_t in;    /* text: a function of waits */
    int64_t in_ns; /* its waits, less those of others since it took the place of another one */
};
void sb_latency_open(struct sb_latency_sum *s, const struct sb_evidence *x);
void sb_latency_add(struct sb_latency_sum *s, const struct sb_trip *t);
void sb_latency_count(const struct sb_latency_sum *s, int64_t server, struct sb_servers *out);
void sb_latency_take(struct sb_latency_sum *s, struct sb_latency *out); /* and begins anew */
void sb_latency_close(struct sb_latency_sum *s);

/* Median and 99th percentile: the smallest time that this share of all times does not exceed. Sorts them. */
void sb_percentiles(int64_t *at, size_t n, int64_t out[2]);
