/*
 * An opened profile, and what the routes look up in it. It never changes, so any number of threads read it without
 * a lock.
 */
#pragma once
#include "base/err.h"
#include "profile/profile.h"
#include "profile/sql/sql.h"
#include <stdatomic.h>
#include <time.h>

#define SB_WORKERS 4 /* threads of the server that answer */

struct sb_process_order; /* serve/process_order.h */

struct sb_served {
    char profile_path[4096]; /* empty: its file has no name any more, so nobody else can open it */
    struct sb_profile *profile;
    int64_t end_ns, longest_slice_ns, longest_gc_ns;
    bool elixir;             /* a process of an Elixir application runs in it */
    uint64_t dev, ino, size; /* of the opened file */
    struct timespec written; /* its last change */
    uint32_t *process_row;   /* by process.id, row + 1; 0 is none */
    uint32_t *group_of;      /* by process.id, process_group.id */
    uint64_t n_ids;
    struct sb_process_order *roll;          /* the last orders of processes; has its own lock */
    struct sb_sql *_Atomic sql[SB_WORKERS]; /* a connection per worker, opened on first use */
};

bool sb_served_open(struct sb_served *b, const char *profile_path, struct sb_err *e);
void sb_served_interrupt(struct sb_served *b); /* its running statements */
void sb_served_close(struct sb_served *b);
/* Whether the file was written to, replaced or deleted since it was opened. */
enum sb_served_fate {
    SB_SERVED_SAME,
    SB_SERVED_REPLACED,
    SB_SERVED_OVERWRITTEN
} sb_served_fate(const struct sb_served *b);
bool sb_served_process_row(const struct sb_served *b, int64_t id, uint64_t *row); /* false: no such process */
int64_t sb_served_group(const struct sb_served *b, int64_t id); /* SB_NULL if it is in none */
