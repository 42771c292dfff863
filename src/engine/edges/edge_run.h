/*
 * Notes that have been put away: by pair, in runs of messages and runs of edges that lie in a file without a
 * name. They are as many as there are pairs, so memory would grow with the trace; each is written once and
 * read once, one behind the other.
 */
#ifndef SB_ENGINE_EDGE_RUN_H
#define SB_ENGINE_EDGE_RUN_H
#include "engine/state/edge.h"
#include "engine/state/store.h"

enum { SB_TALK_NUMBERS = 6 };
struct sb_edge_run {
    bool of_edges;
    /* of each number of a message, and where it ends; an edge lies as it is */
    uint8_t place[SB_TALK_NUMBERS + 1];
    unsigned each;    /* bytes of a note */
    int64_t since;    /* times of messages are from here */
    uint64_t at, end; /* in the file; or in */
    uint8_t *memory;  /* where there is no file, or no room on the disk */
};
struct sb_edge_runs {
    struct sb_edge_run *at;
    size_t n, cap;
};
void sb_edge_runs_put(struct sb_edge_runs *v, struct sb_spill *file,
                      const struct sb_edge_notes *notes); /* by pair */
void sb_edge_runs_close(struct sb_edge_runs *v);

struct sb_edge_cursor { /* what is left of a run */
    const struct sb_edge_run *run;
    uint64_t pair;          /* of the next one */
    const uint8_t *p, *end; /* read */
    uint64_t at;            /* in the file, from here on not yet read */
    size_t room;
    uint8_t *buf;
};
/* Reads up to `room` bytes at once. Runs are not empty. */
void sb_edge_cursor_open(struct sb_edge_cursor *c, const struct sb_spill *file, const struct sb_edge_run *run,
                         size_t room);
/* Adds to `to` those of lesser pairs; false: it is at its end. */
bool sb_edge_cursor_take(struct sb_edge_cursor *c, const struct sb_spill *file, uint64_t pair,
                         struct sb_edge_notes *to);
void sb_edge_cursor_close(struct sb_edge_cursor *c);

#endif
