/* Starts the program strobe-drain for a recording, and again when it was killed: it resumes where the first stopped. */
#pragma once
#include "live/record/record_options.h"

struct sb_drain_program {
    const char *path, *rings, *trace;
    bool keeps_map; /* of functions: nobody asked the node to write it for this recording */
    pid_t pid;      /* 0: does not run */
    unsigned restarts;
    int status; /* how it ended, as of wait() */
};

bool sb_drain_program_start(struct sb_drain_program *d, const struct sb_record_options *o, struct sb_arena *a,
                            struct sb_err *e);
/* To be called when it was reaped. */
bool sb_drain_program_ended(struct sb_drain_program *d, int status, const struct sb_record_options *o,
                            struct sb_arena *a, struct sb_err *e);
