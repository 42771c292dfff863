/*
 * The folder of one recording: options for the VMs, their rings, and the errors of VMs. It is in a file
 * system in memory where there is one, and removed when the recording is over. Only its owner can read it; where
 * that is root, other users can create files in it, since a server's start script becomes another user.
 */
#pragma once
#include "base/arena.h"
#include "base/err.h"
#include <sys/types.h>

struct sb_recording {           /* the options of the VMs */
    const char *classes;        /* "all" or "procs,running" */
    const char *modules, *apps; /* "a,b" or NULL */
    const char *command;        /* what is recorded, as typed in a shell, for the trace; NULL: unknown */
    bool flight;                /* the drain is a flight recorder */
    const char *log; /* a flight recorder writes a trace when an event of this level is logged; NULL: none */
    uint64_t buffer;
    unsigned cpu_hz;  /* samples of the CPU a second, which the drain takes; 0: none */
    bool cpu_told;    /* they need no flag for the VM: the node tells where its functions are, if it can */
    bool cpu_mapped;  /* as cpu_told, of OTP 29, whose VM does not tell: flags have it write a map */
    int64_t delay_ns; /* from the start of a VM to the recording's */
    int64_t max_ns;   /* the longest time of a recording; 0: no limit */
};

#define SB_OTP29_FLAGS "ERL_OTP29_FLAGS"

struct sb_folder {
    const char *path;
    const char *home;        /* folder of this program and the rest of strobe */
    const char *erl_aflags;  /* value for ERL_AFLAGS: strobe's flags, then the existing ones */
    const char *otp29_flags; /* value for ERL_OTP29_FLAGS, likewise; NULL: as it is */
    const char *drain;       /* path of strobe-drain */
    bool is_private;         /* strobe runs as root from where other users cannot read it */
};

/* Finds the folder of this program; strobe-drain and the Erlang application are installed next to it. */
bool sb_folder_home(struct sb_arena *a, const char **home, struct sb_err *e);
/* Creates a folder, and flags that make each VM start the module `starter`; does not set the drain and the
 * options. */
bool sb_folder_begin(struct sb_folder *f, const char *starter, struct sb_arena *a, struct sb_err *e);
/* Whether the `erl` of $PATH is of OTP 29 and knows these flags: a VM without the JIT would not start with them. */
bool sb_folder_has_maps(struct sb_arena *a);
bool sb_folder_open(struct sb_folder *f, const struct sb_recording *what, struct sb_arena *a,
                    struct sb_err *e);
/* Returns what a VM wrote into a file of the folder: OSPID.failed, the error of a VM that could not record, or
 * OSPID.missing, lines about requested modules that it never loaded. Empty: nothing. Where other users can
 * create files, only those of `user` and root are read, no link is followed, and the text is limited and printable. */
struct sb_str sb_folder_read(const struct sb_folder *f, const char *name, uid_t user, struct sb_arena *a);
void sb_folder_end(const struct sb_folder *f); /* VMs that start from now on are not recorded */
void sb_folder_close(struct sb_folder *f);     /* keeps rings that have not been emptied */
