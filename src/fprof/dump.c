/* The text dump: each record before it is handled, indented by the depth of its process's stack. */
#include "fprof/fprof.h"
#include "trace/term/term_print.h"

static bool
record_term(const struct fp_piece *record, struct sb_arena *a, struct sb_etf *t)
{
    if (record->bytes[0] == FP_RECORD_TERM)
        return sb_etf_decode_binary(record->bytes + FP_RECORD_HEAD, record->n - FP_RECORD_HEAD, a, t);
    struct sb_etf drop[] = {sb_etf_new_atom(SB_STR("drop")), sb_etf_new_int(sb_get_be32(record->bytes + 1))};
    *t = sb_etf_new_tuple(a, drop, 2);
    return true;
}

void
fp_dump_record(void *ctx, const struct fp_piece *record, uint32_t tracee, const struct fp_event *ev)
{
    struct fp_dump *d = ctx;
    struct sb_fprof *f = d->profile;
    SB_ARENA(a);
    struct sb_etf term;
    if (record->at == 0)
        sb_out_z(d->out, "start_of_trace.\n");
    if (record_term(record, &a, &term)) {
        struct fp_proc *p = ev->kind != FP_INCORRECT && tracee ? fp_sim_find(&f->sim[0], tracee) : NULL;
        size_t depth = p ? p->level.n : 0;
        sb_out_pad(d->out, ' ', 2 * depth);
        sb_term_print(d->out, &term, (unsigned)(2 * depth + 1), SB_TERM_PARSIFY);
        sb_out_z(d->out, ".\n");
    }
}
