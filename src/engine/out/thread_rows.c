#include "engine/out/thread_rows.h"
#include "engine/out/emit.h"
#include "engine/world/lanes.h"
#include "trace/thread_name.h"
#include <stdlib.h>

static int
by_node_and_tid(const void *a, const void *b, void *run)
{
    const struct sb_thread_sum *x = *(struct sb_thread_sum *const *)a, *y = *(struct sb_thread_sum *const *)b;
    int64_t m = sb_node_id(run, x->node), n = sb_node_id(run, y->node);
    return m != n ? (m > n) - (m < n) : (x->tid > y->tid) - (x->tid < y->tid);
}

/* A thread that a scheduler started and that never set its name has the scheduler's name. Of several
 * threads with one name, the oldest is the scheduler. */
static bool
is_copy(const struct sb_run *r, struct sb_thread_sum *const *all, size_t i)
{
    for (size_t k = i; k-- > 0 && all[k]->node == all[i]->node;)
        if (sb_str_eq(sb_names_str(r->names, all[k]->name), sb_names_str(r->names, all[i]->name)))
            return true;
    return false;
}

static void
write_thread(const struct sb_run *r, const struct sb_thread_sum *t, bool copy)
{
    static const uint8_t word[] = {[SB_LANE_NORMAL] = SB_W_normal,
                                   [SB_LANE_DIRTY_CPU] = SB_W_dirty_cpu,
                                   [SB_LANE_DIRTY_IO] = SB_W_dirty_io};
    sb_lane lane = copy ? SB_LANE_NONE : sb_thread_lane(sb_names_str(r->names, t->name));
    uint32_t id = lane == SB_LANE_NONE ? 0 : sb_lane_find(r, (uint32_t)t->node << 16 | lane).i;
    int64_t c[] = {
        [SB_C_thread__node] = sb_node_id(r, t->node),
        [SB_C_thread__tid] = t->tid,
        [SB_C_thread__name] = sb_emit_text(r->services.emit, t->name),
        [SB_C_thread__kind] = lane == SB_LANE_NONE
                                  ? sb_build_text(r->services.build, SB_STR("other"))
                                  : sb_emit_text(r->services.emit, r->words.of[word[sb_lane_kind(lane)]]),
        [SB_C_thread__scheduler] = id ? (int64_t)id : SB_NULL,
        [SB_C_thread__start] = sb_rel(r, t->first),
        [SB_C_thread__end] = sb_rel(r, t->last),
        [SB_C_thread__cpu_ns] = t->sum[SB_THREAD_CPU],
        [SB_C_thread__queue_ns] = t->sum[SB_THREAD_QUEUE],
        [SB_C_thread__voluntary] = t->sum[SB_THREAD_VOLUNTARY],
        [SB_C_thread__involuntary] = t->sum[SB_THREAD_INVOLUNTARY],
    };
    sb_build_row(r->services.build, SB_T_thread, c);
}

void
sb_threads_write(struct sb_run *r)
{
    SB_SCOPED SB_VEC(struct sb_thread_sum *) all = {0};
    for (unsigned i = 0; i < SB_PARTS; i++)
        for (size_t k = 0; k < r->part[i].threads.at.n; k++)
            *SB_PUSH(&all) = &r->part[i].threads.at.at[k];
    if (all.n > 1)
        qsort_r(all.at, all.n, sizeof *all.at, by_node_and_tid, r);
    for (size_t i = 0; i < all.n; i++)
        write_thread(r, all.at[i], is_copy(r, all.at, i));
}
