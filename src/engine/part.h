/*
 * A part: the processes that hash to it, what waits to happen to them (items), and what the passes found
 * (rows, spans). One thread has a part at a time, and parts never write to each other.
 */
#ifndef SB_ENGINE_PART_H
#define SB_ENGINE_PART_H
#include "base/map.h"
#include "base/sort.h"
#include "engine/edge.h"
#include "engine/procs.h"
#include "engine/thread_sum.h"
#include "profile/rows.h"
#include "profile/schema.h"
#include "profile/state.h"

struct sb_run;
enum { SB_PARTS = 64, SB_LANES_KNOWN = 64, SB_QUEUES_KNOWN = 64 };

/* What an item is to the process it stands with. Events lie on 16 bytes: a tag fits below their address. */
enum sb_role {
    SB_OWN,
    SB_ARRIVAL,
    SB_LINK_EXIT,
    SB_MENTION,
    SB_LOSS,    /* what it did up to here may be missing: no item, passes are told so (pass.c) */
    SB_DISPLACED, /* another was scheduled in where it ran: occupants.h */
    SB_STRETCH, /* own, and what follows: stretch.h */
};

struct sb_items {
    struct sb_sort_key *at; /* key: time, biased; value: event | role */
    size_t n, cap;
};

static inline uint64_t
sb_bias(int64_t at_ns)
{
    return (uint64_t)at_ns ^ UINT64_C(1) << 63;
}
static inline int64_t
sb_item_at(struct sb_sort_key k)
{
    return (int64_t)(k.key ^ UINT64_C(1) << 63);
}
static inline const struct sb_event *
sb_item_event(struct sb_sort_key k)
{
    return (const struct sb_event *)(uintptr_t)(k.value & ~UINT64_C(15));
}
static inline enum sb_role
sb_item_role(struct sb_sort_key k)
{
    return (enum sb_role)(k.value & 15);
}
static inline sb_actor
sb_item_actor(struct sb_sort_key k)
{
    const struct sb_event *ev = sb_item_event(k);
    return sb_item_role(k) == SB_OWN || sb_item_role(k) == SB_STRETCH ? ev->who : ev->peer;
}
static inline struct sb_sort_key
sb_item(const struct sb_event *ev, enum sb_role role)
{
    return (struct sb_sort_key){sb_bias(ev->at_ns), (uint64_t)(uintptr_t)ev | role};
}
static inline void
sb_item_put(struct sb_items *v, const struct sb_event *ev, enum sb_role role)
{
    *SB_PUSH(v) = sb_item(ev, role);
}

struct sb_bundle { /* a process's items of a window */
    uint32_t process, n;
    size_t end; /* behind the last of them */
};

/* A stretch of time in one state, for the pyramids. Their sum over a process is what its row says. */
struct sb_span {
    int64_t from, to, told; /* told: the stamp of the event that showed it; the pyramids put them on the axis */
    uint32_t process, id;   /* index in its part; process.id, port.id of a port */
    uint16_t scheduler;     /* scheduler.id, 0 when not told */
    uint8_t state, less;    /* enum sb_state; a collection is taken off the state it lies in */
};

struct sb_spans {
    struct sb_span *at;
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
    struct sb_spans spans[SB_PARTS];
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

struct sb_life { /* what is asked of a process by others: apart from what it is, so that all of it stays near */
    int64_t born;       /* stamps from here on are this life's; INT64_MIN for the first */
    uint32_t id;        /* process.id, or port.id of a port; 0: not numbered */
    uint32_t next_life; /* 1 + index of the process that has this pid later */
};

struct sb_part {
    struct sb_run *run;
    unsigned index;
    struct sb_map index_of; /* sb_actor -> index of its first life; `used`: 1 + its id while that is its only one */
    struct sb_procs procs;
    SB_VEC(struct sb_life) lives; /* of each of them */
    bool reborn;             /* somebody here has had two lives */
    size_t numbered, losses; /* procs before it have their ids; losses that all procs have been told of */
    struct sb_items waiting, window; /* not yet in a window; by process, then time: */
    SB_VEC(struct sb_bundle) bundles;
    size_t fetched;          /* so many of them: stretch.h */
    struct sb_items cut, line, spare; /* stretches from the window's end on; one process's, each event by itself */
    struct sb_rows rows[SB_TABLES]; /* found, and not yet enough for a segment; text cells hold name ids */
    struct sb_spans spans;
    struct sb_ended ended;
    bool ports_told;           /* some port was seen at work */
    bool words_told, ext_told; /* some message's size was */
    struct sb_map mailboxes;   /* process.id -> the longest that was sampled: note.c */
    uint32_t from; /* process.id of who sent what arrives just now; 0: nobody */
    struct sb_edge_notes notes; /* not yet put away: edges.h */
    struct sb_warm_pair warm[SB_WARM_PAIRS];
    struct sb_map queue_edges; /* from scheduler.id << 32 | to -> index in queue_sums */
    SB_VEC(struct sb_queue_sum) queue_sums;
    uint32_t queue_known[SB_QUEUES_KNOWN]; /* in front of it: an index */
    SB_VEC(struct sb_queue_sum) unnamed; /* sends to names on other nodes that nobody is known to have, by node index */
    SB_VEC(struct sb_new_lane) new_lanes;
    struct sb_map lanes;                 /* node << 16 | lane seen -> 1 + its place in new_lanes while it is new */
    struct sb_thread_sums threads;       /* of nodes whose nobody is here: threads.c */
    uint32_t lane_known[SB_LANES_KNOWN]; /* in front of it: key + 1 */
};

#endif
