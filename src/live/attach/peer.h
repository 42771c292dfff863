/*
 * The part of strobe in the node, seen from here: its start, requests to it, and its answers. One thread.
 */
#pragma once
#include "live/attach/line.h"
#include "live/attach/push.h"
#include "base/vec.h"

struct sb_peer_facts { /* of the node, as it says */
    long os_pid, words, schedulers, processes, most_processes, atoms, most_atoms, runnable;
    char no_code[1000]; /* why no folder may hold a library; empty: some may */
    long available;     /* bytes of memory of its machine; -1: unknown */
    char place[200];    /* its machine and container, "BOOT_ID pid:[NUMBER]" */
    char libc[20];      /* "glibc" or "musl"; empty: unknown */
    char architecture[100], name[1024];
};

struct sb_peer {
    struct sb_line line; /* found by sb_line_find */
    bool left_known;
    SB_VEC(struct sb_str) left;
    long atoms_more;
};

enum sb_peer_reply {
    SB_PEER_OK,
    SB_PEER_NODE,
    SB_PEER_RECORDING,
    SB_PEER_RECORDED,
    SB_PEER_FETCHED,
    SB_PEER_WATCHED,
    SB_PEER_WINDOWED,
    SB_PEER_TRACED,
    SB_PEER_ERROR,
    SB_PEER_LEFT
};

/* `modules`: the folder of strobe_attach.beam. */
bool sb_peer_open(struct sb_peer *n, const char *modules, struct sb_err *e);
bool sb_peer_facts(struct sb_peer *n, struct sb_peer_facts *f, struct sb_err *e);
bool sb_peer_push(struct sb_peer *n, const struct sb_push *what, struct sb_err *e); /* in parts */

/* How long the node may take on purpose, where a connection would have it take `usual_ms`. */
int sb_peer_wait_ms(const struct sb_peer *n, int usual_ms);
/* Sends an encoded request and waits for an answer of this kind; its text is in `text`. */
bool sb_peer_ask(struct sb_peer *n, const ei_x_buff *request, enum sb_peer_reply wanted, struct sb_str *text,
                 struct sb_err *e);
bool sb_peer_tell(struct sb_peer *n, const char *request,
                  struct sb_err *e); /* an atom, which is answered by ok */
/* Fetches a piece of a trace that the node writes, from byte `at`; waits a while for one. The piece is valid until the
 * next request; it is empty if there was none in this time. `last`: the trace is complete and ends with this piece. */
bool sb_peer_fetch(struct sb_peer *n, uint64_t at, struct sb_str *piece, bool *last, struct sb_err *e);

/*
 * What a view of the node asks about processes; only of a recording that is watched (struct sb_attach_options). `pids`
 * are separated by commas; one with a plus in front is asked for its memory, which wakes it. The lines of the answer,
 * with tabs between the fields:
 *
 *     p PID MEMORY MAILBOX NAME MODULE FUNCTION ARITY LABEL   a process; all but its pid and mailbox may be empty
 *     f KEY VALUE                                             a fact about the process that is opened
 *     e                                                       the sweep has seen all processes, and begins again
 */
struct sb_peer_question {
    struct sb_str pids;
    unsigned long processes; /* the sweep over all processes continues with so many */
    const char *what;        /* "entry", "memory" and "pauses", with commas between */
    struct sb_str opened;
};
void sb_peer_encode_question(ei_x_buff *x, const struct sb_peer_question *q);

/* A request for a piece of a window, of a node that copies its rings (beam/src/strobe_windows.erl). */
struct sb_peer_window {
    int64_t interval_ns;
    uint64_t most, at;         /* events of a window; the place of the piece in the copy */
    const ei_x_buff *question; /* NULL: none */
};

/* What has come without being waited for. Texts are valid until the next call. */
struct sb_peer_answer {
    enum sb_peer_reply kind; /* SB_PEER_OK: nothing */
    struct sb_str text;      /* a piece, with SB_PEER_WINDOWED */
    bool has_lines;          /* an answer about processes */
    struct sb_str lines;
    bool last,
        paused; /* of SB_PEER_WINDOWED: the piece; the window, which has as many events as are allowed */
    int64_t from_ns, to_ns; /* of the window, on the clock of the node's events; 0: there is none yet */
};

/* These send a request; the answer comes later. With --via one request is under way at a time. */
bool sb_peer_watch(struct sb_peer *n, const struct sb_peer_question *q, struct sb_err *e);
bool sb_peer_window(struct sb_peer *n, const struct sb_peer_window *w, struct sb_err *e);
/* Switches the tracing of all but `procs` off, or on again; SB_PEER_TRACED is the answer. */
bool sb_peer_trace(struct sb_peer *n, bool on, struct sb_err *e);
bool sb_peer_take_answer(struct sb_peer *n, struct sb_peer_answer *answer, struct sb_err *e);
bool sb_peer_beat(struct sb_peer *n, struct sb_err *e); /* to be called several times a second */
bool sb_peer_take(struct sb_peer *n, struct sb_err *e); /* takes what the node sent without a request */

/* Ends the part in the node, waits for its account of what is left (n->left), and removes the last module. */
bool sb_peer_end(struct sb_peer *n, struct sb_str *missing, struct sb_err *e);
void sb_peer_close(struct sb_peer *n);
