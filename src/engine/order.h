/*
 * From blocks to windows. Where every block tells its time bounds (.sbt), blocks are read in the order of
 * their first stamps, and all events before the first stamp of what is unread are a window. Where one does
 * not (OTP's files, text), events can be seconds late, so all of them are read first; windows are then cut
 * from what lies in the parts, or in sorted runs on disk where it was more than memory was meant to hold
 * (spill.h).
 */
#ifndef SB_ENGINE_ORDER_H
#define SB_ENGINE_ORDER_H
#include "engine/run.h"

struct sb_order;
struct sb_order *sb_order_open(struct sb_run *r);
void sb_order_close(struct sb_order *o);
/* Makes the next window: events sorted by process and time in every part. False at the end, with e->code
   SB_OK, or on an error. */
bool sb_order_next(struct sb_order *o, struct sb_err *e);

#endif
