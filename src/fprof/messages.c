/* Writes what fprof prints while it reads: one dot per thousand messages, fifty per line, and how it
 * ended. */
#include "fprof/fprof.h"

/* Returns the number of messages before `until`, which the reader did not pass. */
static uint64_t
count(struct fp_input *in, uint64_t until)
{
    struct fp_piece piece = {0};
    struct sb_err e = {0};
    enum fp_end end = FP_MORE;
    uint64_t n = 0, next = in->next;
    in->next = 0;
    while (end == FP_MORE && fp_input_next(in, &piece, &end, &e))
        for (size_t at = 0; at < piece.n && piece.at + at < until; n++)
            at += fp_record_bytes(piece.bytes + at);
    in->next = next;
    free(piece.bytes);
    return n;
}

static void
put_dots(uint64_t n, struct sb_out *o)
{
    for (uint64_t at = 1000; at <= n; at += 1000)
        sb_out_z(o, at % 100000 == 0 ? ",\n" : at % 50000 == 0 ? ".\n" : ".");
}

void
fp_put_messages(struct sb_fprof *f, const struct fp_pass *p, struct sb_out *o)
{
    bool stopped = p->stop.at != FP_NOWHERE, crashed = stopped && p->stop.kind == FP_CRASH;
    uint64_t n = count(&f->in, crashed ? p->stop.at + 1 : p->bad_term);
    bool read_all = !crashed && p->bad_term == FP_NOWHERE && p->end == FP_END;
    if (n == 0 && read_all)
        sb_out_z(o, "Empty trace!\n");
    if (n == 0)
        return;
    sb_out_z(o, "Reading trace data...\n");
    put_dots(n, o);
    if (read_all)
        sb_out_z(o, stopped ? "\nEnd of erroneous trace!\n" : "\nEnd of trace!\n");
}
