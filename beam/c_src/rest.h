/*
 * Time in which nothing is recorded. The session looks in regularly and learns when the first event since its
 * last look happened. While it sleeps, that event wakes it with the message `strobe_stirred`. So an idle node
 * costs nothing, and a busy one is sampled from its first event.
 *
 * The session sets the state, any thread ends it; the first event of several threads at once counts.
 */
#pragma once
#include <erl_nif.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum { REST_WATCHED, REST_ASLEEP, REST_STATES };

struct rest {
    _Atomic int64_t state; /* REST_WATCHED, REST_ASLEEP or the time of the first event since then */
    ErlNifPid session;
    ERL_NIF_TERM message;
};

static inline bool
rest_lasts(const struct rest *r)
{
    return atomic_load_explicit(&r->state, memory_order_relaxed) < REST_STATES;
}

/* Ends the rest; called from a callback for an event of a process. Returns whether this event woke the session. */
bool rest_end(struct rest *r, ErlNifEnv *env, int64_t now_ns);
/* Begins another rest. Returns the time of the first event of the last one; 0: there was none. */
int64_t rest_begin(struct rest *r, bool asleep);
