/* The rings of a node, mapped by the drain. */
#pragma once
#include "base/err.h"
#include "trace/sbt/ring_layout.h"

struct sb_rings_map {
    struct sb_rings *rings;
    uint64_t bytes;
    struct sb_layout layout;
    int fd;
    bool is_ours; /* they belong to our user */
    bool is_reserved;
    struct sb_ring_seen {
        uint64_t end;    /* chunks before this one can be written */
        uint64_t quiet;  /* `published` of the open chunk, to be written as well; 0: not yet */
        int64_t open_ns; /* when the open chunk was written last; 0: not yet */
    } * seen;            /* one per ring */
};

/* Waits up to ten seconds until the node has laid out the file. Only one drain at a time can open it. */
bool sb_rings_open(struct sb_rings_map *m, const char *path, struct sb_err *e);
void sb_rings_close(struct sb_rings_map *m);
/* Allocates all of the file once the recording has lasted for two seconds, so that a file system that is filled up
 * later costs no events. Until then the node allocates what it uses: a short recording uses little. */
void sb_rings_reserve(struct sb_rings_map *m, int64_t now_ns);
/* Looks how far a ring can be read: to its end if it is the last time. Otherwise its open chunk is left alone for a
 * second, while its thread may add events. Returns how many quarters of the ring are full. */
uint64_t sb_rings_look(struct sb_rings_map *m, unsigned i, bool last);
enum sb_rings_use {
    SB_RINGS_IN_USE, /* by a node or a drain, or they cannot be read */
    SB_RINGS_UNREAD, /* they hold events or losses that are not in the file of their trace */
    SB_RINGS_VOID    /* they hold nothing that their trace lacks */
};
/* `trace`: where the trace of unread rings is, empty when unknown; may be NULL. */
enum sb_rings_use sb_rings_use(const char *path, char trace[SB_RINGS_TRACE_MAX]);
void sb_rings_name_trace(const char *path, const char *trace); /* tells it to those who find the rings */
/* The path of the trace in rings of this user, empty if there is none. What another user wrote there is no path to
 * follow. */
void sb_rings_read_trace(int fd, char trace[SB_RINGS_TRACE_MAX]);
