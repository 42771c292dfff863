/*
 * Turns blocks into windows. Blocks are read in the order of their first stamps, and all events before the
 * first stamp of any unread block form a window. strobe's blocks state their bounds; those of OTP's files are
 * found beforehand (sb_source_scan). If bounds are unknown (text, profiles), or records come so late that
 * more would wait than the memory limit allows, the whole trace is read first, and windows are then cut from
 * the items in the parts (store.h).
 *
 * If the trace does not state which functions wait, all windows are made twice: the first time to learn it
 * (waits.h).
 */
#pragma once
#include "engine/state/run.h"

struct sb_order;
struct sb_order *sb_order_open(struct sb_run *r);
void sb_order_close(struct sb_order *o);
/* Makes the next window: its events sorted by process and time in every part. Returns false at the end,
 * with e->code SB_OK, or on an error. */
bool sb_order_next(struct sb_order *o, struct sb_err *e);

/* Of a trace that grows, sb_order_next also returns false if no window can be made yet. */
bool sb_order_grow(struct sb_order *o, int64_t known_ns, struct sb_err *e); /* takes in what was added */
void sb_order_rest(struct sb_order *o);         /* waits until no block is being decoded */
bool sb_order_misled(const struct sb_order *o); /* an event came too late for its window */
/* The run ends with the last window, although later events have been read: for a copy of it. */
void sb_order_end_here(const struct sb_order *o);
