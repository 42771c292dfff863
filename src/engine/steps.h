/* The steps of an analysis, for engine.c, which takes them one after another, and growth.c, which waits in between. */
#pragma once
#include "engine/pass/pass.h"
#include "engine/state/run.h"

void sb_steps_open(struct sb_run *r); /* after its inputs and its pool */
void sb_steps_close(struct sb_run *r);
/* Begins the profile, which others may read no more than these traces. */
bool sb_steps_begin(struct sb_run *r, const char *const *paths, size_t n, struct sb_err *e);
void sb_steps_window(struct sb_run *r, const struct sb_dispatch *d); /* the window that was made last */
bool sb_steps_end(struct sb_run *r, struct sb_err *e);               /* completes the profile */
