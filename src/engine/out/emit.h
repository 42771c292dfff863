/*
 * Moves rows into the profile. Passes store rows in their parts, with name ids in text cells. The rows stay
 * there until they fill a segment, which the builder sorts and writes (profile/build.h).
 */
#pragma once
#include "engine/state/run.h"

struct sb_emit;
struct sb_emit *sb_emit_open(const struct sb_run *r);
void sb_emit_close(struct sb_emit *m);
/* Takes over the spans of all parts, and the rows of each table that fill segments. With more than one
 * worker, another thread of the pool writes them while the next window is analysed; no other thread may
 * use the builder until sb_emit_wait returns. */
void sb_emit_window(struct sb_emit *m);
void sb_emit_wait(struct sb_emit *m);
void sb_emit_last(struct sb_emit *m); /* after the last window: writes all remaining rows */
/* the name in Erlang syntax, as a handle of the builder */
int64_t sb_emit_text(struct sb_emit *m, uint32_t name);
