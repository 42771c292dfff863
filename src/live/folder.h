/*
 * The folder of one recording: what the VMs are to record, their rings, and what went wrong in them. In
 * memory where the machine has a file system in memory; for its owner's eyes only; gone when the recording is
 * over.
 */
#ifndef SB_LIVE_FOLDER_H
#define SB_LIVE_FOLDER_H
#include "base/arena.h"
#include "base/err.h"

struct sb_recording {           /* what the VMs are to record */
    const char *classes;        /* "all" or "procs,running" */
    const char *modules, *apps; /* "a,b" or NULL */
    uint64_t buffer;
};

struct sb_folder {
    const char *path;
    const char *home;       /* where this program lies, and the rest of strobe */
    const char *erl_aflags; /* what ERL_AFLAGS is to be: ours, then what was there */
    const char *drain;      /* the program strobe-drain */
};

/* A folder, and flags that have each VM start with the module `starter`; no drain and no options in it yet.
 */
bool sb_folder_begin(struct sb_folder *f, const char *starter, struct sb_arena *a, struct sb_err *e);
bool sb_folder_open(struct sb_folder *f, const struct sb_recording *what, struct sb_arena *a,
                    struct sb_err *e);
void sb_folder_failures(const struct sb_folder *f, struct sb_arena *a, struct sb_str *out); /* empty: none */
/* Lines on what was asked for and what that VM never loaded; empty: none. */
struct sb_str sb_folder_missing(const struct sb_folder *f, uint32_t os_pid, struct sb_arena *a);
void sb_folder_close(struct sb_folder *f); /* leaves rings that nobody has emptied */

#endif
