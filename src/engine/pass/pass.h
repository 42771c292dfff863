/*
 * A pass: one thing that the engine finds out about processes, as callbacks over their events in time order.
 * A pass is one file and a row in pass.def. Passes run in the order of the rows, each on the kinds that it
 * names, in the part of the process. A pass may read what others stored in the process, if `reads` names it.
 */
#pragma once
#include "engine/state/found.h"
#include "engine/state/run.h"
#include "trace/kind.h"

typedef void sb_pass_fn(struct sb_part *x, struct sb_proc *p, const struct sb_event *ev);

struct sb_on {
    uint8_t kind;
    uint8_t role; /* enum sb_role */
    sb_pass_fn *fn;
};

struct sb_pass {
    const char *name, *doc;
    const struct sb_on *on;
    size_t n_on;
    void (*finish)(struct sb_part *x, struct sb_proc *p); /* may be NULL */
    void (*free)(struct sb_proc *p);                      /* may be NULL */
    /* Whether `finish` makes many rows for this process; adds their number to *rows, by a measure that
     * depends on the data alone. NULL: never. Such a pass is finished last, in ranges (finish.c), so that
     * its data and its rows are not in memory at the same time. No other pass may fill its tables. */
    bool (*has_many)(const struct sb_part *x, const struct sb_proc *p, size_t *rows);
    /* Called for the process's own events of the kinds with this mark in event.def, besides `on`. */
    enum sb_kind_mark mark;
    sb_pass_fn *on_marked;
    /* Fill its columns of a row of table process, or of table port. Text cells hold name ids, 0: none. May be
     * NULL. */
    void (*put)(const struct sb_run *r, const struct sb_proc *p, int64_t *cells);
    void (*put_port)(const struct sb_run *r, const struct sb_proc *p, int64_t *cells);
    /* Merges what it stored in the parts, once, before these rows are written; may be NULL. */
    void (*gather)(const struct sb_run *r);
    /* The state of other passes that it reads, as paths in struct sb_proc; NULL: none. In a callback for an
     * event, passes of earlier rows have handled that event, and passes of later rows have not.
     * tools/check-layers compares this with what the pass's files name. */
    const char *reads;
};

/* The callbacks of all passes by kind and role; each list ends with NULL. */
enum { SB_PASS_MAX = 8, SB_PASS_ROLES = 8 };
struct sb_dispatch {
    _Alignas(64) sb_pass_fn *fn[SB_EVENT_KINDS][SB_PASS_ROLES][SB_PASS_MAX];
};
void sb_pass_layout(struct sb_dispatch *d);
void sb_pass_window(struct sb_part *x,
                    const struct sb_dispatch *d); /* handles all items in x->items.window */
/* After the end of the trace: sb_pass_finish runs passes with few rows; sb_pass_finish_many runs the
 * others, for each process of a range. */
void sb_pass_finish(struct sb_part *x);
void sb_pass_gather(const struct sb_run *r);
void sb_pass_put(const struct sb_run *r, const struct sb_proc *p, int64_t *cells); /* process or port */
bool sb_pass_has_many(const struct sb_part *x, const struct sb_proc *p, size_t *rows);
void sb_pass_finish_many(struct sb_part *x, struct sb_proc *p);
void sb_finish(struct sb_run *r); /* finish.c: does all of this and writes the rows */
void sb_pass_free(struct sb_part *x);

#define SB_ON_N(table) (table), sizeof(table) / sizeof *(table)
