/*
 * The folder of one recording: options for the VMs, their rings, and the errors of VMs. It is in a file
 * system in memory where there is one, readable by its owner only, and removed when the recording is over.
 */
#ifndef SB_LIVE_FOLDER_H
#define SB_LIVE_FOLDER_H
#include "base/arena.h"
#include "base/err.h"

struct sb_recording {           /* the options of the VMs */
    const char *classes;        /* "all" or "procs,running" */
    const char *modules, *apps; /* "a,b" or NULL */
    uint64_t buffer;
};

struct sb_folder {
    const char *path;
    const char *home;       /* folder of this program and the rest of strobe */
    const char *erl_aflags; /* value for ERL_AFLAGS: strobe's flags, then the existing ones */
    const char *drain;      /* path of strobe-drain */
};

/* Creates a folder, and flags that make each VM start the module `starter`; does not set the drain and the
 * options. */
bool sb_folder_begin(struct sb_folder *f, const char *starter, struct sb_arena *a, struct sb_err *e);
bool sb_folder_open(struct sb_folder *f, const struct sb_recording *what, struct sb_arena *a,
                    struct sb_err *e);
void sb_folder_failures(const struct sb_folder *f, struct sb_arena *a, struct sb_str *out); /* empty: none */
/* Returns lines about requested modules that the VM never loaded; empty: none. */
struct sb_str sb_folder_missing(const struct sb_folder *f, uint32_t os_pid, struct sb_arena *a);
void sb_folder_close(struct sb_folder *f); /* keeps rings that have not been emptied */

#endif
