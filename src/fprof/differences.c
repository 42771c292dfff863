/* Reports how a strict profile differs from fprof's, and why. */
#include "fprof/fprof.h"

/* Returns the sum over all parts. */
static struct fp_strict
sum_of(const struct sb_fprof *f)
{
    struct fp_strict sum = {0};
    for (unsigned i = 0; i < f->n_sims; i++) {
        const struct fp_strict *s = &f->sim[i].strict;
        sum.mended += s->mended;
        sum.ignored += s->ignored;
        sum.back += s->back;
        sum.back_t = (int64_t)((uint64_t)sum.back_t + (uint64_t)s->back_t);
    }
    return sum;
}

static double
milliseconds(const struct sb_fprof *f, int64_t t)
{
    return (double)t * (f->nanoseconds ? 1e-6 : 1e-3);
}

static void
put_count(struct sb_out *o, const char *what, uint64_t n, const char *why)
{
    if (n)
        sb_out_printf(o, "%s: %llu; %s\n", what, (unsigned long long)n, why);
}

void
sb_fprof_differences(const struct sb_fprof *f, struct sb_out *o)
{
    struct fp_strict s = sum_of(f);
    put_count(o, "skipped bytes outside any record", f->skipped.gap_bytes, "fprof stops there");
    put_count(o, "skipped records without a term", f->skipped.no_terms, "fprof stops there");
    put_count(o, "events lost while tracing", f->skipped.dropped,
              "their time is missing, and fprof stops there");
    put_count(o, "skipped messages that fprof does not know", f->skipped.records, "fprof stops there");
    put_count(o, "calls and returns of suspended processes, which were taken to be scheduled in", s.mended,
              "fprof stops there");
    put_count(o, "ignored messages without an effect", s.ignored, "fprof stops there");
    if (s.back)
        sb_out_printf(o,
                      "backward steps of the clock (CPU time of several schedulers?): %llu, %.3f ms in "
                      "total; no time passes meanwhile, where fprof counts negative times\n",
                      (unsigned long long)s.back, milliseconds(f, s.back_t));
    if (f->file_order)
        sb_out_z(o, "ACC of totals covers the earliest to the latest time stamp; fprof's covers the first to "
                    "the last of the file\n");
}
