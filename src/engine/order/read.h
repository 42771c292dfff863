/*
 * Reads blocks and routes their events. If every block has time bounds, blocks are read in the order of their
 * first stamps, and their events are freed once a window has passed them. Otherwise, or if more would wait
 * than the memory limit allows, all events are kept, and those beyond the limit are spilled to disk. Decoding
 * and routing run on the pool while the calling thread handles the window before.
 */
#pragma once
#include "engine/order/route.h"
#include "engine/state/run.h"
#include <pthread.h>

struct sb_decoded { /* a decoded block; freed when all its events are before the window's end */
    struct sb_events events;
    int64_t last;
};

struct sb_read {
    struct sb_run *run;
    bool bounded; /* every block has time bounds, and overlapping blocks fit in memory */
    size_t next;  /* next block to read */
    size_t begun; /* number of blocks being read */
    struct sb_jobs reading;
    SB_VEC(struct sb_decoded) held;
    size_t known;                   /* how many of them were taken from the routers */
    SB_VEC(struct sb_events) spare; /* buffers for reuse */
    pthread_mutex_t lock;           /* guards held and spare */
    struct sb_router *router;       /* one per worker, as are: */
    struct sb_events *buffer;
    struct sb_store *store;
    struct sb_spill spill; /* beyond the memory limit */
    int64_t file_time;     /* of the last event, in the order of the file */
    int64_t last;          /* the largest stamp of the trace (bounded) */
    int64_t bound;         /* of a trace that grows: no event before it will be added */
    uint64_t done_bytes, total_bytes;
    uint64_t memory, at_once; /* bytes that may wait; events per window */
};

enum { SB_READ_LAST_BLOCKS = 4 }; /* number of final blocks that are read first */
void sb_read_open(struct sb_read *o, struct sb_run *r);
void sb_read_close(struct sb_read *o);
bool sb_read_plan(struct sb_read *o, struct sb_err *e); /* lists all blocks, in the order to read them */
/* Takes in the blocks that were added to a trace that grows. */
bool sb_read_grow(struct sb_read *o, int64_t known_ns, struct sb_err *e);
/* Returns the number of blocks for a window; 0: none can be read now. */
size_t sb_read_enough(const struct sb_read *o);
uint64_t sb_read_beyond(const struct sb_read *o,
                        int64_t until); /* events that were read and are not before it */
struct sb_events sb_read_buffer(struct sb_read *o, uint64_t n_events); /* empty, with room for so many */
void sb_read_begin(struct sb_read *o,
                   size_t n); /* starts to read the next n blocks; owns the routers until sb_read_end */
void sb_read_rest(struct sb_read *o); /* waits until they are read */
bool sb_read_end(struct sb_read *o, struct sb_err *e);
/* Returns a biased stamp before which a window can end: everything before it, and the samples shortly after it, were
 * read (bounded). */
uint64_t sb_read_known(const struct sb_read *o);
void sb_read_restart(struct sb_read *o);              /* restarts at the first block (bounded) */
void sb_read_taken(struct sb_read *o);                /* all routed items were moved to the parts */
void sb_read_free(struct sb_read *o, uint64_t until); /* frees events before the biased stamp */
