/*
 * Waits of a process in its loop. A message from outside of the trace, or a timeout, ended such a wait, and the next
 * message of a process ended another one at the same place. Had that message come earlier, the process would not have
 * waited for the other event first:
 *
 *     loop/1 ...wait...|tick|.....wait.....|request of A|          recorded
 *     loop/1 ..wait..|request of A|                                A was faster
 *
 * So the first wait is left out, unless the process sent something in between that others may need.
 */
#include "why/predict/ops_build.h"

enum { LEFT_OUT = 0xff }; /* a kind */

static int32_t
place_of(const struct sb_ops_build *b, uint32_t process, int64_t at)
{
    const struct sb_history_slice *s = sb_history_slice(&b->h, process, at);
    return s ? s->out : 0;
}

void
sb_ops_leave_out_idle(const struct sb_ops_build *b, struct sb_ops_rows *r)
{
    int32_t loop = 0; /* where the next message ends a wait, if nothing is sent before */
    size_t n = 0;
    for (size_t i = r->n; i-- > 0;) {
        struct sb_op *op = &r->at[i];
        if (op->kind == SB_OP_SEND)
            loop = 0;
        else if (op->kind == SB_OP_RECV && op->woken)
            loop = place_of(b, r->process, op->at);
        else if (op->is_idle && loop != 0 && place_of(b, r->process, op->at) == loop)
            op->kind = LEFT_OUT;
    }
    for (size_t i = 0; i < r->n; i++)
        if (r->at[i].kind != LEFT_OUT)
            r->at[n++] = r->at[i];
    r->n = n;
}
