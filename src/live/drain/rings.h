/* The rings of a node, mapped by the drain and checked before any value in them is used. */
#ifndef SB_LIVE_RINGS_H
#define SB_LIVE_RINGS_H
#include "base/err.h"
#include "trace/sbt/ring.h"

struct sb_rings_map {
    struct sb_rings *rings;
    uint64_t bytes;
    int fd;
    uint64_t *head; /* one number per ring */
};

/* Waits up to ten seconds until the node has laid out the file. Only one drain at a time can open it. */
bool sb_rings_open(struct sb_rings_map *m, const char *path, struct sb_err *e);
void sb_rings_close(struct sb_rings_map *m);
enum sb_rings_use {
    SB_RINGS_IN_USE, /* by a node or a drain, or they cannot be read */
    SB_RINGS_UNREAD, /* they hold events, and no drain has completed their trace */
    SB_RINGS_VOID    /* nothing was recorded in them, or their trace is complete */
};
enum sb_rings_use sb_rings_use(const char *path);

#endif
