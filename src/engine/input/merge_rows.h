/*
 * What a merge copies from its profiles instead of replaying it: when each process was first and last seen,
 * the places of waits that the VM reported, and the rows of calls and sampled stacks.
 */
#pragma once
#include "engine/state/run.h"

/* after all blocks of the inputs, which are profiles, were read */
struct sb_merge_rows *sb_merge_rows_open(const struct sb_run *r);
void sb_merge_rows_close(struct sb_merge_rows *s);
/* Copies the rows of p's calls, settled at `at`, once. Any thread, for its own parts. */
void sb_merge_rows_calls(struct sb_part *x, struct sb_proc *p, int64_t at);
/* Whether there are any; adds the number of call nodes. */
bool sb_merge_rows_has_calls(const struct sb_run *r, const struct sb_proc *p, size_t *nodes);
