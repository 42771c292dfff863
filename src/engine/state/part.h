/*
 * A part: the processes that hash to it, their waiting items, and the results of passes (rows, spans). One
 * thread has a part at a time, and parts never write to each other.
 */
#pragma once
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

/* A range of time in one state, for the pyramids. The spans of a process add up to the times in its row. */
struct sb_part_span {
    /* settled: stamp of the event that ended it; the pyramids convert all three to the axis */
    int64_t from, to, settled;
    uint32_t process, id; /* index in its part; process.id, or port.id of a port */
    uint16_t scheduler;   /* scheduler.id; 0: unknown */
    uint8_t state, less;  /* enum sb_state; the time of a collection is subtracted from state `less` */
};

struct sb_part_spans {
    struct sb_part_span *at;
    size_t n, cap;
};

enum { SB_SLICES_SAY_ALL = 64 }; /* a process with fewer has no pyramid */

struct sb_ended { /* ended processes with fewer slices, as indexes in their part */
    uint32_t *at;
    size_t n, cap;
};

/* The results of a window. */
struct sb_found {
    struct sb_rows rows[SB_TABLES][SB_PARTS]; /* text cells hold name ids */
    struct sb_part_spans spans[SB_PARTS];
    int64_t window_end; /* no later stamp is below; INT64_MAX: none follows */
    int64_t last;       /* the end of the axis, relative to t0 */
};

struct sb_queue_sum { /* a row of scheduler_edge or node_edge */
    uint32_t from, to;
    uint64_t count, words, at_least;
};
struct sb_queue_sums {
    struct sb_queue_sum *at;
    size_t n, cap;
};
struct sb_new_lane { /* a scheduler first seen in this window */
    int64_t at;      /* first stamp */
    uint32_t lane;
};

/* What other parts need to know of a process. It is apart from the process so that all lives stay in the
 * cache. */
struct sb_life {
    int64_t born;       /* first stamp of this life; INT64_MIN for the first life */
    uint32_t id;        /* process.id, or port.id of a port; 0: not numbered */
    uint32_t next_life; /* 1 + index of the next process with this pid */
};

struct sb_part_items {
    struct sb_items waiting; /* not yet in a window */
    struct sb_items window;  /* of the window, by process and time: */
    SB_VEC(struct sb_bundle) bundles;
    size_t fetched; /* items prefetched so far: stretch.h */
    /* rests of stretches after the window; the events of one process; scratch memory */
    struct sb_items cut, line, spare;
};

struct sb_part_facts { /* facts that its processes showed */
    bool ports;        /* some port had a slice */
    bool words, ext;   /* some message had a size */
    bool odd_mail;     /* state/facts.h */
};

struct sb_queues {      /* mail.c */
    struct sb_map edge; /* from scheduler.id << 32 | to -> index in sum */
    SB_VEC(struct sb_queue_sum) sum;
    uint32_t known[SB_QUEUES_KNOWN]; /* a cache of indexes in sum */
    /* sends to names on other nodes without a known owner, by node index */
    struct sb_queue_sums unnamed;
    struct sb_queue_sums ambiguous; /* messages to a node that were not paired */
};

struct sb_part_lanes { /* lanes.c */
    SB_VEC(struct sb_new_lane) fresh;
    /* node << 16 | lane -> 1 + its index in fresh while it is new */
    struct sb_map seen;
    uint32_t known[SB_LANES_KNOWN]; /* a cache of known lanes: key + 1 */
};

struct sb_part {
    const struct sb_run *run;
    unsigned index;
    /* sb_actor -> index of its first life; `used`: 1 + its id if it has only one life */
    struct sb_map index_of;
    struct sb_procs procs;
    SB_VEC(struct sb_life) lives; /* by index of the process */
    struct sb_map later;          /* the later lives of a pid that was reused: world/actors.c */
    bool reborn;                  /* some pid here has had two lives */
    /* the processes below it have ids; number of losses delivered to all processes */
    size_t numbered, losses;
    struct sb_part_items items;
    /* results that do not fill a segment yet; text cells hold name ids */
    struct sb_rows rows[SB_TABLES];
    struct sb_part_spans spans;
    struct sb_ended ended;
    struct sb_part_facts facts;
    uint32_t sender;            /* process.id of the sender of the current item; 0: none */
    struct sb_edge_notes notes; /* not settled yet: edges.h */
    struct sb_warm_pair warm[SB_WARM_PAIRS];
    struct sb_queues queues;
    struct sb_part_lanes lanes;
    SB_VEC(struct sb_asked_by) asked; /* asked.c: children of processes of this part */
    struct sb_map asked_by;        /* asked.c: process.id -> process.id of its asker; in part 0, at the end */
    struct sb_map mailboxes;       /* process.id -> longest sampled mailbox: note.c */
    struct sb_thread_sums threads; /* of nodes whose "nobody" is in this part: threads.c */
};
