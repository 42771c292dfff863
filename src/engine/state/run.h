/*
 * One analysis, from inside.
 *
 *     blocks --decode, route--> parts --order, name, number--> windows --passes--> rows --emit--> profile
 *     (any thread)              (by process)  (order.c, control.c)  (a thread a part)  (one at a time)
 *
 * A *part* owns the processes that hash to it: their states, and the events that concern them (`item`s: their
 * own, messages sent to them, exits of what they are linked to). Parts never write to each other. A *window*
 * is a stretch of time of which every event is known. Within it a part walks process by process, in time
 * order; what it finds goes into rows keyed by a time that depends on the data alone, and it is by time and
 * process that the profile puts the rows of all parts in order. So neither threads, nor the order of the
 * records, nor where windows happen to end can be seen in the result.
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
    int64_t first_seen; /* SB_NULL: told beforehand */
};

struct sb_input { /* a trace and what its node is called here */
    struct sb_source *source;
    struct sb_names *names;
    int64_t offset_ns, error_ns; /* added to its stamps; what is left */
    int64_t drift_ns;            /* its clock contradicts others by this much (clock_bounds.h) */
    /* its stamps on the common axis; first > last: none was read yet */
    int64_t first, last;
    unsigned node;                      /* index of its traced node in the run's names */
    struct sb_translation *translation; /* inputs.c; one a worker */
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
    struct sb_names *names;         /* the first input's; those of the others are said again in it */
    struct sb_part *part;           /* SB_PARTS */
    struct sb_control *control;
    struct sb_waits *waits;
    struct sb_quiet *quiet;
    struct sb_counted *counted;
    struct sb_emit *emit;
    struct sb_pyramids *pyramids;
    struct sb_edges *edges;
    struct sb_merge_rows *stored; /* of profiles that are merged: merge_rows.h; NULL for traces */
    int64_t t0, end;              /* smallest and largest stamp of any record read so far */
    int64_t last;                 /* the largest there will be */
    int64_t window_end;           /* stamps of the window are below; INT64_MAX: the last one */
    uint64_t recorded;            /* bit per enum sb_class: as the sources say, else as seen */
    uint64_t seen_kinds;
    /* stamps are CPU time, or there are none: only the order of the file means anything */
    bool file_order;
    bool untimed;  /* there are none: what is a time is unknown */
    bool vm_truth; /* system_profile says who is runnable */
    bool merges;   /* the inputs are profiles */
    /* some node may talk to others: any message may have its other end there */
    bool keep_hash;
    bool learned;     /* which functions wait was learned, not told */
    bool no_receives; /* and nobody takes a message: it could not be learned */
    /* events were lost: who ran where is watched over all processes (occupants.h) */
    bool loses;
    bool lanes_told;           /* some event of a process told its scheduler */
    bool ports_told;           /* some port was seen at work */
    bool words_told, ext_told; /* some message's size was told */
    uint32_t n_processes, n_ports, n_nodes;
    SB_VEC(struct sb_lane_row) lanes; /* scheduler.id is the index + 1 */
    struct sb_map lane_id;            /* node << 16 | lane -> scheduler.id */
    struct {
        uint32_t key, id;
    } lane_known[256];                  /* in front of it: id 0 says nothing */
    uint32_t word[16];                  /* enum sb_word: names of what rows say often */
    uint32_t kind_name[SB_EVENT_KINDS]; /* the same of kinds */
    uint64_t n_events;
    /* node.id by node index: traced nodes first, the others named at the end */
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
static inline struct sb_input * /* a trace of that node; NULL: it is only talked of */
sb_input_of(const struct sb_run *r, unsigned node)
{
    for (size_t i = 0; i < r->inputs.n; i++)
        if (r->inputs.at[i].node == node)
            return &r->inputs.at[i];
    return NULL;
}
/* Where the trace of a node begins and ends, over all its inputs. */
int64_t sb_node_start(const struct sb_run *r, unsigned node);
int64_t sb_node_end(const struct sb_run *r, unsigned node);
/* From a stamp to the profile's axis. */
static inline int64_t
sb_rel(const struct sb_run *r, int64_t at)
{
    uint64_t d = (uint64_t)at - (uint64_t)r->t0;
    return d <= (uint64_t)INT64_MAX >> 1 ? (int64_t)d : at < r->t0 ? 0 : INT64_MAX >> 1;
}

#endif
