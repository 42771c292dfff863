/*
 * What the trace lost, the calls that were only counted when a ring was nearly full, and whether more was to come.
 * Every report, query and export of such a trace says so in a line each.
 */
#pragma once
#include "profile/profile.h"

enum { SB_LOSS_CLASSES = 32 }; /* there are fewer; the last one takes what a forged profile has beyond */

struct sb_loss {
    struct sb_str class;
    int64_t events; /* of damage, which has an unknown number of events, the places */
};
struct sb_losses {
    struct sb_loss of[SB_LOSS_CLASSES]; /* the most frequent first */
    size_t n;
    int64_t events; /* lost, of all classes; SB_NULL: none that was counted */
};
struct sb_losses sb_losses_find(const struct sb_profile *p);
/* "messages 5,301, any 4"; empty: nothing was lost */
struct sb_str sb_losses_text(const struct sb_losses *l, struct sb_arena *a);

/* A sentence about the functions whose calls were only counted from some time on; empty: there are none. */
struct sb_str sb_losses_counted(const struct sb_profile *p, struct sb_arena *a);

/* A sentence about a profile of a trace that was still being written; empty: its trace had ended. */
struct sb_str sb_losses_unfinished(const struct sb_profile *p, struct sb_arena *a);

/*
 * A sentence for each kind of events that the profile does not have, the most general first. `has_rows`: the
 * answer has rows for lost events and for calls that were only counted, so they need no sentence.
 */
struct sb_loss_notes {
    struct sb_str at[5];
    size_t n;
};
struct sb_loss_notes sb_losses_notes(const struct sb_profile *p, bool has_rows, struct sb_arena *a);
