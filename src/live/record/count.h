/*
 * Runs a command so that every BEAM it starts counts its calls by breakpoints, without a trace. ERL_AFLAGS
 * makes the VM start strobe_count before the program; strobe_count leaves the counts in the folder of the
 * recording:
 *
 *     command ──exec──> VM ──at its end──> FOLDER/OSPID.counts
 *
 * Start scripts run short probes too. The VM with the most calls is the one that is reported.
 */
#pragma once
#include "base/err.h"
#include "base/vec.h"

enum sb_count_kind { SB_COUNT_CALLS, SB_COUNT_TIME, SB_COUNT_WORDS };

struct sb_count_options {
    enum sb_count_kind kind;
    const char *const *module, *const *process;
    size_t n_modules, n_processes;
    bool by_process;
    char **command; /* argv, NULL-terminated */
};

struct sb_counted {
    struct sb_str process, function; /* process: empty when all are counted together */
    int64_t calls, value;            /* value: microseconds or words */
};

struct sb_counted_list { /* an SB_VEC */
    struct sb_counted *at;
    size_t n, cap;
};

struct sb_count_result {
    int exit_code; /* of the command, or 128 + signal; 126 or 127 if it could not be started */
    unsigned vms;  /* that left counts */
    struct sb_counted_list row;
    struct sb_str failed;  /* the error of a VM that could not count */
    struct sb_str missing; /* lines about requested modules that the chosen VM never loaded */
};

/* Returns false when strobe itself failed. The rows are malloced (SB_VEC_FREE), their text is in the
 * arena. */
bool sb_count(const struct sb_count_options *o, struct sb_arena *a, struct sb_count_result *r,
              struct sb_err *e);
