/* Slices and gaps: the states of a process over time. stay.c turns events into them, gap.c judges the gaps.
 */
#ifndef SB_ENGINE_STAY_H
#define SB_ENGINE_STAY_H
#include "engine/state/run.h"

/* Judges p's gap and writes its row. `next`: the event after it, which shows what the process was about; NULL
   when the trace, or what is known of it, ended. `decided`: when that was settled. */
void sb_gap_close(struct sb_part *x, struct sb_proc *p, const struct sb_event *next, int64_t decided);
void sb_gap_unknown(struct sb_part *x, struct sb_proc *p, int64_t from, int64_t to);
/* It is on a scheduler and collected garbage up to now. */
void sb_stay_collected(struct sb_part *x, struct sb_proc *p, int64_t to);
/* It waited in `fn` for so long. */
void sb_place_add(struct sb_proc *p, uint32_t fn, int64_t ns);

#endif
