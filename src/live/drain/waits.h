/*
 * Finds the functions that wait for messages, so that a reader can distinguish a waiting process from a
 * preempted one: a process that is scheduled out in a function without a receive did not wait. They are found
 * after the recording, in the .beam files, so that the node pays nothing and a killed node is covered too.
 */
#ifndef SB_LIVE_WAITS_H
#define SB_LIVE_WAITS_H
#include "base/arena.h"
#include "trace/sbt/ring.h"
#include "base/vec.h"

struct sb_waits {
    SB_VEC(uint8_t) records; /* encoded as in trace/wire.h, all with the same time */
    uint32_t events;
    SB_VEC(uint8_t) names; /* dictionary entries with the names of its funs */
};

/* Covers every function and fun of the dictionary whose module's file is found. `cwd`: the working
 * directory of the node, or NULL. */
void sb_waits_find(struct sb_waits *w, const uint8_t *dict, uint64_t n, const char *cwd);

#endif
