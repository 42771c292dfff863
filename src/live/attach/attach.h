/*
 * Records a node that runs already and has nothing of strobe. It is reached as Erlang nodes reach each other, or by a
 * command of the user's; the modules and the tracer are sent to it. On the same machine the drain runs here:
 *
 *     strobe ──requests, beats──> strobe_attach (in the node) ──rings──> strobe-drain ──> T.sbt
 *
 * A node elsewhere, or in a container, drains its rings itself into a file of its own, which is fetched in pieces:
 *
 *     strobe <──requests, pieces──> strobe_attach ──> drain in the node ──> file there;  pieces ──> T.sbt
 *
 * At the end, or when either side is gone, the part in the node removes all of it (beam/src/strobe_attach.erl).
 */
#pragma once
#include "live/attach/target.h"
#include "live/record/record.h"
#include <poll.h>

struct sb_peer;
struct sb_peer_facts;

/* A node whose rings are read here, without a drain and a trace, or beside the drain of a recording. */
struct sb_attached {
    struct sb_peer *node; /* NULL: strobe is not attached to it, and reads beside a drain */
    struct sb_str name;
    const char *rings; /* NULL: they cannot be read from here, so the node sends copies of them */
    int signals;       /* a signalfd: a signal ends it */
    uint32_t os_pid;
    unsigned schedulers; /* 0: not known yet */
};

unsigned sb_attached_poll(const struct sb_attached *of,
                          struct pollfd p[2]); /* where the node answers; how many */

struct sb_attach_begun {
    const struct sb_target *target;
    /* why OTP's own trace port records, and the trace is a stream of OTP's; NULL: our tracer does */
    const char *obstacle;
    /* the node ends the recording this long after the last sign of strobe; 0: at once, by the end of the connection */
    int64_t lease_ms;
    bool lacks_functions; /* samples of the CPU do not say which function of Erlang they are in */
};

struct sb_attach_options {
    const char *target;                  /* a name or an OS pid; with `via` a name, or NULL */
    const char *via;                     /* a command that evaluates an expression in the node; NULL: none */
    const struct sb_record_options *how; /* its `command` is not used */
    bool force;                          /* also a node in trouble */
    /* called when the recording has begun; may be NULL */
    void (*begun)(void *ctx, const struct sb_attach_begun *b);
    /* reads the rings until the user has seen enough, in place of a recording; may be NULL. `how` gives the classes and
     * the size of the rings */
    bool (*watch)(void *ctx, const struct sb_attached *of, struct sb_err *e);
    void *ctx;
};

struct sb_attach_result {
    struct sb_str node;
    struct sb_recorded trace; /* path NULL: there is none */
    struct sb_str missing;    /* lines about requested modules that the node has not loaded */
    bool compared;            /* the node was compared with what it was before */
    SB_VEC(struct sb_str) left;
    int64_t atoms; /* more than before */
};

/* False if the recording failed or was cut short; what was recorded, and what is left, is in `r` all the same. */
bool sb_attach(const struct sb_attach_options *o, struct sb_arena *a, struct sb_attach_result *r,
               struct sb_err *e);
