/* The slices of a process: their rows, spans, migrations and sums. Only stay.c decides when one begins and ends. */
#pragma once
#include "engine/state/run.h"

static inline bool
sb_lane_is_dirty(sb_lane lane)
{
    return sb_lane_kind(lane) == SB_LANE_DIRTY_CPU || sb_lane_kind(lane) == SB_LANE_DIRTY_IO;
}

void sb_slice_begin(struct sb_part *x, struct sb_proc *p, const struct sb_event *ev);
/* `settled`: the stamp of the event that showed it; later than `to` where only the end of the trace does. */
void sb_slice_end(struct sb_part *x, struct sb_proc *p, int64_t to, int64_t settled, uint32_t out_fn);
/* The slice that begins is on `lane`; the profile has migrations from that (profile/follows.h). */
void sb_slice_move(const struct sb_part *x, struct sb_proc *p, sb_lane lane);
/* Counts the time of the collection that runs, up to `to`. */
void sb_slice_collects(struct sb_part *x, struct sb_proc *p, int64_t to);
/* The columns of table process that stay fills, from its sums. */
void sb_slice_put(const struct sb_run *r, const struct sb_proc *p, int64_t *c);
void sb_slice_put_port(const struct sb_run *r, const struct sb_proc *p, int64_t *cells);
