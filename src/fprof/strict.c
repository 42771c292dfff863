#include "fprof/strict.h"
#include "fprof/terms.h"

/* Returns the time on the process's own clock, which stops while the trace's clock is behind. */
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

/* Adds the event that must be missing before an impossible one: the process was scheduled in, or its
 * collection ended. */
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
    if (p && ev->kind != FP_SPAWN) /* a spawn may be reported by another process */
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
