/*
 * Which functions wait for messages, so that a reader can tell a process that waited from one that was
 * preempted: a process that goes `out` in a function without a receive did not wait. Found after the trace,
 * from the .beam files, so that it costs the node nothing and works for a node that was killed.
 */
#ifndef SB_LIVE_WAITS_H
#define SB_LIVE_WAITS_H
#include "base/arena.h"
#include "trace/ring.h"
#include "base/vec.h"

struct sb_waits {
    SB_VEC(uint8_t) records; /* as trace/wire.h has them, all at one moment */
    uint32_t events;
    SB_VEC(uint8_t) names; /* entries for the dictionary: what its funs are called */
};

/* For every function and fun of the dictionary whose module's file is found. `cwd`: where the node ran, or
 * NULL. */
void sb_waits_find(struct sb_waits *w, const uint8_t *dict, uint64_t n, const char *cwd);

#endif
