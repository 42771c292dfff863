/*
 * How many ran at once: for every number k, how long exactly k processes were on normal schedulers, and who
 * it was when it was one alone: the serial part of the program, which more cores cannot help. Exact, by a
 * sweep over the stays, up to 500,000 of them; beyond, from the pyramids, which tell moments apart by their
 * finest bucket.
 */
#ifndef SB_ANSWER_PARALLEL_H
#define SB_ANSWER_PARALLEL_H
#include "base/arena.h"
#include "profile/timeline.h"

#define SB_PARALLEL_LEVELS 1025

struct sb_parallel {
    int64_t span_ns;
    int64_t at_level_ns[SB_PARALLEL_LEVELS]; /* exactly k on a scheduler */
    int64_t *alone_ns;                       /* by process.id, below n_ids: alone on all schedulers */
    uint64_t n_ids;
    bool exact;
};

bool sb_parallel_find(const struct sb_profile *p, int64_t t0, int64_t t1, struct sb_arena *a,
                      struct sb_parallel *out, struct sb_err *e);
/* who ran alone longest; 0 when nobody did */
int64_t sb_parallel_most_alone(const struct sb_parallel *s, int64_t *ns);

#endif
