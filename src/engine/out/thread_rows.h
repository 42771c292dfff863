/* Writes the table thread: the operating system's counters for each thread of a node. */
#pragma once
#include "engine/state/run.h"

void sb_threads_write(struct sb_run *r); /* call after nodes were numbered */
