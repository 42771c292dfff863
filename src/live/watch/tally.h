/*
 * Sums up the events of a node window by window: what each process and each scheduler did in it. A window is the
 * time [from, to); the next one begins where the last one ended, unless the tracing paused. The events of a ring
 * come in the order of its thread, so what runs on a thread follows from its own ring alone. One thread.
 */
#pragma once
#include "base/map.h"
#include "base/vec.h"
#include "trace/names.h"

struct sb_tally_sums {
    int64_t core_ns, gc_ns,
        dirty_ns; /* on any scheduler; of this in collections, and on dirty schedulers without */
    int64_t slices, sends, receives;
};
void sb_tally_sums_add(struct sb_tally_sums *to, const struct sb_tally_sums *s);

enum { SB_TALLY_UNKNOWN = -1 };

struct sb_tally_process {
    sb_actor who;
    uint32_t entry, name;           /* ids of a function and of the registered name; 0 unknown or none */
    char *label;                    /* NULL: none, or not known */
    struct sb_tally_sums now, last; /* of the open window, and of the last whole one */
    int64_t memory, mailbox;        /* as last seen; SB_TALLY_UNKNOWN */
    uint32_t seen;                  /* the sweep or window that saw it last */
    bool ended;
    bool ran; /* since its memory was seen */
};

struct sb_tally_lane { /* a thread of the node */
    sb_lane lane;
    bool seen;        /* an event has shown what runs */
    bool lossy;       /* events were lost, so the time since the last one is unknown */
    sb_actor running; /* 0: nothing */
    int64_t since_ns; /* it runs since then, as far as not yet added */
    int64_t gc_ns;    /* it collects since then; SB_TALLY_UNKNOWN: it does not */
    struct sb_tally_sums now, last;
};

struct sb_tally_sender {
    sb_actor who;
    uint64_t messages;
};

struct sb_tally {
    const struct sb_names *names;
    int64_t from_ns, last_from_ns, last_to_ns; /* of the open window; of the last whole one */
    int64_t every_ns; /* from the end of the one before that to the end of the last one */
    SB_VEC(struct sb_tally_process) process;
    struct sb_map place; /* of a process in `process` */
    SB_VEC(struct sb_tally_lane) lane;
    uint32_t sweep;
    sb_actor watched; /* its senders are counted; 0: none */
    struct sb_map sent;
    SB_VEC(struct sb_tally_sender) senders, last_senders; /* of the watched process */
    int64_t watched_ns;                                   /* since when */
};

void sb_tally_init(struct sb_tally *t, const struct sb_names *names, int64_t from_ns);
void sb_tally_close(struct sb_tally *t);
/* Finds or adds a process of the node; valid until the next one is added. */
struct sb_tally_process *sb_tally_process(struct sb_tally *t, sb_actor who);
struct sb_tally_process *sb_tally_find(const struct sb_tally *t, sb_actor who); /* NULL: not known */
void sb_tally_add(struct sb_tally *t, unsigned ring, const struct sb_event *ev);
/* Ends the window at `to_ns`. Every event before that has been added. Processes that ended in an earlier window
 * are forgotten. */
void sb_tally_end_window(struct sb_tally *t, int64_t to_ns);
/* Begins a window that does not follow the last one: what ran in between is not known. */
void sb_tally_begin_window(struct sb_tally *t, int64_t from_ns);
/* Ends a sweep over the processes of the node: what neither it nor an event has shown is gone. */
void sb_tally_end_sweep(struct sb_tally *t);
void sb_tally_watch(struct sb_tally *t, sb_actor who, int64_t now_ns); /* 0: nobody */
