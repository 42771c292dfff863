/* One run of a command without recording: how long it took, and the CPU time of it and its children. */
#pragma once
#include "base/err.h"

struct sb_trial {
    int64_t ns, cpu_ns;
    int exit_code; /* of the command, or 128 + signal; 126 or 127 if it could not be started */
};
/* Returns false when strobe itself failed, or could not start the command. */
bool sb_trial_run(char *const *argv, struct sb_trial *t, struct sb_err *e);
