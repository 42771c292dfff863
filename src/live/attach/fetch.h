/* Brings the trace of a node that drains its rings itself to this machine, in pieces, while it is recorded. One
 * thread. */
#pragma once
#include "live/attach/peer.h"

struct sb_fetch {
    struct sb_peer *node;
    int signals;       /* a signalfd: a signal ends the recording, and what was recorded is fetched */
    const char *trace; /* the file to write */
    int64_t max_ns;    /* the length of the recording; 0: no limit */
    uint64_t at;       /* bytes so far */
};

/* Until the trace is complete. False leaves the part of the trace that has come. */
bool sb_fetch(struct sb_fetch *f, struct sb_err *e);
