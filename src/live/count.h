/*
 * Running a command so that every BEAM it starts counts its calls by breakpoints, without a trace. The VM
 * reads ERL_AFLAGS and starts strobe_count before the program; that leaves what it counted in our folder:
 *
 *     command ──exec──> VM ──at its end──> FOLDER/OSPID.counts
 *
 * Of several VMs (start scripts run short probes too) the one with most calls is the answer.
 */
#ifndef SB_LIVE_COUNT_H
#define SB_LIVE_COUNT_H
#include "base/arena.h"
#include "base/err.h"
#include "base/vec.h"

enum sb_count_kind { SB_COUNT_CALLS, SB_COUNT_TIME, SB_COUNT_WORDS };

struct sb_count_options {
    enum sb_count_kind kind;
    const char *const *module, *const *process;
    size_t n_modules, n_processes;
    bool by_process;
    char **command; /* argv, NULL at the end */
};

struct sb_counted {
    struct sb_str process, function; /* process: empty when all are together */
    int64_t calls, value;            /* value: microseconds or words */
};

struct sb_counted_list { /* an SB_VEC */
    struct sb_counted *at;
    size_t n, cap;
};

struct sb_count_result {
    int exit_code; /* the command's, or 128 + signal */
    unsigned vms;  /* that told what they counted */
    struct sb_counted_list row;
    struct sb_str failed;  /* what a VM that could not count said */
    struct sb_str missing; /* lines on what was asked for and the VM that was taken never loaded */
};

/* False when strobe itself failed. The rows are malloced (SB_VEC_FREE), their text is in the arena. */
bool sb_count(const struct sb_count_options *o, struct sb_arena *a, struct sb_count_result *r,
              struct sb_err *e);

#endif
