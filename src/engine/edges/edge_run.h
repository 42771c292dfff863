/*
 * Sorted runs of notes, by pair: runs of packed messages and runs of edges, in an unlinked file. There may be
 * as many as there are pairs, so in memory they would grow with the trace. Each is written once and read
 * once, sequentially.
 */
#pragma once
#include "engine/state/edge.h"
#include "engine/state/store.h"

enum { SB_TALK_NUMBERS = 6 };
struct sb_edge_run {
    bool of_edges;
    /* offset of each number of a packed message, and the end of the last; edges are stored unpacked */
    uint8_t place[SB_TALK_NUMBERS + 1];
    unsigned each;    /* bytes per note */
    int64_t since;    /* origin of the message times */
    uint64_t at, end; /* in the file, or in memory */
    uint8_t *memory;  /* if there is no file, or no room on the disk */
};
struct sb_edge_runs {
    struct sb_edge_run *at;
    size_t n, cap;
};
void sb_edge_runs_put(struct sb_edge_runs *v, struct sb_spill *file,
                      const struct sb_edge_notes *notes); /* notes sorted by pair */
void sb_edge_runs_close(struct sb_edge_runs *v);

struct sb_edge_cursor { /* the unread rest of a run */
    const struct sb_edge_run *run;
    uint64_t pair;          /* of the next note */
    const uint8_t *p, *end; /* the bytes in memory */
    uint64_t at;            /* offset in the file of the next byte to read */
    size_t room;
    uint8_t *buf;
};
/* Reads up to `room` bytes at once. The run must not be empty. */
void sb_edge_cursor_open(struct sb_edge_cursor *c, const struct sb_spill *file, const struct sb_edge_run *run,
                         size_t room);
/* Adds to `to` all notes of pairs below `pair`. Returns false at the end of the run. */
bool sb_edge_cursor_take(struct sb_edge_cursor *c, const struct sb_spill *file, uint64_t pair,
                         struct sb_edge_notes *to);
void sb_edge_cursor_close(struct sb_edge_cursor *c);
