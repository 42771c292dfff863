/*
 * The model of a run: what each process did, as a profile has it, held in memory. Slices, the gaps between them and
 * collections are arrays by process, in order of time; messages are too many to hold beside them and pass by one by
 * one. Only this file reads these tables for what a process did; what is at work at a moment is a sweep.
 *
 *     |---- slice ----|- waiting -|- handover -|- runnable -|- unknown -|  next slice
 *   start            end
 *                   start       waited       handed       ready        end       of the gap
 */
#pragma once
#include "profile/profile.h"

/* The critical path and the forecast refuse profiles with more rows than that: 1 GB would not hold them. */
#define SB_HISTORY_ROWS (UINT64_C(1) << 24)

enum sb_cause_of_gap {
    SB_GAP_UNKNOWN,
    SB_GAP_MESSAGE,
    SB_GAP_EXIT,
    SB_GAP_SPAWN,
    SB_GAP_PREEMPTED,
    SB_GAP_TIMEOUT,
    SB_GAP_HANDOVER,
    SB_GAP_BUSY,
    SB_GAP_SIGNAL /* an exit signal: not a text of the table */
};

/* The rows of all three kinds begin with their start. */
struct sb_history_slice {
    int64_t start, end;
    int32_t in, out;       /* functions, texts; 0: unknown */
    bool dirty, dirty_cpu; /* on a dirty scheduler; on one for computing */
};
struct sb_history_gap { /* these moments follow each other */
    int64_t start, waited, handed, ready, end;
    int64_t ready_low_ns; /* lower bound of the time from handed to ready */
    uint32_t waker;       /* process.id, 0: none */
    uint8_t cause;
    bool external;    /* cause UNKNOWN: it ended with a message that no process of the trace sent */
    bool interrupted; /* cause TIMEOUT: something woke the process in a sleep, and it slept on */
};
struct sb_history_collection {
    int64_t start, end;
};
struct sb_history_message {
    int64_t sent, received;         /* SB_NULL: not in the trace */
    int32_t sender, receiver, down; /* process.id, 0: none */
    int32_t asker;                  /* of another node, as in table message */
    bool is_call;
    bool is_from_outside; /* no process sent it */
    int64_t words;
};

struct sb_history {
    const struct sb_profile *p;
    uint64_t n_processes;
    uint64_t *slices_from, *gaps_from, *collections_from; /* by process.id; the next one's is the end */
    struct sb_history_slice *slice;                       /* process 0: of ports */
    struct sb_history_gap *gap;
    struct sb_history_collection *collection;
};
/* The id of a process of the table; 0: it is none. */
static inline int32_t
sb_history_process(const struct sb_history *h, int64_t id)
{
    return id >= 1 && (uint64_t)id <= h->n_processes ? (int32_t)id : 0;
}
/* Reads the slices and gaps that start within [from, to), and no collections; with `reaching` also the slices that
 * start before and reach into it. */
void sb_history_read(struct sb_history *h, const struct sb_profile *p, int64_t from, int64_t to,
                     bool reaching);
/* Reads all three. */
bool sb_history_read_all(struct sb_history *h, const struct sb_profile *p, struct sb_err *e);
void sb_history_close(struct sb_history *h);
void sb_history_close_gaps(struct sb_history *h); /* once they are no longer needed */
/* Calls `each` for the messages in the order of their table: those sent within [from, to), or all if `to` is SB_NULL;
 * behind them come those that were received within it and whose sending is not in the trace. */
void sb_history_messages(const struct sb_history *h, int64_t from, int64_t to,
                         void (*each)(void *ctx, const struct sb_history_message *m), void *ctx);
/* The last one of a process that starts before `at`; NULL: none. */
const struct sb_history_slice *sb_history_slice(const struct sb_history *h, int64_t process, int64_t at);
const struct sb_history_gap *sb_history_gap(const struct sb_history *h, int64_t process, int64_t at);
const struct sb_history_collection *sb_history_collection(const struct sb_history *h, int64_t process,
                                                          int64_t at);
/* A port ran at that moment, or shortly before. */
bool sb_history_port_ran(const struct sb_history *h, int64_t at);
/* Nothing in the trace shows what ended the wait of a gap. */
bool sb_history_is_unexplained(const struct sb_history *h, const struct sb_history_gap *g);
