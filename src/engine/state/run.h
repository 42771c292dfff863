/*
 * One analysis, from inside.
 *
 *     blocks --decode, route--> parts --order, name, number--> windows --passes--> rows --emit--> profile
 *     (any thread)              (by process)  (order.c, control.c)  (a thread a part)  (one at a time)
 *
 * A *part* owns the processes that hash to it: their states, and the events that concern them (`item`s: their
 * own, messages sent to them, exits of processes linked to them). Parts never write to each other. A *window*
 * is a range of time of which every event is known. Within it a part handles process by process, in time
 * order. Its results become rows whose times depend on the data alone, and the profile orders the rows of all
 * parts by time and process. So the result does not depend on the number of threads, the order of the records
 * or the ends of windows.
 */
#pragma once
#include "base/pool.h"
#include "engine/state/facts.h"
#include "engine/state/options.h"
#include "engine/state/part.h"
#include "engine/state/store.h"
#include "profile/build.h"
#include "trace/source.h"

struct sb_lane_row { /* a scheduler */
    uint32_t lane;   /* node << 16 | sb_lane */
    int64_t slice_ns, gc_ns, active_ns, slices, active_since;
    int64_t first_seen; /* SB_NULL: known from the trace's header */
};

struct sb_input { /* a trace, and its node in this run */
    struct sb_source *source;
    struct sb_names *names;
    int64_t offset_ns, error_ns; /* added to its stamps; the remaining error */
    int64_t drift_ns;            /* its clock contradicts others by this much (clock_bounds.h) */
    /* its stamps on the common axis; first > last: none read yet */
    int64_t first, last;
    unsigned node;                      /* index of its traced node in the run's names */
    struct sb_translation *translation; /* inputs.c; one per worker */
};

struct sb_planned { /* a block to read */
    struct sb_block b;
    uint32_t input;
};

struct sb_lanes {                   /* lanes.c writes it */
    SB_VEC(struct sb_lane_row) row; /* scheduler.id is the index + 1 */
    struct sb_map id;               /* node << 16 | lane -> scheduler.id */
    struct {
        uint32_t key, id;
    } known[256]; /* a cache of `id`; id 0: empty */
};

struct sb_ids { /* given out so far */
    uint32_t processes, ports, nodes;
    /* node.id by node index: traced nodes first, the others numbered at the end */
    uint16_t node[SB_ACTOR_NODES];
};

struct sb_frequent_names {         /* name ids of frequent texts */
    uint32_t of[16];               /* by enum sb_word */
    uint32_t kind[SB_EVENT_KINDS]; /* tags of kinds */
};

struct sb_services { /* what the run works with, none of it a result */
    struct sb_pool *pool;
    unsigned workers;
    struct sb_build *build;
    struct sb_emit *emit;
};

struct sb_run {
    const struct sb_engine_options *o;
    const char *path; /* of the profile */
    bool merges;      /* the inputs are profiles */
    bool grows;       /* the trace is still being written: growth.h */
    struct sb_services services;
    SB_VEC(struct sb_input) inputs; /* ordered by node name */
    SB_VEC(struct sb_planned) plan; /* their blocks, in the order to read them */
    struct sb_names *names;         /* the first input's; names of the others are translated to it */
    struct sb_trace_facts facts;
    struct sb_axis axis;
    struct sb_lanes lanes;
    struct sb_ids ids;
    struct sb_frequent_names words;
    struct sb_part *part; /* SB_PARTS */
    struct sb_control *control;
    struct sb_waits *waits;
    struct sb_quiet *quiet;
    struct sb_counted *counted;
    struct sb_pyramids *pyramids;
    struct sb_edges *edges;
    struct sb_merge_rows *stored; /* rows of profiles that are merged: merge_rows.h; NULL for traces */
};

enum sb_word {
    SB_W_none,
    SB_W_normal,
    SB_W_dirty_cpu,
    SB_W_dirty_io,
    SB_W_unknown,
    SB_W_message,
    SB_W_exit,
    SB_W_spawn,
    SB_W_preempted,
    SB_W_timeout,
    SB_W_handover,
    SB_W_busy,
    SB_W_minor,
    SB_W_major,
    SB_W_suspend,
    SB_W_garbage_collect,
    SB_WORDS
};

static inline uint64_t
sb_memory(const struct sb_run *r)
{
    return r->o->memory_bytes ? r->o->memory_bytes : UINT64_C(64) << (r->merges ? 20 : 21);
}
static inline bool
sb_recorded(const struct sb_run *r, enum sb_class c)
{
    return r->facts.recorded >> c & 1;
}
static inline int64_t
sb_node_id(const struct sb_run *r, unsigned node)
{
    return r->ids.node[node] ? r->ids.node[node] : SB_NULL;
}
static inline struct sb_input * /* Returns a trace of that node; NULL: it was only mentioned. */
sb_input_of(const struct sb_run *r, unsigned node)
{
    for (size_t i = 0; i < r->inputs.n; i++)
        if (r->inputs.at[i].node == node)
            return &r->inputs.at[i];
    return NULL;
}
/* Return the first and the last stamp of a node, over all its inputs. */
int64_t sb_node_start(const struct sb_run *r, unsigned node);
int64_t sb_node_end(const struct sb_run *r, unsigned node);
/* Converts a stamp to the profile's axis. */
static inline int64_t
sb_rel(const struct sb_run *r, int64_t at)
{
    uint64_t d = (uint64_t)at - (uint64_t)r->axis.t0;
    return d <= (uint64_t)INT64_MAX >> 1 ? (int64_t)d : at < r->axis.t0 ? 0 : INT64_MAX >> 1;
}
