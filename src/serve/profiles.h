/*
 * The files that are served. A trace among them is analysed first, by a thread of its own, while the server already
 * answers; one that is still being written is followed. Those of a folder are opened when somebody asks for them, also
 * files that came to it later.
 */
#pragma once
#include "serve/follow.h"

enum sb_served_state { SB_SERVED_ANALYSING, SB_SERVED_READY, SB_SERVED_FAILED };

struct sb_listed {    /* one file */
    const char *path; /* as given: a profile or a trace */
    /* somebody asked for it: until then a file of a folder is not opened */
    _Atomic bool is_wanted;
    _Atomic int state;
    _Atomic uint64_t done_bytes, total_bytes; /* of a running analysis */
    struct sb_err err;                        /* of a failed analysis */
    struct sb_editions editions;              /* at least one if it is ready */
    struct sb_follow *follow;                 /* NULL: its trace was complete from the start */
};

struct sb_profiles {
    struct sb_listed *listed;
    _Atomic size_t n;
    const char *folder;    /* NULL: the files were named */
    struct sb_arena paths; /* of the folder's files */
    pthread_t thread;
    bool started;
    _Atomic bool stop;
    const char *const *source_dir; /* folders to search for source code */
    size_t n_source_dirs;
};

/* Opens the profiles among the files; starts no thread. Leaves source_dir as it is. `coming`: they are traces that
 * are being recorded, and may not exist yet. */
bool sb_profiles_open(struct sb_profiles *s, const char *const *paths, size_t n, bool coming,
                      struct sb_err *e);
/* Lists those of a folder, up to 1,000. Fails if there are none in it. */
bool sb_profiles_open_folder(struct sb_profiles *s, const char *folder, struct sb_err *e);
/* Adds files that came to the folder, for one thread at a time. */
void sb_profiles_look(struct sb_profiles *s);
bool sb_profiles_start(struct sb_profiles *s, struct sb_err *e); /* analyses the traces, in a thread */
void sb_profiles_leave(
    struct sb_profiles *s); /* stops a running analysis; readers may go on until the process ends */
void sb_profiles_close(struct sb_profiles *s);            /* stops a running analysis */
bool sb_profiles_is_settled(const struct sb_profiles *s); /* no analysis runs or will run */
/* Whether more is to come of a file. */
bool sb_listed_is_followed(const struct sb_listed *b);
