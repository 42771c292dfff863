/*
 * A connection to a node, as a hidden node of its own. One thread. Calls are made by the node's rpc server;
 * afterwards messages go to and fro between this program and processes of the node.
 */
#ifndef SB_LIVE_ATTACH_DIST_H
#define SB_LIVE_ATTACH_DIST_H
#include "live/attach/target.h"
#include <ei.h>

struct sb_dist {
    ei_cnode me;
    int fd; /* -1: lost or never made */
    const struct sb_target *target;
    ei_x_buff message; /* the last one received, or the result of the last call */
};

bool sb_dist_open(struct sb_dist *l, const struct sb_target *t, struct sb_arena *a, struct sb_err *e);
void sb_dist_close(struct sb_dist *l);
const erlang_pid *sb_dist_self(struct sb_dist *l);

/*
 * Calls a function of the node. `args` is an encoded list, without the version byte. The result is decoded
 * from l->message at *at. A lost connection sets fd to -1.
 */
bool sb_dist_call(struct sb_dist *l, const char *module, const char *function, const ei_x_buff *args, int *at,
                  struct sb_err *e);
bool sb_dist_send(struct sb_dist *l, const erlang_pid *to, const ei_x_buff *term, struct sb_err *e);

/* Receives a message once the connection is readable. `any`: there was one, at *at of l->message. */
bool sb_dist_receive(struct sb_dist *l, bool *any, int *at, struct sb_err *e);

/*
 * Decoding by ei trusts the lengths in a message. So a message is checked before: it is one whole term after a version
 * byte. Zeros follow it then, and since no term begins with zero, a decoder that expects more finds nothing.
 */
bool sb_dist_seal(ei_x_buff *message); /* its `index` is its size; false: it is no whole term */
/* Steps over a term of a message that is sealed; ei_skip_term would overflow the stack on deep nesting. */
bool sb_dist_skip(const ei_x_buff *message, int *at);

/* Decoding: false, and nothing changed, if something else comes next. */
bool sb_dist_atom(const struct sb_dist *l, int *at, const char *wanted);
bool sb_dist_tuple(const struct sb_dist *l, int *at, int arity);
struct sb_str sb_dist_binary(const struct sb_dist *l,
                             int *at); /* empty: none; valid until the next message */

#endif
