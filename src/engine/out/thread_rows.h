/* The table thread: what the operating system says of each thread of a node. */
#ifndef SB_ENGINE_THREAD_ROWS_H
#define SB_ENGINE_THREAD_ROWS_H
#include "engine/state/run.h"

void sb_threads_write(struct sb_run *r); /* nodes have their numbers */

#endif
