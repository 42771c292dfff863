/* What one sweep over the whole run tells, found once for a profile: the accounts, and the numbers at work. */
#pragma once
#include "why/account/account.h"
#include "why/account/parallel.h"
#include <pthread.h>

struct sb_whole {
    struct sb_accounts accounts;
    struct sb_parallel run, program; /* `program`: while it ran; without a length if there is none */
};
const struct sb_whole *sb_whole_of(const struct sb_profile *p);
/* Finds it in another thread, beside what does not need it. */
struct sb_whole_ahead {
    pthread_t thread;
    bool runs;
};
struct sb_whole_ahead sb_whole_begin(const struct sb_profile *p);
void sb_whole_wait(const struct sb_whole_ahead *a);
/* Whether start-up and shutdown took a twentieth of the run, so that the program's part is another thing. */
bool sb_whole_has_part(const struct sb_whole *w);
/* The numbers at work in [t0, t1), from the whole where it covers that. */
struct sb_parallel *sb_parallel_of(const struct sb_profile *p, int64_t t0, int64_t t1, struct sb_arena *a);
/* A copy that the caller may change. */
struct sb_parallel *sb_parallel_copy(const struct sb_parallel *s, struct sb_arena *a);
