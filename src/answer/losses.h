/*
 * What the trace lost, the calls that were only counted when a ring was nearly full, and whether more was to come.
 * Every report, query and export of such a trace says so in a line each.
 */
#ifndef SB_ANSWER_LOSSES_H
#define SB_ANSWER_LOSSES_H
#include "base/arena.h"
#include "profile/profile.h"

struct sb_losses {
    int64_t events;        /* lost, of all classes */
    struct sb_str classes; /* "messages 5,301, any 4", the most frequent first; empty: nothing was lost */
};
struct sb_losses sb_losses_find(const struct sb_profile *p, struct sb_arena *a);
/* The same as a sentence that says what follows from it; empty if nothing was lost. */
struct sb_str sb_losses_note(const struct sb_profile *p, struct sb_arena *a);

/* A sentence about the functions whose calls were only counted from some time on; empty: there are none. */
struct sb_str sb_losses_counted(const struct sb_profile *p, struct sb_arena *a);

/* A sentence about a profile of a wrap set whose oldest files were removed; empty: none were. */
struct sb_str sb_losses_wrapped(const struct sb_profile *p);

/* A sentence about a profile of a trace that was still being written; empty: its trace had ended. */
struct sb_str sb_losses_unfinished(const struct sb_profile *p, struct sb_arena *a);

#endif
