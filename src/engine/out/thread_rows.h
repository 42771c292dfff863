/* Writes the table thread: the operating system's counters for each thread of a node. */
#ifndef SB_ENGINE_THREAD_ROWS_H
#define SB_ENGINE_THREAD_ROWS_H
#include "engine/state/run.h"

void sb_threads_write(struct sb_run *r); /* call after nodes were numbered */

#endif
