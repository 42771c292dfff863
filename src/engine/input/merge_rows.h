/*
 * What a merge takes over from its profiles without going back to events: when each process was first and
 * last seen, its waiting places where the VM told them, and the rows of its calls and sampled stacks.
 */
#ifndef SB_ENGINE_MERGE_ROWS_H
#define SB_ENGINE_MERGE_ROWS_H
#include "engine/state/run.h"

struct sb_merge_rows *sb_merge_rows_open(struct sb_run *r); /* its inputs are profiles, all read */
void sb_merge_rows_close(struct sb_merge_rows *s);
/* Rows of p's calls, settled at `at`, once. Any thread, its own parts. */
void sb_merge_rows_calls(struct sb_part *x, struct sb_proc *p, int64_t at);
/* Whether that will be any; adds how many call nodes. */
bool sb_merge_rows_has_calls(const struct sb_run *r, const struct sb_proc *p, size_t *nodes);

#endif
