/*
 * Blocks to routed events. Where every block tells its time bounds, blocks are read in the order of their
 * first stamps and their events freed when a window has passed them; where they do not, or more would wait
 * than memory holds, all events are kept, on disk beyond the memory bound. Decoding and routing run on the
 * pool, while the calling thread is still at the window before.
 */
#ifndef SB_ENGINE_READ_H
#define SB_ENGINE_READ_H
#include "engine/order/route.h"
#include "engine/state/run.h"
#include <pthread.h>

struct sb_decoded { /* a block that was read; freed when all its events are before the window's end */
    struct sb_events events;
    int64_t last;
};

struct sb_read {
    struct sb_run *run;
    bool bounded; /* every block tells its time bounds, and what overlaps fits in memory */
    size_t next;  /* block to read */
    size_t begun; /* being read: so many from it on */
    struct sb_jobs reading;
    SB_VEC(struct sb_decoded) held;
    size_t known;                   /* of them, those whose events have been taken from the routers */
    SB_VEC(struct sb_events) spare; /* buffers to use again */
    pthread_mutex_t lock;           /* of held and spare */
    struct sb_router *router;       /* one a worker, as are */
    struct sb_events *buffer;
    struct sb_store *store;
    struct sb_spill spill; /* where more waits than memory was meant to hold */
    int64_t file_time;     /* of the last event, in the order of the file */
    int64_t last;          /* the largest stamp there will be (bounded) */
    uint64_t done_bytes, total_bytes;
    uint64_t memory, at_once; /* bytes that may wait; events in a window */
};

void sb_read_open(struct sb_read *o, struct sb_run *r);
void sb_read_close(struct sb_read *o);
bool sb_read_plan(struct sb_read *o, struct sb_err *e); /* which blocks there are, and in which order */
size_t sb_read_enough(const struct sb_read *o);         /* how many blocks make a window */
void sb_read_begin(struct sb_read *o,
                   size_t n); /* the next n of them; until `end` the routers belong to it */
bool sb_read_end(struct sb_read *o, struct sb_err *e);
uint64_t sb_read_known(const struct sb_read *o);      /* biased: of what is before, all was read (bounded) */
void sb_read_again(struct sb_read *o);                /* from the first block on (bounded) */
void sb_read_taken(struct sb_read *o);                /* all that was routed stands in the parts */
void sb_read_free(struct sb_read *o, uint64_t until); /* events before the biased stamp are done with */

#endif
