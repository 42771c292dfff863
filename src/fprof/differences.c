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
    put_count(o, "bytes that are in no record, left out", f->skipped.gap_bytes, "fprof ends there");
    put_count(o, "records that hold no term, left out", f->skipped.no_terms, "fprof ends there");
    put_count(o, "events that were lost while tracing", f->skipped.dropped,
              "what ran then is counted too low, fprof ends there");
    put_count(o, "messages that fprof does not know, left out", f->skipped.records, "fprof ends there");
    put_count(o, "calls and returns while suspended, taken as scheduled in", s.mended, "fprof ends there");
    put_count(o, "messages that repeat what was so already, passed over", s.ignored, "fprof ends there");
    if (s.back)
        sb_out_printf(o,
                      "times that the clock went back (CPU time of several schedulers?): %llu, by %.3f ms in "
                      "all; it stood "
                      "still instead, fprof counts negative times\n",
                      (unsigned long long)s.back, milliseconds(f, s.back_t));
    if (f->file_order)
        sb_out_z(o, "ACC of totals is from the earliest to the latest stamp; fprof's is from the first to "
                    "the last of "
                    "the file\n");
}
