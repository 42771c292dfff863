/*
 * Which processes waited for which, and when. A wait is for the reply to a request if its client had sent the server
 * a message of its own: in a call, one more than have ended a wait of it since; elsewhere since that server last woke
 * it, in a quarter of the waits in that function. A call that ends with its timeout is one as well. A process that only
 * waits for one that it started, for its init or for its end, requests nothing: neither does the message that hands a
 * new process its work, nor one that tells its parent that it is there.
 */
#pragma once
#include "why/run/evidence.h"

struct sb_await {
    int32_t server, client;
    int64_t from, to;
    int32_t function; /* text: where the client waited */
    bool is_request;
    uint32_t
        answer;   /* the letter of who answered for the server, which no rule counts as a request; 0: none */
    bool gave_up; /* the call ended with its timeout; the server does not learn of it */
};
struct sb_awaits {
    struct sb_await *at; /* by server, client, from */
    size_t n;
    uint32_t *first;   /* by process.id of the server; n_actors + 1 of them */
    uint32_t *clients; /* by process.id: how many different processes waited for its replies */
};
void sb_awaits_find(const struct sb_evidence *x, struct sb_awaits *w);
void sb_awaits_close(struct sb_awaits *w);

/* The time in which at least one process waited for its reply, united. */
void sb_awaits_of(const struct sb_awaits *w, int64_t server, struct sb_ranges *out);
/* The part of that time in which at least two processes waited for its replies, united. */
void sb_awaits_queued(const struct sb_awaits *w, int64_t server, struct sb_ranges *out);
/* When the caller of the request that was sent at that moment gave up; SB_NULL: it did not. */
int64_t sb_awaits_given_up(const struct sb_evidence *x, const struct sb_awaits *w, int64_t server,
                           int64_t client, int64_t sent);
/* Adds the slices of a process, united. */
void sb_slices_of(const struct sb_evidence *x, int64_t process, struct sb_ranges *out);
/* Adds the waits of a process that are of that kind. */
void sb_gaps_of(const struct sb_evidence *x, int64_t process, enum sb_wait kind, struct sb_ranges *out);
/* The time in [from, to) that a process waited for its next request or message. */
int64_t sb_idle_within(const struct sb_evidence *x, int64_t process, int64_t from, int64_t to);
/*
 * Adds the waits of a server in the middle of a request, united: it can take no other one then. A behaviour that waits
 * in its loop can. A plain process shows no loop: it waits in the middle of a request if at least two callers wait for
 * it, and its replies keep a distance.
 */
void sb_held_of(const struct sb_evidence *x, const struct sb_awaits *w, int64_t server,
                struct sb_ranges *out);
/* The work of a process within the ranges. */
int64_t sb_work_within(const struct sb_evidence *x, int64_t process, const struct sb_ranges *r);
