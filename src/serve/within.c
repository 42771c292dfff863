#include "serve/within.h"
#include "profile/states.h"
#include <stdlib.h>

/* A column is the sum of up to two states. */
static const struct {
    unsigned column;
    enum sb_state state[2];
} sums[] = {{SB_C_process__run_ns, {SB_STATE_RUNNING, SB_STATE_GC}},
            {SB_C_process__gc_ns, {SB_STATE_GC, SB_STATES}},
            {SB_C_process__dirty_ns, {SB_STATE_DIRTY, SB_STATES}},
            {SB_C_process__runnable_ns, {SB_STATE_RUNNABLE, SB_STATES}},
            {SB_C_process__wait_ns, {SB_STATE_WAITING, SB_STATES}},
            {SB_C_process__handover_ns, {SB_STATE_HANDOVER, SB_STATES}},
            {SB_C_process__unknown_ns, {SB_STATE_UNKNOWN, SB_STATES}}};
enum { SUMS = sizeof sums / sizeof *sums };

struct sb_within {
    struct sb_states *states;
    struct sb_spans spans;
    struct sb_range range;
    int64_t process;           /* the process of these sums; SB_NULL: none */
    int64_t ns[SB_STATES + 1]; /* the last one is 0: for columns of a single state */
};

struct sb_within *
sb_within_open(const struct sb_profile *p, struct sb_range range)
{
    struct sb_within *w =
        SB_HEAP(struct sb_within, .states = sb_states_open(p), .range = range, .process = SB_NULL);
    return w;
}

void
sb_within_close(struct sb_within *w)
{
    if (w == NULL)
        return;
    sb_states_close(w->states);
    SB_VEC_FREE(&w->spans);
    free(w);
}

bool
sb_within_has(unsigned column)
{
    for (size_t i = 0; i < SUMS; i++)
        if (sums[i].column == column)
            return true;
    return false;
}

static void
sum_up(struct sb_within *w, int64_t process)
{
    memset(w->ns, 0, sizeof w->ns);
    w->process = process;
    sb_states_of(w->states, process, w->range, &w->spans);
    for (size_t i = 0; i < w->spans.n; i++) {
        const struct sb_span *s = &w->spans.at[i];
        w->ns[s->state] += sb_range_part(w->range, s->start, s->end);
    }
}

int64_t
sb_within_value(struct sb_within *w, int64_t process, unsigned column, int64_t whole)
{
    for (size_t i = 0; i < SUMS; i++)
        if (sums[i].column == column && whole != SB_NULL) {
            if (w->process != process)
                sum_up(w, process);
            return w->ns[sums[i].state[0]] + w->ns[sums[i].state[1]];
        }
    return whole;
}
