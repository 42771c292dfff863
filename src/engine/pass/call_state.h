/*
 * The calls of a process at one moment: its stack, the tree, sums by function and by edge, and queued events.
 * calltree.h explains them. An index refers to one of the lists below; 0 is none.
 */
#pragma once
#include "base/map.h"
#include "base/vec.h"

enum { SB_CALLS_INTERVALS = 32 }; /* intervals of activity per function; neighbours are joined above that */

struct sb_interval {
    int64_t start, end, busy_ns; /* active time: less than end - start if several intervals were joined */
    uint64_t count;
};

struct sb_earlier_intervals {
    /* neighbours that span no more than this are joined: a share of the time from first to last */
    int64_t join_ns;
    uint32_t n, cap;
    struct sb_interval at[];
};

struct sb_call_function { /* index 0 is unused */
    uint32_t name;
    uint32_t open; /* number of calls on the stack */
    uint32_t root; /* node that stands for its untraced caller; 0: none yet */
    uint32_t self; /* edge to itself; 0: it does not call itself */
    uint32_t via;  /* edge of the outermost call on the stack */
    uint64_t calls;
    /* entry of the outermost call; total time with a call on the stack */
    int64_t since, acc_ns;
    struct sb_interval latest;            /* latest interval of activity; count 0: none */
    struct sb_earlier_intervals *earlier; /* earlier intervals; NULL: none */
};

/* index 0: the call at the bottom of the stack, whose caller is known when it returns */
struct sb_call_edge {
    uint32_t caller, callee, open;
    uint64_t calls;
    int64_t since, own_ns, acc_ns;
    int64_t outer_ns; /* time of the outermost calls of the callee */
};

struct sb_call_node {
    uint32_t fn, function; /* name id; index in the list of functions. 0 in a root that is not named yet */
    uint32_t parent;       /* the caller's node, 0: a root */
    uint32_t child, sibling;
    uint32_t edge;
    uint32_t step; /* 1 + index of the step taken most recently from here */
    /* calls: 0 for code known only as a caller; recursive: calls folded into this node */
    uint64_t calls, recursive, tail;
    int64_t own_ns, first, last;
};

/* the effect of a call of `fn` at node `from`, for callees that are not found at once */
struct sb_call_step {
    uint32_t from, fn, to, edge;
    bool fold;
};

struct sb_call_frame {
    uint32_t node, edge;
    uint32_t repeats; /* number of recursive calls on top of it */
    /* name of the untraced code below it, recorded or running before the call; 0: none */
    uint32_t under;
    uint32_t dropped; /* number of equal frames that a squeeze dropped */
    bool tail;        /* known to return together with the frame below */
    bool many;        /* it ran in turns with other squeezed frames */
};

enum sb_call_event_kind { SB_CALL, SB_RETURN_TO, SB_ENTER_PSEUDO, SB_LEAVE_PSEUDO };
struct sb_call_event {
    int64_t at;
    uint32_t fn, cp;
    uint8_t kind;
    bool has_cp;
};

/* an unsettled return to untraced code: how many frames it ends depends on later events */
struct sb_call_doubt {
    bool open;
    int64_t at;
    uint32_t to;            /* name of the code */
    size_t scanned;         /* number of queued events that were examined */
    uint32_t running;       /* what runs after them, as far as known */
    size_t spare;           /* calls among them that may not have returned */
    size_t returns;         /* returns in excess of calls */
    SB_VEC(uint32_t) above; /* functions called since, and still on the stack */
};

struct sb_calltree {
    SB_VEC(struct sb_call_node) node; /* index 0: the empty path */
    SB_VEC(struct sb_call_step) step;
    SB_VEC(struct sb_call_function) function;
    SB_VEC(struct sb_call_edge) edge;
    /* keys: from << 32 | fn; name; caller << 32 | callee. Values: index */
    struct sb_map step_of, function_of, edge_of;
    SB_VEC(struct sb_call_frame) frame;
    size_t run;        /* 1 + index of the running frame; 0: the code below all frames runs */
    size_t squeezed;   /* number of frames at the bottom that a squeeze left */
    size_t squeeze_at; /* height at which the stack is squeezed next */
    uint32_t bottom;   /* node of the code below all frames; 0: unknown */
    bool bottom_calls; /* calls without a frame are made by that very code */
    /* name of the untraced code above the running frame; 0: none known */
    uint32_t over;
    int64_t since;    /* time is charged up to here */
    size_t resume[4]; /* `run` to restore after suspend and garbage_collect */
    unsigned n_pseudo;
    bool callers_known; /* calls came with their caller, so tail calls are certain, not inferred */
    SB_VEC(struct sb_call_event) queue;
    size_t queue_head;
    struct sb_call_doubt doubt;
    struct sb_map learned; /* answers of call_doubt.h */
};
