/* Copies of a node's rings in the place of a drain, for a live table that cannot map them: the rings, and what has been
 * copied of them. One thread at a time. */
#pragma once
#include "live/drain/rings.h"
#include "trace/sbt/ring_image.h"

struct sb_copy {
    struct sb_rings_map map;
    struct sb_ring_copier *copier; /* NULL: not open */
};

bool sb_copy_open(struct sb_copy *c, const char *rings, struct sb_err *e);
void sb_copy_close(struct sb_copy *c);
/* The clock of events; returns how many there have been. */
uint64_t sb_copy_look(const struct sb_copy *c, int64_t *clock_ns);
/* Appends what has come since the last copy, up to `clock_ns` at least. */
bool sb_copy_take(struct sb_copy *c, int64_t *clock_ns, struct sb_ring_parts *to, struct sb_err *e);
