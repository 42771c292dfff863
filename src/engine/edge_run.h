/*
 * Edges that have been put away: packed, sorted by pair, in runs that lie in a file without a name. They are as many
 * as there are pairs, so memory would grow with the trace; each is written once and read once, one behind the other.
 */
#ifndef SB_ENGINE_EDGE_RUN_H
#define SB_ENGINE_EDGE_RUN_H
#include "base/vec.h"
#include "engine/edge.h"
#include "engine/store.h"

enum { SB_EDGE_PACKED = 4 + 4 + 10 * 8 /* at most */ };

struct sb_edge_run {
    uint64_t at, end; /* in the file; or in */
    uint8_t *memory;  /* where there is no file, or no room on the disk */
};
struct sb_edge_runs {
    struct sb_edge_run *at;
    size_t n, cap;
};

struct sb_edge_bytes { /* of a run that is being made */
    uint8_t *at;
    size_t n, cap;
    uint64_t before; /* pair that was put last */
};
void sb_edge_run_put(struct sb_edge_bytes *b, const struct sb_edge *e);           /* pairs rise */
void sb_edge_run_end(struct sb_edge_bytes *b, struct sb_spill *file, struct sb_edge_runs *to); /* b is empty then */
void sb_edge_runs_close(struct sb_edge_runs *v);

struct sb_edge_cursor { /* what is left of a run */
    const uint8_t *p, *end;
    uint64_t at, until; /* in the file, not yet read */
    uint8_t *buf;
    size_t room;
    struct sb_edge edge; /* that is next */
};
/* The first edge is there then; runs are not empty. Reads `room` bytes at once. */
void sb_edge_cursor_open(struct sb_edge_cursor *c, const struct sb_spill *file, const struct sb_edge_run *run, size_t room);
bool sb_edge_cursor_next(struct sb_edge_cursor *c, const struct sb_spill *file); /* false: it is at its end */
void sb_edge_cursor_close(struct sb_edge_cursor *c);

#endif
