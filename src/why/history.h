/*
 * What each process did, as arrays by process in order of time: slices, collections, and the gaps between slices.
 * Rows of these tables are in order of time within a process, so one pass over each is enough.
 */
#ifndef SB_WHY_HISTORY_H
#define SB_WHY_HISTORY_H
#include "base/err.h"
#include "profile/profile.h"

/* Profiles with more rows than that are refused: 1 GB would not hold them. */
#define SB_HISTORY_ROWS (UINT64_C(1) << 24)

enum sb_cause_of_gap {
    SB_GAP_UNKNOWN,
    SB_GAP_MESSAGE,
    SB_GAP_EXIT,
    SB_GAP_SPAWN,
    SB_GAP_PREEMPTED,
    SB_GAP_TIMEOUT,
    SB_GAP_HANDOVER,
    SB_GAP_SIGNAL /* an exit signal: not a text of the table */
};

struct sb_history_slice { /* a slice */
    int64_t start, end;
    int64_t in, out;       /* functions, text ids or SB_NULL */
    bool dirty, dirty_cpu; /* on a dirty scheduler; on one for computing */
};
struct sb_pause { /* a gap: these moments follow each other */
    int64_t start, waited, handed, ready, end;
    uint32_t waker; /* process.id, 0: none */
    uint8_t cause;
    bool external; /* cause UNKNOWN: it ended with a message that no process of the trace sent */
};
struct sb_collection {
    int64_t start, end;
};

struct sb_history {
    const struct sb_profile *p;
    uint64_t n_processes;
    uint64_t *stays_from, *pauses_from, *collections_from; /* by process.id; the next one's is the end */
    struct sb_history_slice *stay;                         /* process 0: of ports */
    struct sb_pause *pause;
    struct sb_collection *collection;
};
bool sb_history_read(struct sb_history *h, const struct sb_profile *p, struct sb_err *e);
void sb_history_close(struct sb_history *h);
/* The last one of a process that starts before `at`; NULL: none. */
const struct sb_history_slice *sb_history_stay(const struct sb_history *h, int64_t process, int64_t at);
const struct sb_pause *sb_history_pause(const struct sb_history *h, int64_t process, int64_t at);
const struct sb_collection *sb_history_collection(const struct sb_history *h, int64_t process, int64_t at);
/* A port ran at that moment, or shortly before. */
bool sb_history_port_ran(const struct sb_history *h, int64_t at);
/* Nothing in the trace shows what ended the wait of a pause. */
bool sb_history_is_unexplained(const struct sb_history *h, const struct sb_pause *g);

#endif
