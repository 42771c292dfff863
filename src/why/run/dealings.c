#include "why/run/dealings.h"

static bool
is_with(const struct sb_evidence *x, int32_t process, const bool *with)
{
    return process > 0 && process < x->n_actors && with[process];
}

void
sb_dealings_add(struct sb_dealings *to, const struct sb_evidence *x, int64_t process, const bool *with,
                const bool *also)
{
    const struct sb_step *step = x->step + x->actor[process].first;
    uint32_t at = x->outbox[process], end = x->outbox[process + 1];
    bool woken = false;
    for (uint32_t i = 0; i < x->actor[process].n; i++) {
        int64_t from = step[i].start, behind = from + step[i].dur;
        bool counts = woken || (also && also[i]);
        for (; at < end && x->letter[x->by_sender[at]].sent <= behind; at++) {
            const struct sb_letter *l = &x->letter[x->by_sender[at]];
            counts = counts || (l->sent >= from && is_with(x, l->receiver, with));
        }
        woken = is_with(x, step[i].waker, with);
        if (!counts)
            continue;
        to->slices++;
        to->work_ns += step[i].dur;
        int64_t ns[SB_LEVEL_KINDS];
        sb_level_kinds(&x->level, from, behind, 1 << SB_LEVEL_SHARE | 1 << SB_LEVEL_ALONE, ns);
        to->alone_ns += ns[SB_LEVEL_ALONE];
        to->share_ns += ns[SB_LEVEL_SHARE];
    }
}
