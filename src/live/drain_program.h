/* Starts the program strobe-drain. */
#ifndef SB_LIVE_DRAIN_PROGRAM_H
#define SB_LIVE_DRAIN_PROGRAM_H
#include "base/arena.h"
#include "live/drain/drain.h"
#include <sys/types.h>

bool sb_drain_program_start(pid_t *pid, const char *program, const struct sb_drain_options *o,
                            struct sb_arena *a, struct sb_err *e);

#endif
