/*
 * Functions that the governor of a recording stopped tracing and only counted. Their number of calls is the
 * recorded calls plus the last count. Control adds the counts in time order; at the end they go to the
 * builder.
 */
#pragma once
#include "engine/state/run.h"

struct sb_counted;
struct sb_counted *sb_counted_open(void);
void sb_counted_close(struct sb_counted *c);
void sb_counted_take(struct sb_run *r, const struct sb_event *counter);
void sb_counted_finish(struct sb_run *r);
