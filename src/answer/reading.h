/* One reading of a running node, for `strobe top`: rows of schedulers, then of processes, then of groups. */
#ifndef SB_ANSWER_READING_H
#define SB_ANSWER_READING_H
#include "answer/answer.h"

enum {
    SB_READING_KIND,
    SB_READING_NAME, /* NULL of a process that the profile has no name for */
    SB_READING_CORE,
    SB_READING_GC,
    SB_READING_DIRTY,
    SB_READING_SLICES,
    SB_READING_SENDS,
    SB_READING_RECEIVES,
    SB_READING_MAILBOX, /* NULL: for the caller to fill in, as the memory */
    SB_READING_MEMORY,
    SB_READING_PROCESSES,
    SB_READING_ENTRY,
    SB_READING_PID,
    SB_READING_INTERVAL,
    SB_READING_COLUMNS
};

/* Its `ask` sorts the processes and the groups by q->sort, and shows q->limit of each. */
extern const struct sb_answer sb_answer_reading;
void sb_reading_write(const struct sb_ask *ask, const struct sb_table *t, size_t width, struct sb_out *out);

#endif
