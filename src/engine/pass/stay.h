/* Slices and gaps: the states of a process over time. stay.c turns events into slices and gaps; gap.c
 * decides what each gap was. */
#pragma once
#include "engine/state/run.h"

/* Decides what p's gap was, and writes its row. `next`: the event after the gap; NULL if the trace, or
 * what is known of it, ended. `decided`: the time of the decision. */
void sb_gap_close(struct sb_part *x, struct sb_proc *p, const struct sb_event *next, int64_t decided);
void sb_gap_unknown(struct sb_part *x, struct sb_proc *p, int64_t from, int64_t to);
/* A garbage collection begins, ends, or its end was lost: it takes time out of slices. */
void sb_stay_collects(struct sb_proc *p, int64_t from);
void sb_stay_collected(struct sb_part *x, struct sb_proc *p, int64_t to);
void sb_stay_collection_lost(struct sb_proc *p);
/* Adds a wait of `ns` in `fn`. */
void sb_place_add(struct sb_proc *p, uint32_t fn, int64_t ns);
