/*
 * From blocks to windows. Blocks are read in the order of their first stamps, and all events before the first
 * stamp of what is unread are a window. strobe's blocks tell their bounds, those of OTP's files are looked
 * for beforehand (sb_source_scan). Where nothing is told (text, profiles), or records come so late that more
 * would wait than memory was meant to hold, all of them are read first; windows are then cut from what lies
 * in the parts (store.h).
 *
 * Where nobody says which functions wait, the windows are gone through once before, to learn it (waits.h).
 */
#ifndef SB_ENGINE_ORDER_H
#define SB_ENGINE_ORDER_H
#include "engine/state/run.h"

struct sb_order;
struct sb_order *sb_order_open(struct sb_run *r);
void sb_order_close(struct sb_order *o);
/* Makes the next window: events sorted by process and time in every part. False at the end, with e->code
   SB_OK, or on an error. */
bool sb_order_next(struct sb_order *o, struct sb_err *e);

#endif
