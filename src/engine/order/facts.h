/* The facts about the trace: facts.c writes them, step by step; to all others they are const. */
#pragma once
#include "engine/order/route.h"
#include "engine/state/run.h"

/* Before reading: what the sources state, and the kinds that scanning found. */
void sb_facts_plan(struct sb_run *r);
/* After each piece read: what all routers saw so far. */
void sb_facts_read(struct sb_trace_facts *f, const struct sb_routed *routed, uint64_t events);
/* Before the passes of a window, and at the end: what is recorded. */
void sb_facts_window(struct sb_run *r);
/* After all passes: what the parts saw. */
void sb_facts_parts(struct sb_run *r);
/* The run is repeated, because events were lost and no source stated it. */
void sb_facts_lost(struct sb_trace_facts *f);
bool sb_facts_lost_any(const struct sb_run *r);
