/*
 * What the node's threads use, read from outside: /proc/PID/task, some ten times a second while the node is at work,
 * once a second while it is not. It costs the node nothing, and the drain 2 us a thread that did nothing and 5 us one
 * that did. Readings are records of kinds `thread` and `cpus` (trace/event.def), gathered until they make a block.
 *
 * Nothing is told where /proc does not show the process, or shows one that has not mapped the rings: the number may
 * stand for another process where drain and node are in different containers.
 */
#ifndef SB_LIVE_DRAIN_THREADS_H
#define SB_LIVE_DRAIN_THREADS_H
#include "base/vec.h"
#include <stdbool.h>
#include <stdint.h>

struct sb_threads {
    uint32_t pid;
    void *task; /* DIR of /proc/PID/task; NULL: there is none, or it is not the node's */
    SB_VEC(struct sb_thread_read) thread;
    SB_VEC(uint8_t) records; /* as trace/wire.h has them: of one block, not yet written */
    uint32_t events;         /* so many */
    int64_t base_ns, last_ns; /* stamps of the first and the last of them */
    int64_t read_ns;          /* when threads were read last; 0: not yet */
    uint64_t seen;            /* events of the node by then */
};

void sb_threads_open(struct sb_threads *t, uint32_t pid, const char *rings);
/* Whether it is time to read: `events` counts those of the node so far. */
bool sb_threads_is_due(const struct sb_threads *t, int64_t now_ns, uint64_t events);
/* Threads that did something since they were read last; all of them when `all`, or the first time. */
void sb_threads_read(struct sb_threads *t, int64_t now_ns, uint64_t events, bool all);
bool sb_threads_make_a_block(const struct sb_threads *t, int64_t now_ns); /* they are many, or old */
void sb_threads_written(struct sb_threads *t);
void sb_threads_close(struct sb_threads *t);

#endif
