/*
 * What is known of the calls of a process at one moment: its stack, the tree, the sums by function and by
 * edge, and the events that wait. calltree.h says what it means. Indexes are places in the lists below; 0 is
 * none.
 */
#ifndef SB_ENGINE_CALL_STATE_H
#define SB_ENGINE_CALL_STATE_H
#include "base/map.h"
#include "base/vec.h"

enum { SB_CALLS_INTERVALS = 32 }; /* of activity kept a function; neighbours are then joined */

struct sb_interval {
    int64_t start, end, busy_ns; /* busy_ns: less than from start to end where several were joined */
    uint64_t count;
};

struct sb_earlier_intervals {
    /* what fits into so much is joined: a share of the time from the first to the last */
    int64_t join_ns;
    uint32_t n, cap;
    struct sb_interval at[];
};

struct sb_call_function { /* 0 is nobody */
    uint32_t name;
    uint32_t open; /* calls on the stack */
    uint32_t root; /* node: stands for what called it where nothing traced did; 0: not seen */
    uint32_t self; /* edge: it calls itself; 0: it does not */
    uint32_t via;  /* edge of the outermost call on the stack */
    uint64_t calls;
    /* entry of the outermost call; the time with one on the stack */
    int64_t since, acc_ns;
    struct sb_interval latest;            /* of activity; count 0: none */
    struct sb_earlier_intervals *earlier; /* those before; NULL: none */
};

struct sb_call_edge { /* 0: the call at the bottom of the stack, whose caller is known when it returns */
    uint32_t caller, callee, open;
    uint64_t calls;
    int64_t since, own_ns, acc_ns;
    int64_t outer_ns; /* of the outermost calls of the callee */
};

struct sb_call_node {
    uint32_t fn, function; /* name id; index. 0 in a root: not named yet */
    uint32_t parent;       /* index of the caller's node, 0: a root */
    uint32_t child, sibling;
    uint32_t edge;
    uint32_t step; /* 1 + index of the one that was last taken from here */
    /* calls: 0 of code known as a caller only; recursive: those folded into it */
    uint64_t calls, recursive, tail;
    int64_t own_ns, first, last;
};

struct sb_call_step { /* what calling `fn` at `from` does, where that is no callee found at once */
    uint32_t from, fn, to, edge;
    bool fold;
};

struct sb_call_frame {
    uint32_t node, edge;
    uint32_t repeats; /* calls of itself on top of it */
    /* name of the code below it that is not traced: told, or what ran before the call; 0 */
    uint32_t under;
    uint32_t dropped; /* frames like it that a squeeze took out */
    bool tail;        /* known to return where the frame below does */
    bool many;        /* it runs in turns with other squeezed ones */
};

enum sb_call_event_kind { SB_CALL, SB_RETURN_TO, SB_ENTER_PSEUDO, SB_LEAVE_PSEUDO };
struct sb_call_event {
    int64_t at;
    uint32_t fn, cp;
    uint8_t kind;
    bool has_cp;
};

struct sb_call_doubt { /* a return to code that is not traced, waiting for what tells how many frames it ends
                        */
    bool open;
    int64_t at;
    uint32_t to;            /* name of the code */
    size_t scanned;         /* events of the queue that were looked at */
    uint32_t running;       /* what runs after them, as far as known */
    size_t spare;           /* calls among them that may not have returned */
    size_t returns;         /* more of them than calls */
    SB_VEC(uint32_t) above; /* functions called since and not returned from */
};

struct sb_calltree {
    SB_VEC(struct sb_call_node) node; /* 0 is the empty path */
    SB_VEC(struct sb_call_step) step;
    SB_VEC(struct sb_call_function) function;
    SB_VEC(struct sb_call_edge) edge;
    /* from << 32 | fn; name; caller << 32 | callee -> index */
    struct sb_map step_of, function_of, edge_of;
    SB_VEC(struct sb_call_frame) frame;
    size_t run;        /* 1 + index of the frame that runs; 0: the code below all frames does */
    size_t squeezed;   /* frames that a squeeze made */
    size_t squeeze_at; /* a stack as high as this is squeezed */
    uint32_t bottom;   /* node of the code below all frames; 0: unknown */
    bool bottom_calls; /* what is called with no frame is called by that very code */
    /* name of the code that is not traced above the frame that runs; 0: none known */
    uint32_t over;
    int64_t since;    /* up to here its time is counted */
    size_t resume[4]; /* `run` to come back to from suspend and garbage_collect */
    unsigned n_pseudo;
    bool callers_told; /* calls came with their caller: tail calls are known, not inferred */
    SB_VEC(struct sb_call_event) queue;
    size_t queue_head;
    struct sb_call_doubt doubt;
    struct sb_map learned; /* call_doubt.h */
};

#endif
