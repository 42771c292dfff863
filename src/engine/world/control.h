/*
 * Handles everything that concerns more than one process: reused pids, registered names, links (an exit is
 * passed on to linked processes), losses, scheduler activity, and facts about the trace itself. One thread
 * does this in time order before the passes of a window. Other threads may read the results while the passes
 * run.
 */
#pragma once
#include "engine/state/run.h"

struct sb_control *sb_control_open(void);
void sb_control_close(struct sb_control *c);

/* whether control also gets events of this kind */
bool sb_control_wants(const struct sb_run *r, uint8_t kind);
/* Reads facts that hold for the whole trace regardless of their position: which functions wait. The events are not
 * in order. */
void sb_control_ahead(struct sb_run *r, const struct sb_items *events);
void sb_control_restart(struct sb_control *c); /* all events will be read again */
/* Whether an event states something about a function, wherever it stands in the trace. */
bool sb_control_is_stated(uint8_t kind);
/* Returns the n-th statement about a function, or NULL. */
const struct sb_event *sb_control_stated(const struct sb_control *c, size_t n);
/* Handles the samples up to a moment after the window (quiet.h), in time order. */
void sb_control_samples(struct sb_run *r, const struct sb_items *events);
/* Handles all control events of the window, in time order, and its sends to names and aliases. */
void sb_control_window(struct sb_run *r, const struct sb_items *events, const struct sb_items *named);
/* Adds up scheduler activity; called after schedulers were numbered. */
void sb_control_schedulers(struct sb_run *r, const struct sb_items *events);
/* Finds the last exit of `a` at or before `until`. */
bool sb_control_exit_of(const struct sb_control *c, sb_actor a, int64_t until, int64_t *at);
/* Returns the n-th loss that affects states, in time order, or NULL. */
const struct sb_event *sb_control_loss(const struct sb_control *c, size_t n);
/* The number of the first loss at or after that time, from n on. */
size_t sb_control_loss_from(const struct sb_control *c, size_t n, int64_t at);
/* Returns the node's CPU limits, from the first event that holds them, or NULL. */
const struct sb_event *sb_control_cpus(const struct sb_control *c, unsigned node);
void sb_control_forget(struct sb_control *c); /* who lived, linked or had a name: after the last event */
void sb_control_finish(struct sb_run *r);     /* scheduler activity up to the end; tables loss and meta */
