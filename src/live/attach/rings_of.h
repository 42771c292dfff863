/* Finds the rings of a recording of this machine that is under way, in the folders where recordings keep them. */
#pragma once
#include "live/attach/target.h"

struct sb_rings_of {
    const char *rings, *trace; /* trace: what the drain writes; NULL: unknown, or a flight recorder */
    bool flight;
};

/* Returns whether this process is recorded by a drain. Only rings of its user or of this one are looked at: anybody
 * may create files in those folders. */
bool sb_rings_of_find(struct sb_rings_of *w, uint32_t os_pid, struct sb_arena *a);
/* The same of a node's name or OS pid, which need not be of this machine. */
bool sb_rings_of_target(struct sb_rings_of *w, uint32_t *os_pid, const char *target, struct sb_arena *a);
/* Opens them again, with these flags of open(2); -1: they are others by now. */
int sb_rings_of_open(const char *rings, uint32_t os_pid, int flags);
