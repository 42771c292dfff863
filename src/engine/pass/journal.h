/*
 * The table event: what the trace told and no other table keeps, so that a profile can be told again as
 * events (profile_source.h). Other passes write here what they alone know to be worth it.
 */
#ifndef SB_ENGINE_JOURNAL_H
#define SB_ENGINE_JOURNAL_H
#include "engine/state/run.h"

/* `settled`: the stamp of the event that showed it, by which rows are ordered. */
void sb_journal(struct sb_part *x, const struct sb_proc *p, const struct sb_event *ev, int64_t settled);

#endif
