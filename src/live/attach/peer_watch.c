/* Questions of a live view to the node. Their answers are taken when they come. */
#include "live/attach/peer.h"

enum { WAIT_MS = 1000 };

/* {watch, Pids, {Processes, What}, Opened} */
void
sb_peer_encode_question(ei_x_buff *x, const struct sb_peer_question *q)
{
    ei_x_encode_tuple_header(x, 4);
    ei_x_encode_atom(x, "watch");
    ei_x_encode_binary(x, q->pids.p, (int)q->pids.n);
    ei_x_encode_tuple_header(x, 2);
    ei_x_encode_ulong(x, q->processes);
    ei_x_encode_binary(x, q->what, (int)strlen(q->what));
    ei_x_encode_binary(x, q->opened.p, (int)q->opened.n);
}

bool
sb_peer_watch(struct sb_peer *n, const struct sb_peer_question *q, struct sb_err *e)
{
    SB_TERM(x);
    sb_peer_encode_question(&x, q);
    return n->line.type->send(&n->line, &x, 0, e);
}

/* {window, Interval, Most, {At, Bytes, Ms}, Question} */
bool
sb_peer_window(struct sb_peer *n, const struct sb_peer_window *w, struct sb_err *e)
{
    int wait_ms = sb_peer_wait_ms(n, WAIT_MS);
    SB_TERM(x);
    ei_x_encode_tuple_header(&x, 5);
    ei_x_encode_atom(&x, "window");
    ei_x_encode_longlong(&x, w->interval_ns);
    ei_x_encode_ulonglong(&x, w->most);
    ei_x_encode_tuple_header(&x, 3);
    ei_x_encode_ulonglong(&x, w->at);
    ei_x_encode_long(&x, n->line.type->piece);
    ei_x_encode_long(&x, wait_ms);
    if (w->question)
        ei_x_append_buf(&x, w->question->buff, w->question->index);
    else
        ei_x_encode_atom(&x, "none");
    return n->line.type->send(&n->line, &x, wait_ms, e);
}

bool
sb_peer_trace(struct sb_peer *n, bool on, struct sb_err *e)
{
    SB_TERM(x);
    ei_x_encode_tuple_header(&x, 2);
    ei_x_encode_atom(&x, "tracing");
    ei_x_encode_boolean(&x, on);
    return n->line.type->send(&n->line, &x, 0, e);
}
