#include "why/run/crashes.h"
#include "base/order.h"
#include "why/program/words.h"

SB_ORDER(by_parent, struct sb_crash, SB_UP(parent) ?: SB_UP(at) ?: SB_UP(id))

static bool
is_ordinary(struct sb_str reason)
{
    return reason.n == 0 || sb_str_eq(reason, SB_STR("normal")) ||
           sb_str_starts(reason, SB_STR("shutdown")) || sb_str_starts(reason, SB_STR("{shutdown"));
}

void
sb_crashes_find(const struct sb_evidence *x, sb_crashes *out)
{
    for (int64_t id = 1; id < x->n_actors; id++) {
        const struct sb_actor *a = &x->actor[id];
        if (a->parent <= 0 || a->end == SB_NULL)
            continue;
        struct sb_str reason = sb_words_cell(x->profile, id, SB_C_process__exit_reason);
        if (!is_ordinary(reason))
            *SB_PUSH(out) = (struct sb_crash){a->parent, a->entry, a->start, a->end, id, reason};
    }
    SB_SORT(out, by_parent);
}

bool
sb_crashes_within(const sb_crashes *v, int64_t parent, int64_t from, int64_t to)
{
    size_t lo = 0, hi = v->n;
    SB_SEARCH(lo, hi, v->at[mid].parent < parent || (v->at[mid].parent == parent && v->at[mid].at <= from));
    return lo < v->n && v->at[lo].parent == parent && v->at[lo].at <= to;
}
