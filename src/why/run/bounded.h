/* A value that the trace does not determine exactly, with the bounds that it does: they are written together.
 */
#pragma once
#include "profile/profile.h"

struct sb_bounded {
    int64_t low, ns, high; /* SB_NULL: unknown */
};

static inline struct sb_bounded
sb_bounded_exact(int64_t ns)
{
    return (struct sb_bounded){ns, ns, ns};
}

static inline void
sb_bounded_add(struct sb_bounded *to, struct sb_bounded b)
{
    *to = (struct sb_bounded){to->low + b.low, to->ns + b.ns, to->high + b.high};
}

/* the value; the upper bound if the value is unknown or may be 0; SB_NULL: neither is known */
int64_t sb_bounded_value(struct sb_bounded b);
/* " (between 5 and 31 %)" from the texts of the bounds; nothing if they read the same */
const char *sb_bounded_text(struct sb_arena *a, const char *low, const char *high, const char *unit);
/* "a cure saves about 834 ms (417 ms to 1.84 s)", "a cure saves at most 1.84 s, of a call at most 390 ms (p99)";
 * `call_ns`: what it may save of a call, SB_NULL: nobody calls; `in_cpu`: the gain is CPU time; `brief`:
 * without the bounds */
const char *sb_bounded_gain(struct sb_arena *a, struct sb_bounded gain, int64_t call_ns, bool is_simulated,
                            bool in_cpu, bool brief);
