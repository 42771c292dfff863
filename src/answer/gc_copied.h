/* The cost of collections for data that they did not free: the part of each that copied live data. */
#ifndef SB_ANSWER_GC_COPIED_H
#define SB_ANSWER_GC_COPIED_H
#include "base/arena.h"
#include "profile/profile.h"

struct sb_gc_copied {
    int64_t ns, all_ns;          /* of all processes: for live data, and of all collections with known
                                    sizes */
    int64_t process, process_ns; /* process.id with the largest part; SB_NULL: none */
};
void sb_gc_copied_find(const struct sb_profile *p, struct sb_arena *a, struct sb_gc_copied *out);

#endif
