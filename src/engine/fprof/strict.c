#include "engine/fprof/strict.h"
#include "engine/fprof/terms.h"

/* The process's own clock: stands still where the trace's goes back. */
static int64_t
own_time(struct fp_sim *s, struct fp_proc *p, int64_t t)
{
    t = (int64_t)((uint64_t)t + (uint64_t)p->shift);
    if (p->has_time && t < p->last_t) {
        uint64_t back = (uint64_t)p->last_t - (uint64_t)t;
        s->strict.back++;
        s->strict.back_t = (int64_t)((uint64_t)s->strict.back_t + back);
        p->shift = (int64_t)((uint64_t)p->shift + back);
        t = p->last_t;
    }
    p->has_time = true;
    return p->last_t = t;
}

/* What a message that could not come shows: the process was scheduled in, or its collection ended, unseen. */
static bool
mend(struct fp_sim *s, const struct fp_event *ev)
{
    struct fp_event unseen = *ev;
    int why = s->thrown.why;
    s->thrown.why = FP_FINE;
    if (why == FP_IN_ODD || why == FP_GC_END_ODD) {
        s->strict.ignored++;
        return false;
    }
    s->strict.mended++;
    unseen.kind = why == FP_CALL_IN_GC || why == FP_RETURN_IN_GC ? FP_GC_END : FP_IN;
    unseen.func = FP_UNDEFINED;
    return fp_sim_apply(s, &unseen);
}

bool
fp_strict_apply(struct fp_sim *s, const struct fp_event *ev)
{
    struct fp_event mine = *ev;
    struct fp_proc *p = fp_sim_find(s, ev->pid);
    if (p && ev->kind != FP_SPAWN) /* a start is told by another process too */
        mine.t = own_time(s, p, ev->t);
    while (!fp_sim_apply(s, &mine))
        if (!mend(s, &mine)) {
            s->thrown.why = FP_FINE;
            break;
        }
    if (!p && (p = fp_sim_find(s, ev->pid)) && ev->kind != FP_SPAWN)
        own_time(s, p, ev->t);
    return true;
}

void
fp_strict_close_stacks(struct fp_sim *s, int64_t t)
{
    for (size_t i = 0; i < s->proc.n; i++) {
        struct fp_proc *p = s->proc.at[i];
        if (!p || !p->known)
            continue;
        int64_t end = (int64_t)((uint64_t)t + (uint64_t)p->shift);
        end = p->has_time && p->last_t > end ? p->last_t : end;
        fp_sim_apply(s, &(struct fp_event){.kind = FP_EXIT, .pid = p->pid, .t = end});
    }
}

struct fp_strict
fp_strict_sum(const struct sb_fprof *f)
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
    struct fp_strict s = fp_strict_sum(f);
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
