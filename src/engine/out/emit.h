/*
 * Rows on their way into the profile. Passes leave them in their parts, names as ids; there they lie until
 * they make a segment, which the builder puts in order and writes (profile/build.h).
 */
#ifndef SB_ENGINE_EMIT_H
#define SB_ENGINE_EMIT_H
#include "engine/state/run.h"

struct sb_emit;
struct sb_emit *sb_emit_open(struct sb_run *r);
void sb_emit_close(struct sb_emit *m);
/* Takes what the parts hold, and of rows what makes segments. With more than one worker another thread of the
   pool writes it while the next window is made; nobody else may touch the builder until sb_emit_wait. */
void sb_emit_window(struct sb_emit *m);
void sb_emit_wait(struct sb_emit *m);
void sb_emit_last(struct sb_emit *m);                   /* after the last window: the rows that are left */
int64_t sb_emit_text(struct sb_emit *m, uint32_t name); /* as Erlang writes it, a handle of the builder */

#endif
