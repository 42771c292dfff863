/*
 * Waiting is added up by who ended it (gap.waker). A large profile has more gaps than a summary has time for:
 * then every k-th block is looked at, the same ones each time.
 */
#include "answer/funnel.h"
#include <stdlib.h>

enum { MOST_BLOCKS = 1024, RELEASE_EVERY = 128 };

/* ns waited by waker; what waited for itself, or for nobody known, doesn't count */
static uint64_t
add_up(const struct sb_profile *p, int64_t *waited, uint64_t n_processes)
{
    int64_t waker[SB_BLOCK_ROWS], wait[SB_BLOCK_ROWS], process[SB_BLOCK_ROWS];
    uint64_t blocks = (sb_profile_rows(p, SB_T_gap) + SB_BLOCK_ROWS - 1) / SB_BLOCK_ROWS;
    uint64_t step = blocks / MOST_BLOCKS + 1;
    for (uint64_t b = 0, seen = 0; b < blocks; b += step) {
        if (++seen % RELEASE_EVERY == 0)
            sb_profile_release(p);
        size_t n = sb_profile_block(p, SB_T_gap, SB_C_gap__waker, b, waker);
        sb_profile_block(p, SB_T_gap, SB_C_gap__wait_ns, b, wait);
        sb_profile_block(p, SB_T_gap, SB_C_gap__process, b, process);
        for (size_t i = 0; i < n; i++)
            if (waker[i] >= 1 && (uint64_t)waker[i] <= n_processes && wait[i] > 0 && waker[i] != process[i])
                __builtin_add_overflow(waited[waker[i]], wait[i], &waited[waker[i]]);
    }
    return step;
}

static bool
ask_waiters(const struct sb_ask *ask, struct sb_funnel *f, struct sb_err *e)
{
    struct sb_table t;
    struct sb_sql_value id = {":id", false, f->process, {0}};
    SB_TRY(sb_sql_ask(
        ask->sql,
        SB_STR("SELECT count(*), sum(coalesce(run_ns, 0) + coalesce(wait_ns, 0) + coalesce(runnable_ns, 0) + "
               "coalesce(dirty_ns, 0) + coalesce(handover_ns, 0)), (SELECT run_ns FROM process WHERE id = :id) FROM process WHERE id IN "
               "(SELECT receiver FROM message_edge WHERE sender = :id AND receiver <> :id)"),
        &id, 1, NULL, ask->arena, &t, e));
    f->waiters = t.cell[0].i;
    f->lives_ns = t.column[1].type == SB_INT && t.cell[1].i != SB_NULL ? t.cell[1].i : 0;
    f->busy_ns = t.column[2].type == SB_INT && t.cell[2].i != SB_NULL ? t.cell[2].i : 0;
    return true;
}

bool
sb_funnel_find(const struct sb_ask *ask, struct sb_funnel *f, struct sb_err *e)
{
    uint64_t n = sb_profile_rows(ask->profile, SB_T_process);
    int64_t *waited = calloc(n + 1, sizeof *waited);
    if (waited == NULL)
        sb_out_of_memory((n + 1) * sizeof *waited);
    *f = (struct sb_funnel){.process = SB_NULL};
    uint64_t step = add_up(ask->profile, waited, n);
    for (uint64_t i = 1; i <= n; i++)
        if (waited[i] > f->waited_ns)
            f->waited_ns = waited[i], f->process = (int64_t)i;
    free(waited);
    f->is_sample = step > 1;
    if (__builtin_mul_overflow(f->waited_ns, (int64_t)step, &f->waited_ns))
        f->waited_ns = INT64_MAX;
    return f->process == SB_NULL || ask_waiters(ask, f, e);
}
