/*
 * The profiles that are served. A trace among them is analysed first, by a thread of its own, while the
 * server already answers. A ready profile never changes, so any number of threads read it without a lock.
 */
#ifndef SB_SERVE_PROFILES_H
#define SB_SERVE_PROFILES_H
#include "base/err.h"
#include "profile/profile.h"
#include <pthread.h>
#include <stdatomic.h>

enum sb_served_state { SB_SERVED_ANALYSING, SB_SERVED_READY, SB_SERVED_FAILED };

struct sb_process_order; /* serve/process_order.h */

struct sb_served {    /* one profile */
    const char *path; /* as given: a profile or a trace */
    char profile_path[4096];
    _Atomic int state;
    _Atomic uint64_t done_bytes, total_bytes; /* of a running analysis */
    struct sb_err err;                        /* of a failed analysis */
    struct sb_profile *profile;
    int64_t end_ns, longest_slice_ns, longest_gc_ns;
    bool elixir;             /* a process of an Elixir application runs in it */
    uint64_t dev, ino, size; /* of the opened file */
    struct timespec written; /* its last change */
    uint32_t *process_row;   /* by process.id, row + 1; 0 is none */
    uint32_t *group_of;      /* by process.id, process_group.id */
    uint64_t n_ids;
    struct sb_process_order *roll; /* the last orders of processes; has its own lock */
};

struct sb_profiles {
    struct sb_served *served;
    size_t n;
    pthread_t thread;
    bool started;
    _Atomic bool stop;
    const char *const *source_dir; /* folders to search for source code */
    size_t n_source_dirs;
};

/* Opens the profiles among the files; starts no thread. Leaves source_dir as it is. */
bool sb_profiles_open(struct sb_profiles *s, const char *const *paths, size_t n, struct sb_err *e);
bool sb_profiles_start(struct sb_profiles *s, struct sb_err *e); /* analyses the traces, in a thread */
void sb_profiles_close(struct sb_profiles *s);                   /* stops a running analysis */
bool sb_profiles_is_settled(const struct sb_profiles *s);        /* no analysis runs or will run */
/* Whether the file of a ready profile was written to, replaced or deleted since it was opened. */
enum sb_served_fate {
    SB_SERVED_SAME,
    SB_SERVED_REPLACED,
    SB_SERVED_OVERWRITTEN
} sb_served_fate(const struct sb_served *b);
/* Opens a single profile, for a report. */
bool sb_served_open(struct sb_served *b, const char *profile_path, struct sb_err *e);
void sb_served_close(struct sb_served *b);
bool sb_served_process_row(const struct sb_served *b, int64_t id, uint64_t *row); /* false: no such process */
int64_t sb_served_group(const struct sb_served *b, int64_t id); /* SB_NULL if it is in none */

#endif
