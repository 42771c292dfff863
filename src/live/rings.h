/* The rings of a node as the drain sees them: mapped, and checked before a word of them is believed. */
#ifndef SB_LIVE_RINGS_H
#define SB_LIVE_RINGS_H
#include "base/err.h"
#include "trace/ring.h"

struct sb_rings_map {
    struct sb_rings *rings;
    uint64_t bytes;
    int fd;
    uint64_t *head; /* room for a number per ring */
};

/* Waits up to ten seconds for the node to lay the file out. Only one drain at a time has it open. */
bool sb_rings_open(struct sb_rings_map *m, const char *path, struct sb_err *e);
void sb_rings_close(struct sb_rings_map *m);
bool sb_rings_are_void(const char *path); /* nothing was recorded in them, and nothing ever will be */

#endif
