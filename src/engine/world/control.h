/*
 * What concerns more than one process, taken in time order by one thread before the passes of a window run:
 * pids that are used again, registered names, links (an exit is told to who is linked), losses, the
 * schedulers' own activity, and what the trace says of itself. Reading is safe from any thread while the
 * passes run.
 */
#ifndef SB_ENGINE_CONTROL_H
#define SB_ENGINE_CONTROL_H
#include "engine/state/run.h"

struct sb_control *sb_control_open(void);
void sb_control_close(struct sb_control *c);

bool sb_control_wants(const struct sb_run *r, uint8_t kind); /* events of this kind go to control as well */
/* What holds from the start, wherever in the trace it is said: which functions wait. */
void sb_control_ahead(struct sb_run *r, const struct sb_items *events);
/* All control events of the window, in order, and the sends to names and aliases in it. */
void sb_control_window(struct sb_run *r, const struct sb_items *events, const struct sb_items *named);
/* Schedulers' own activity, when they are numbered. */
void sb_control_schedulers(struct sb_run *r, const struct sb_items *events);
/* The last exit of `a` up to `until`. */
bool sb_control_exit_of(const struct sb_control *c, sb_actor a, int64_t until, int64_t *at);
/* Losses that touch states, in time order: the n-th, NULL behind the last. */
const struct sb_event *sb_control_loss(const struct sb_control *c, size_t n);
/* Which CPUs the node may use, as its trace says first; NULL: it does not. */
const struct sb_event *sb_control_cpus(const struct sb_control *c, unsigned node);
void sb_control_finish(struct sb_run *r); /* scheduler activity up to the end, tables loss and meta */

#endif
