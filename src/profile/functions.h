/*
 * The table function follows from call_node: summed here while the trees go by, so that whoever writes trees
 * needn't. The handles of texts are the builder's.
 */
#ifndef SB_PROFILE_FUNCTIONS_H
#define SB_PROFILE_FUNCTIONS_H
#include "base/vec.h"
#include "profile/schema.h"

struct sb_function_sum {
    int64_t mfa, calls, own_ns, acc_ns, gc_ns, suspend_ns, processes, last_process;
};
struct sb_functions {
    SB_VEC(struct sb_function_sum) sum; /* in order of their first appearance */
    SB_VEC(uint32_t) of_handle;         /* 1 + index in sum */
    SB_VEC(uint32_t) node;              /* of the process that goes by: index in sum; 0 is nobody */
    int64_t process, nodes_before;      /* of other processes */
    int64_t suspend, collect;           /* handles of the pseudo functions */
};

/* Ids rise by one, the nodes of a process stand together, parents come first. */
void sb_functions_add(struct sb_functions *f, const int64_t *call_node);
void sb_functions_row(const struct sb_functions *f, size_t i, int64_t *cells); /* of the table function */
void sb_functions_close(struct sb_functions *f);

#endif
