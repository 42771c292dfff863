/*
 * A part: the processes that hash to it, what waits to happen to them (items), and what the passes found
 * (rows, spans). One thread has a part at a time, and parts never write to each other.
 */
#ifndef SB_ENGINE_PART_H
#define SB_ENGINE_PART_H
#include "base/map.h"
#include "engine/state/edge.h"
#include "engine/state/item.h"
#include "engine/state/procs.h"
#include "engine/state/thread_sum.h"
#include "profile/rows.h"
#include "profile/schema.h"
#include "profile/state.h"

struct sb_run;
enum { SB_PARTS = 64, SB_LANES_KNOWN = 64, SB_QUEUES_KNOWN = 64 };

/* A stretch of time in one state, for the pyramids. Their sum over a process is what its row says. */
struct sb_part_span {
    /* told: the stamp of the event that showed it; the pyramids put them on the axis */
    int64_t from, to, told;
    uint32_t process, id; /* index in its part; process.id, port.id of a port */
    uint16_t scheduler;   /* scheduler.id, 0 when not told */
    uint8_t state, less;  /* enum sb_state; a collection is taken off the state it lies in */
};

struct sb_part_spans {
    struct sb_part_span *at;
    size_t n, cap;
};

enum { SB_SLICES_SAY_ALL = 64 }; /* a process with fewer has no pyramid */

struct sb_ended { /* indexes in their part of such processes that are over */
    uint32_t *at;
    size_t n, cap;
};

/* What the passes found in a window. */
struct sb_found {
    struct sb_rows rows[SB_TABLES][SB_PARTS]; /* text cells hold name ids */
    struct sb_part_spans spans[SB_PARTS];
    int64_t window_end; /* stamps to come are not below; INT64_MAX: there are none */
};

struct sb_queue_sum { /* scheduler_edge, node_edge */
    uint32_t from, to;
    uint64_t count, words, at_least;
};
struct sb_new_lane { /* seen in this window, and never before */
    int64_t at;      /* first */
    uint32_t lane;
};

/* What others ask of a process. It is apart from the process itself so that all lives stay in the cache. */
struct sb_life {
    int64_t born;       /* stamps from here on are this life's; INT64_MIN for the first */
    uint32_t id;        /* process.id, or port.id of a port; 0: not numbered */
    uint32_t next_life; /* 1 + index of the process that has this pid later */
};

struct sb_part {
    struct sb_run *run;
    unsigned index;
    /* sb_actor -> index of its first life; `used`: 1 + its id while that is its only one */
    struct sb_map index_of;
    struct sb_procs procs;
    SB_VEC(struct sb_life) lives; /* of each of them */
    bool reborn;                  /* somebody here has had two lives */
    /* procs before it have their ids; losses that all procs have been told of */
    size_t numbered, losses;
    struct sb_items waiting, window; /* not yet in a window; by process, then time: */
    SB_VEC(struct sb_bundle) bundles;
    size_t fetched; /* so many of them: stretch.h */
    /* stretches from the window's end on; one process's, each event by itself */
    struct sb_items cut, line, spare;
    /* found, and not yet enough for a segment; text cells hold name ids */
    struct sb_rows rows[SB_TABLES];
    struct sb_part_spans spans;
    struct sb_ended ended;
    bool ports_told;            /* some port was seen at work */
    bool words_told, ext_told;  /* some message's size was */
    struct sb_map mailboxes;    /* process.id -> the longest that was sampled: note.c */
    uint32_t from;              /* process.id of who sent what arrives just now; 0: nobody */
    struct sb_edge_notes notes; /* not yet put away: edges.h */
    struct sb_warm_pair warm[SB_WARM_PAIRS];
    struct sb_map queue_edges; /* from scheduler.id << 32 | to -> index in queue_sums */
    SB_VEC(struct sb_queue_sum) queue_sums;
    uint32_t queue_known[SB_QUEUES_KNOWN]; /* in front of it: an index */
    /* sends to names on other nodes that nobody is known to have, by node index */
    SB_VEC(struct sb_queue_sum) unnamed;
    SB_VEC(struct sb_new_lane) new_lanes;
    /* node << 16 | lane seen -> 1 + its place in new_lanes while it is new */
    struct sb_map lanes;
    struct sb_thread_sums threads;       /* of nodes whose nobody is here: threads.c */
    uint32_t lane_known[SB_LANES_KNOWN]; /* in front of it: key + 1 */
};

#endif
