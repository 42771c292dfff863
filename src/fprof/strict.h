/*
 * --strict: corrects known errors of fprof.
 *
 *     fprof                                                        strict
 *     gives up at an unknown message, a loss or bad bytes          skips it and continues after it
 *     gives up at a call or return of a process that is out        assumes that it was scheduled in
 *     lets time go back (CPU time on several schedulers)           stops the clock of that process meanwhile
 *     totals: time from the file's first record to its last        from the earliest to the latest
 *
 * Cutting loops of tail calls short looks like another error, but is correct: see collapse in stack.c.
 */
#pragma once
#include "fprof/sim.h"

bool fp_strict_apply(struct fp_sim *s, const struct fp_event *ev); /* always true */
void fp_strict_close_stacks(struct fp_sim *s, int64_t t);
