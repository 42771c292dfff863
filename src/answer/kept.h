/* What collections cost for data that they did not free: the part of each that copied what lived on. */
#ifndef SB_ANSWER_KEPT_H
#define SB_ANSWER_KEPT_H
#include "base/arena.h"
#include "profile/profile.h"

struct sb_kept {
    int64_t ns, all_ns;           /* of all processes: for what lived on, and of all collections whose sizes are known */
    int64_t process, process_ns; /* process.id that spent most of it; SB_NULL: none */
};
void sb_kept_find(const struct sb_profile *p, struct sb_arena *a, struct sb_kept *out);

#endif
