/* Questions of a live view to the node. Their answers are taken when they come. */
#include "live/attach/peer.h"
#include <string.h>

bool
sb_peer_watch(struct sb_peer *n, struct sb_str pids, const struct sb_peer_sweep *sweep, struct sb_str opened,
              struct sb_err *e)
{
    ei_x_buff x;
    ei_x_new_with_version(&x);
    ei_x_encode_tuple_header(&x, 4);
    ei_x_encode_atom(&x, "watch");
    ei_x_encode_binary(&x, pids.p, (int)pids.n);
    ei_x_encode_tuple_header(&x, 2);
    ei_x_encode_ulong(&x, sweep->processes);
    ei_x_encode_binary(&x, sweep->what, (int)strlen(sweep->what));
    ei_x_encode_binary(&x, opened.p, (int)opened.n);
    bool ok = sb_dist_send(&n->link, &n->worker, &x, e);
    ei_x_free(&x);
    return ok;
}

bool
sb_peer_trace(struct sb_peer *n, bool on, struct sb_err *e)
{
    ei_x_buff x;
    ei_x_new_with_version(&x);
    ei_x_encode_tuple_header(&x, 2);
    ei_x_encode_atom(&x, "tracing");
    ei_x_encode_boolean(&x, on);
    bool ok = sb_dist_send(&n->link, &n->worker, &x, e);
    ei_x_free(&x);
    return ok;
}
