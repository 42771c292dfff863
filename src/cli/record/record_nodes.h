/*
 * `strobe record --nodes`: nodes that run already are recorded as well, from before the command starts until it has
 * ended. The recording of the command and that of each node are processes of their own:
 *
 *     record ──fork──> attach a@h, attach b@h, ... ; when each records or refuses ──fork──> record of the command
 */
#ifndef SB_CLI_RECORD_NODES_H
#define SB_CLI_RECORD_NODES_H
#include "cli/record/recording.h"

/* Records the command and puts the paths of its traces into `traces`, a NUL after each; returns the exit code. */
typedef int sb_record_command(struct sb_recording_options *r, struct sb_out *traces, struct sb_arena *a);
int sb_record_nodes(struct sb_recording_options *r, sb_record_command *command, struct sb_arena *a);

#endif
