/*
 * The table function, summed from call_node while the trees are written, so that their writers need not do
 * it. Texts are handles of the builder.
 */
#pragma once
#include "base/vec.h"
#include "profile/schema.h"

struct sb_function_sum {
    int64_t mfa, calls, own_ns, acc_ns, gc_ns, suspend_ns, processes, last_process;
    int64_t counted, counted_from; /* calls that were only counted; SB_NULL: no count, never counted */
    bool at_least;                 /* the last count is missing */
};
struct sb_function_count { /* of a function on one node */
    int64_t mfa, calls, from;
    bool at_least;
};
struct sb_functions {
    SB_VEC(struct sb_function_sum) sum; /* by first appearance */
    SB_VEC(uint32_t) of_handle;         /* 1 + index in sum */
    SB_VEC(uint32_t) node;              /* of the current process: index in sum; 0 is nobody */
    int64_t process, nodes_before;      /* nodes of the processes before */
    int64_t suspend, collect;           /* handles of the pseudo functions */
};

/* Ids ascend by one, the nodes of a process are adjacent, and parents precede children. */
void sb_functions_add(struct sb_functions *f, const int64_t *call_node);
void sb_functions_counted(struct sb_functions *f, const struct sb_function_count *c);
void sb_functions_row(const struct sb_functions *f, size_t i, int64_t *cells); /* of table function */
void sb_functions_close(struct sb_functions *f);
