/*
 * Cleans up after recordings that were killed: folders `strobe-PID-...` next to that of these rings whose
 * creator is gone. They are removed when they hold nothing that can still be read; rings with events stay for
 * the reader of their trace.
 */
#pragma once

#include <stdbool.h>

void sb_sweep_beside(const char *rings);
void sb_sweep_own(const char *rings); /* removes the folder of these rings, if this was its last user */
bool sb_sweep_is_orphan(
    const char *name); /* whether the folder "strobe-4711-x" belongs to a process that is gone */
