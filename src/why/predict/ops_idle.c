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

static int32_t
place_of(const struct sb_ops_build *b, const struct sb_raw_op *r)
{
    const struct sb_history_slice *s = sb_history_slice(&b->h, r->process, r->at);
    return s ? s->out : 0;
}

/* The rows of one process, from the last to the first. */
static void
leave_out(const struct sb_ops_build *b, struct sb_raw_op *row, size_t n)
{
    int32_t loop = 0; /* where the next message ends a wait, if nothing is sent before */
    for (size_t i = n; i-- > 0;) {
        struct sb_raw_op *r = &row[i];
        if (r->kind == SB_OP_SEND)
            loop = 0;
        else if (r->kind == SB_OP_RECV && r->woken)
            loop = place_of(b, r);
        else if (r->is_idle && loop != 0)
            r->is_left_out = place_of(b, r) == loop;
    }
}

void
sb_ops_leave_out_idle(struct sb_ops_build *b)
{
    size_t n = 0;
    for (size_t i = 0, k; i < b->raw.n; i = k) {
        for (k = i + 1; k < b->raw.n && b->raw.at[k].process == b->raw.at[i].process;)
            k++;
        leave_out(b, &b->raw.at[i], k - i);
    }
    for (size_t i = 0; i < b->raw.n; i++)
        if (!b->raw.at[i].is_left_out)
            b->raw.at[n++] = b->raw.at[i];
    b->raw.n = n;
}
