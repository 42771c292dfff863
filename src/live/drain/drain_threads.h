/*
 * The use of CPU by the node's threads, read from outside: /proc/PID/task, about ten times a second while the
 * node is busy and once a second while it is not. The node pays nothing; the drain pays 2 us for a thread
 * that did not run and 5 us for one that did. Readings become records of kinds `thread` and `cpus`
 * (trace/event.def), collected into blocks.
 *
 * Nothing is recorded if /proc does not show the process, or shows one that has not mapped the rings: if
 * drain and node are in different containers, the same number may belong to another process.
 */
#pragma once
#include "live/drain/made.h"

struct sb_threads {
    uint32_t pid;
    void *task; /* DIR of /proc/PID/task; NULL: it does not exist or is not the node's */
    SB_VEC(struct sb_thread_read) thread; /* as last recorded */
    SB_VEC(struct sb_thread_read) round;  /* being read */
    struct sb_made made;
    int64_t read_ns; /* time of the last reading; 0: none */
    uint64_t seen;   /* events of the node at the last reading */
    int64_t cpu_ns;  /* CPU time of the node at the last reading; 0: unknown */
};

void sb_threads_open(struct sb_threads *t, uint32_t pid, const char *rings);
/* Returns whether a reading is due. `events`: number of events of the node so far. */
bool sb_threads_is_due(const struct sb_threads *t, int64_t now_ns, uint64_t events);
/* Records the threads that ran since the last reading; all of them if `all` is set, and the first time. */
void sb_threads_read(struct sb_threads *t, int64_t now_ns, uint64_t events, bool all);
void sb_threads_again(struct sb_threads *t); /* the next reading is recorded as the first one was */
void sb_threads_close(struct sb_threads *t);
