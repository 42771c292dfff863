/* A folder of runs: the traces N.sbt of strobe record --runs, or any profiles and traces. */
#pragma once
#include "base/err.h"
#include "base/vec.h"

struct sb_runs { /* paths, by number, then name */
    const char **at;
    size_t n, cap;
};
/*
 * `path` itself if it is no folder. In a folder each file *.sbt or *.sbp is a run; a profile beside its trace is the
 * same run, and so is N.OSPID.sbt, the trace of another VM of run N, unless each is wanted.
 */
bool sb_runs_find(const char *path, bool each_vm, struct sb_arena *a, struct sb_runs *out, struct sb_err *e);
