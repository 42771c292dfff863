/*
 * Watches a node window by window while strobe stays attached to it:
 *
 *     rings ──windows.h──> tally.h <──answers about memory, mailboxes, names── the node (live/attach/peer.h)
 *
 * The node is asked about the processes in view once a window, and about all others in a slow sweep, a few at
 * a time. One thread, which calls sb_watch_step many times a second.
 */
#pragma once
#include "live/watch/windows.h"

struct sb_watch_fact { /* about the process that is opened */
    struct sb_str key, value;
};

struct sb_watch {
    struct sb_tally tally;
    struct sb_names *names;
    struct sb_windows windows;
    uint32_t answers;      /* of the node about processes in view, so far */
    bool swept;            /* all processes have been seen once */
    int64_t unanswered_ns; /* the node has not answered for so long; 0: it has */
    SB_VEC(struct sb_watch_fact) facts;
    struct sb_watch_inside *inside;
};

struct sb_watch_options {
    int64_t interval_ns;
    unsigned permille; /* of a core, for the events of a window */
    bool hurries;      /* sees all processes as soon as it can, without their memory; else in a slow sweep */
};

/* The first window begins now. */
bool sb_watch_open(struct sb_watch *w, const struct sb_attached *of, const struct sb_watch_options *o,
                   struct sb_err *e);
void sb_watch_close(struct sb_watch *w);
/* Takes what has come since the last step; a window that has lasted the interval ends. */
bool sb_watch_step(struct sb_watch *w, struct sb_err *e);
/* Takes over the names and entries of processes that a trace has shown. */
void sb_watch_learn(struct sb_watch *w, const struct sb_tally *from);
unsigned sb_watch_schedulers(const struct sb_watch *w, const struct sb_attached *of);
bool
sb_watch_asks(const struct sb_watch *w); /* whether the node is asked about mailboxes, memory and names */
/* The processes in view, about which the node is asked next. */
void sb_watch_show(struct sb_watch *w, const sb_actor *who, size_t n);
void sb_watch_open_process(struct sb_watch *w, sb_actor who); /* 0: closes it */
