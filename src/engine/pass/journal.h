/*
 * The table event: facts of the trace that no other table preserves, so that a profile can be replayed as
 * events (profile_source.h). Other passes add events here whose importance only they can judge.
 */
#pragma once
#include "engine/state/run.h"

/* `settled`: the stamp of the event that showed it, by which rows are ordered. */
void sb_journal(struct sb_part *x, const struct sb_proc *p, const struct sb_event *ev, int64_t settled);
/* Adds what the trace states about functions; after the last window. */
void sb_journal_stated(const struct sb_run *r);
