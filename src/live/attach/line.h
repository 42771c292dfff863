/*
 * A line: how requests reach the part of strobe in a node (strobe_attach), and its answers come back. lines.def lists
 * the ways. One thread.
 */
#pragma once
#include "live/attach/message.h"
#include "live/attach/target.h"
#include <poll.h>

struct sb_line {
    const struct sb_line_type *type;
    void *state; /* of the type, in the arena */
    struct sb_arena *a;
    const char *as;          /* the name that this program takes as a node; NULL: those of a recorder */
    struct sb_target target; /* its name is corrected once the node has stated it */
    ei_x_buff message;       /* the last one that came */
    int release;             /* of OTP in the node */
    bool is_ours;            /* the part of strobe there has answered that it is of this session */
    int64_t slowest_ms;      /* of all answers that a command brought; 0: they come at once */
};

struct sb_line_type {
    bool by_name;            /* the node is found by its name; else a name that is given is compared */
    uint32_t request, piece; /* bytes of a part that is sent, and of one that is fetched */
    int least_wait_ms;       /* how long the node at least waits for something to send */
    int answer_ms, looks;    /* patience for an answer; how often to look for the last module */
    /* Finds the node that the user means. */
    bool (*find)(struct sb_line *l, const char *given, const char *via, struct sb_err *e);
    bool (*open)(struct sb_line *l, struct sb_err *e); /* up to the release of OTP */
    /* Loads strobe_attach (an encoded binary) and starts it in one step of the node, so that it is there to clean up
     * when this program is killed at any later moment. */
    bool (*start)(struct sb_line *l, const ei_x_buff *beam, struct sb_err *e);
    bool (*is_open)(const struct sb_line *l); /* whether the node can still be asked */
    bool (*send)(struct sb_line *l, const ei_x_buff *request, int wait_ms, struct sb_err *e);
    /* Takes the next message, at *at of l->message, that comes within `patience_ms`; 0: one that has come. */
    bool (*receive)(struct sb_line *l, int patience_ms, bool *any, int *at, struct sb_err *e);
    /* Shows the node that this program is there, if it is time to; `*ask`: by a request, which the caller sends. */
    bool (*beat)(struct sb_line *l, bool *ask, struct sb_err *e);
    unsigned (*poll)(const struct sb_line *l, struct pollfd p[2]); /* where a message is readable; how many */
    /* NULL: the end of the connection tells all. Whether all that can come without a request has come; so long after
     * the last sign of this program the node ends all by itself. */
    bool (*is_silent)(const struct sb_line *l);
    int64_t (*lease_ms)(const struct sb_line *l);
    bool (*is_loaded)(struct sb_line *l, bool *is, struct sb_err *e); /* strobe_attach, or old code of it */
    /* The nodes that it is connected to and that are not hidden, a line each; of a line that is open, without
     * strobe_attach. NULL: it cannot be asked. */
    bool (*nodes)(struct sb_line *l, struct sb_arena *a, struct sb_str *names, struct sb_err *e);
    void (*close)(struct sb_line *l);
};

enum { SB_LINE_BEAT_MS = 300 };

/* Finds the node that is meant, by the line that is meant for it. To be closed in either case. */
bool sb_line_find(struct sb_line *l, const char *given, const char *via, struct sb_arena *a,
                  struct sb_err *e);
void sb_line_close(struct sb_line *l);
