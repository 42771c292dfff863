/*
 * The profiles that are served. A trace among them is analysed first, by a thread of its own, while the
 * server already answers; what is ready never changes, so any number of threads may read it without a lock.
 */
#ifndef SB_SERVE_SHELF_H
#define SB_SERVE_SHELF_H
#include "base/err.h"
#include "profile/profile.h"
#include <pthread.h>
#include <stdatomic.h>

enum sb_book_state { SB_BOOK_ANALYSING, SB_BOOK_READY, SB_BOOK_FAILED };

struct sb_roll; /* serve/roll.h */

struct sb_book {      /* one profile */
    const char *path; /* as given: a profile or a trace */
    char profile_path[4096];
    _Atomic int state;
    _Atomic uint64_t done_bytes, total_bytes; /* of an analysis that runs */
    struct sb_err err;                        /* of one that failed */
    struct sb_profile *profile;
    int64_t end_ns, longest_slice_ns, longest_gc_ns;
    bool elixir;             /* a process of an Elixir application runs in it */
    uint64_t dev, ino, size; /* of the file that was opened */
    uint32_t *process_row;   /* by process.id, row + 1; 0 is none */
    uint32_t *group_of;      /* by process.id, process_group.id */
    uint64_t n_ids;
    struct sb_roll *roll; /* the processes' orders that were asked for lately; has its own lock */
};

struct sb_shelf {
    struct sb_book *book;
    size_t n;
    pthread_t thread;
    bool started;
    _Atomic bool stop;
    const char *const *source_dir; /* where a function's code may be looked for */
    size_t n_source_dirs;
};

/* keeps the source_dir that is there */
bool sb_shelf_open(struct sb_shelf *s, const char *const *paths, size_t n, struct sb_err *e);
void sb_shelf_close(struct sb_shelf *s);            /* stops an analysis that still runs */
bool sb_shelf_is_settled(const struct sb_shelf *s); /* no analysis runs, and none will */
/* has the file of a ready book been cut, replaced or deleted since it was opened? */
enum sb_book_fate { SB_BOOK_SAME, SB_BOOK_REPLACED, SB_BOOK_CUT } sb_book_fate(const struct sb_book *b);
/* opens a profile outside of a shelf, as a report does */
bool sb_book_open(struct sb_book *b, const char *profile_path, struct sb_err *e);
void sb_book_close(struct sb_book *b);
bool sb_book_process_row(const struct sb_book *b, int64_t id,
                         uint64_t *row);                    /* false: there is no such process */
int64_t sb_book_group(const struct sb_book *b, int64_t id); /* SB_NULL when it is in none */

#endif
