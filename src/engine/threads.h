/* What the operating system says of a node's threads: tables thread and thread_sample. */
#ifndef SB_ENGINE_THREADS_H
#define SB_ENGINE_THREADS_H
#include "engine/run.h"

/*
 * Readings are taken from outside, the last one a little after the last event: neither the beginning of the
 * trace nor its length follows from them.
 */
static inline bool
sb_is_reading(uint8_t kind)
{
    return kind == SB_EV_thread || kind == SB_EV_cpus;
}
void sb_threads_write(struct sb_run *r); /* table thread; nodes have their numbers */

#endif
