/*
 * Emptying the rings of a node into a trace file. One process, one thread, one node. The node may end in any
 * way at any moment; so may the drain: rings and file together always hold everything, and a second drain
 * goes on where the first stopped.
 */
#ifndef SB_LIVE_DRAIN_H
#define SB_LIVE_DRAIN_H
#include "base/err.h"

struct sb_drain_options {
    const char *rings, *trace;
    int level; /* of zstd */
    uint64_t max_events, max_bytes;
    int64_t max_ns;
    bool tell; /* what was written, in one line on stdout at the end */
};

/* Returns when the trace is complete: the node has closed its rings or is gone, or a limit was reached. */
bool sb_drain(const struct sb_drain_options *o, struct sb_err *e);
void sb_drain_stop(int signal); /* a signal handler: finish now */

#endif
