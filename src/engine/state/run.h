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
#ifndef SB_ENGINE_RUN_H
#define SB_ENGINE_RUN_H
#include "base/pool.h"
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

struct sb_run {
    const struct sb_engine_options *o;
    const char *path; /* of the profile */
    struct sb_pool *pool;
    unsigned workers;
    struct sb_build *build;
    SB_VEC(struct sb_input) inputs; /* ordered by node name */
    SB_VEC(struct sb_planned) plan; /* their blocks, in the order to read them */
    struct sb_names *names;         /* the first input's; names of the others are translated to it */
    struct sb_part *part;           /* SB_PARTS */
    struct sb_control *control;
    struct sb_waits *waits;
    struct sb_quiet *quiet;
    struct sb_counted *counted;
    struct sb_emit *emit;
    struct sb_pyramids *pyramids;
    struct sb_edges *edges;
    struct sb_merge_rows *stored; /* rows of profiles that are merged: merge_rows.h; NULL for traces */
    int64_t t0, end;              /* smallest and largest stamp of any record read so far */
    int64_t last;                 /* the largest stamp of the trace */
    int64_t window_end;           /* stamps of the window are below; INT64_MAX: the last one */
    uint64_t recorded;            /* bit per enum sb_class: as the sources state, else by the kinds seen */
    uint64_t seen_kinds;
    /* stamps are CPU time, or there are none: only the order of the file is meaningful */
    bool file_order;
    bool untimed;  /* there are no stamps: times are unknown */
    bool vm_truth; /* system_profile reports runnable processes */
    bool merges;   /* the inputs are profiles */
    /* a node may talk to others: any message may have its other end there */
    bool keep_hash;
    bool learned;     /* the functions that wait were learned, not stated */
    bool no_receives; /* no process receives a message, so they could not be learned */
    /* events were lost: occupants.h tracks the process on each scheduler */
    bool loses;
    bool lanes_told;           /* some event of a process had its scheduler */
    bool ports_told;           /* some port had a slice */
    bool words_told, ext_told; /* some message had a size */
    uint32_t n_processes, n_ports, n_nodes;
    SB_VEC(struct sb_lane_row) lanes; /* scheduler.id is the index + 1 */
    struct sb_map lane_id;            /* node << 16 | lane -> scheduler.id */
    struct {
        uint32_t key, id;
    } lane_known[256];                  /* a cache of lane_id; id 0: empty */
    uint32_t word[16];                  /* by enum sb_word: name ids of frequent texts */
    uint32_t kind_name[SB_EVENT_KINDS]; /* name ids of kinds */
    uint64_t n_events;
    /* node.id by node index: traced nodes first, the others numbered at the end */
    uint16_t node_id[SB_ACTOR_NODES];
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
    SB_W_minor,
    SB_W_major,
    SB_W_suspend,
    SB_W_garbage_collect,
    SB_WORDS
};

static inline uint64_t
sb_memory(const struct sb_run *r)
{
    return r->o->memory_bytes ? r->o->memory_bytes : UINT64_C(512) << 20;
}
static inline bool
sb_recorded(const struct sb_run *r, enum sb_class c)
{
    return r->recorded >> c & 1;
}
static inline int64_t
sb_node_id(const struct sb_run *r, unsigned node)
{
    return r->node_id[node] ? r->node_id[node] : SB_NULL;
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
    uint64_t d = (uint64_t)at - (uint64_t)r->t0;
    return d <= (uint64_t)INT64_MAX >> 1 ? (int64_t)d : at < r->t0 ? 0 : INT64_MAX >> 1;
}

#endif
