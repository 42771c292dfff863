/*
 * The calling-context tree of one process, grown event by event. A path names no function twice: a call of a
 * function that is on the path already (recursion, a loop of tail calls) is folded into its first occurrence.
 * So the state is one node, the tree stays as small as the program text, and accumulated time is simply the
 * own time of a subtree.
 *
 *     path:   start > loop > handle         call loop  =>  start > loop   (folded; `loop.folded_from` =
 * handle) return_to handle => back to start > loop > handle
 *
 * Where the caller is told (fprof's {cp, MFA}), a tail call is known at once. Where it is not, it is
 * inferred: a return that leaves several functions at once says that all but the first of them were entered
 * by tail calls, and so were folded calls that nothing returned from (a loop of several functions is so
 * marked at its head). What an exception left in one go looks the same. One thread at a time.
 */
#ifndef SB_ENGINE_CALLTREE_H
#define SB_ENGINE_CALLTREE_H
#include "base/map.h"
#include "base/vec.h"

enum { SB_CALLS_INTERVALS = 16 }; /* of activity kept a node; closer ones are then joined */

struct sb_interval {
    int64_t start, end;
    uint64_t count;
};

struct sb_earlier_intervals {
    int64_t join_ns; /* intervals closer than this are joined */
    uint32_t n, cap;
    struct sb_interval at[];
};

/* Most nodes of a large tree are met once or twice: they carry one interval and no list. What is wanted of a
 * node only while it is on the path stands in the path. */
struct sb_call_node {
    uint32_t fn, parent;     /* name id; index of the caller's node, 0: a root */
    uint32_t child, sibling; /* first child, next sibling; 0: none */
    uint64_t calls;
    int64_t own_ns;
    struct sb_interval latest;            /* of activity; count 0: none */
    struct sb_earlier_intervals *earlier; /* those before; NULL: none */
    uint32_t folded_from : 31;            /* where a call was last folded into this one; 0: never */
    uint32_t dummy : 1;                   /* never called in this trace: known as a caller only */
    uint32_t step;                        /* 1 + index of the one that was last taken from here */
    uint64_t tail;
};

struct sb_call_step { /* what calling `fn` at `from` does, where that is no callee found at once: learnt,
                         looked up */
    uint32_t from, fn, to;
    bool fold;
    uint64_t calls; /* of a fold */
};

struct sb_call_frame { /* a node on the path */
    uint32_t node, fn;
    int64_t entered, own_ns; /* of the activation that is open */
    uint32_t folds;          /* calls folded into it and not returned from */
};

struct sb_calltree {
    SB_VEC(struct sb_call_node) node; /* 0 is the empty path */
    SB_VEC(struct sb_call_step) step;
    struct sb_map step_of;             /* from << 32 | fn -> index in step */
    struct sb_map called;              /* functions that were ever called: the traced ones */
    SB_VEC(struct sb_call_frame) path; /* the last runs; 0 is nobody */
    struct sb_map deep;                /* of a long path: function -> index, up to and with n_deep */
    size_t n_deep;
    size_t n_folded;    /* nodes on the path that have a folded_from */
    int64_t since;      /* up to here its time is counted */
    uint32_t pseudo[4]; /* places on the path to come back to from suspend and garbage_collect */
    unsigned n_pseudo;
    bool callers_told; /* calls came with their caller: tail calls are known, not inferred */
};

struct sb_calltree *sb_calltree_open(void);
void sb_calltree_close(struct sb_calltree *t);

/* `cp` only when has_cp: the function it will return to, 0 for none. */
void sb_calltree_call(struct sb_calltree *t, int64_t at, uint32_t fn, bool has_cp, uint32_t cp);
void sb_calltree_return_to(struct sb_calltree *t, int64_t at, uint32_t fn);
/* suspend, garbage_collect: pseudo functions, called by whatever runs; `leave` of one that is not on top is
 * ignored */
void sb_calltree_enter_pseudo(struct sb_calltree *t, int64_t at, uint32_t fn);
void sb_calltree_leave_pseudo(struct sb_calltree *t, int64_t at, uint32_t fn);
void sb_calltree_end(struct sb_calltree *t, int64_t at); /* exit, end of trace: everything is left */

/* Calls folded into each node, by index; to be freed. */
uint64_t *sb_calltree_recursive(const struct sb_calltree *t);
/* when it was active, in order; how many */
size_t sb_calltree_intervals(const struct sb_call_node *n, struct sb_interval all[SB_CALLS_INTERVALS]);

#endif
