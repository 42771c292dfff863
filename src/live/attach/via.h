/*
 * Evaluates Erlang expressions in a node by a command of the user's (`--via`): a release's rpc or eval, alone or
 * through kubectl exec, docker exec or ssh. One thread.
 *
 * The command gets the expression as its last argument, or where it has {}. How a command wants it, in Erlang or
 * Elixir, and quoted once more for a shell behind ssh, is found out by trying. Answers come back in base64 between two
 * marks, since commands print values in their own ways: what is not in the alphabet of base64 is ignored.
 */
#ifndef SB_LIVE_ATTACH_VIA_H
#define SB_LIVE_ATTACH_VIA_H
#include "base/arena.h"
#include "base/err.h"
#include "live/attach/shell.h"
#include <ei.h>

struct sb_via {
    const char *script; /* of the shell; "$1" is the expression */
    struct sb_arena *a;
    uint64_t token;     /* a number of this session; the marks contain it */
    unsigned form;      /* how the command takes the expression */
    bool by_value;      /* the command prints the value; output of the evaluating process is lost */
    int64_t slowest_ms; /* of all runs so far */
    int release;        /* of OTP */
    bool gone;          /* the part of strobe in the node has ended */
    bool runs;          /* the command, with a request that has been sent */
    struct sb_shell run;
    int64_t began_ns; /* the last run */
};

/* The bytes of a request that fit into one run. */
enum { SB_VIA_PIECE = 44 << 10 };

bool sb_via_open(struct sb_via *v, const char *command, struct sb_arena *a, struct sb_err *e);
/* The time after which a node ends the recording by itself. */
int64_t sb_via_lease_ms(const struct sb_via *v);

/* Loads strobe_attach (`beam`: its compressed binary as a term) and starts it, unless that has happened. */
bool sb_via_start(struct sb_via *v, struct sb_str beam, struct sb_err *e);
/*
 * Sends an encoded term to the part of strobe in the node, while nothing else is asked; NULL: only waits for answers.
 * `wait_ms` is how long the node may take on purpose.
 */
bool sb_via_send(struct sb_via *v, const ei_x_buff *term, int wait_ms, struct sb_err *e);
/* `any`: the run has ended within `patience_ms`, and `answers` is an encoded list. */
bool sb_via_receive(struct sb_via *v, int patience_ms, bool *any, ei_x_buff *answers, struct sb_err *e);
void sb_via_close(struct sb_via *v);
/* Whether the module strobe_attach is in the node. */
bool sb_via_is_loaded(struct sb_via *v, bool *is, struct sb_err *e);

#endif
