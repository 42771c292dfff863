/* strobe record --runs: a folder of runs of a command, in turns with those of another one. */
#ifndef SB_CLI_RECORD_RUNS_H
#define SB_CLI_RECORD_RUNS_H
#include "cli/record/recording.h"

/*
 * Records `r->runs` runs of its command as N.sbt in the folder `r->o.trace`, and as many of `r->against`, a line for
 * the shell, in the folder `against` there. Forth and back, so that a slow change of the machine favours neither. Ends
 * with the first run that fails. Prints what it does on stderr; returns the exit code.
 */
int sb_record_runs(struct sb_recording_options *r, struct sb_arena *a);

#endif
