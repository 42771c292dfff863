/*
 * An analysis that goes on while its trace is being written. It takes in what was added as windows, and its state
 * stays in memory. What depends on the end of the trace is found out in a copy of the process, which ends the run at
 * the last window and writes a profile of what is known (an *edition*):
 *
 *     step ── step ── step ── step ── step ── finish: the profile that sb_engine_analyze makes, byte for byte
 *                └─ fork: edition        └─ fork: edition
 *
 * A trace may say later what the analysis needed earlier: that events were lost, or which functions wait. Then the
 * analysis starts over. After three times it goes on with what it has, and its last profile would not be the same; as
 * for a damaged trace, only sb_engine_analyze makes that one. Only the traces of strobe grow.
 */
#pragma once
#include "engine/engine.h"

enum sb_grown {
    SB_GROWN_FAILED,  /* an error, or `progress` stopped it */
    SB_GROWN_NOT_YET, /* the trace has not begun */
    SB_GROWN_SOME,    /* more is there: the next step takes it in */
    SB_GROWN_ALL,     /* all that is known was taken in */
    SB_GROWN_WHOLE,   /* the same, and the trace is complete */
    SB_GROWN_BROKEN   /* the trace is complete, but its last profile has to be made by sb_engine_analyze */
};

struct sb_growth;
/* `path`: of a file that holds the profile while it grows; it has no name where the file system allows that. */
struct sb_growth *sb_growth_open(const char *trace, const char *path, const struct sb_engine_options *o);
void sb_growth_close(struct sb_growth *g);
/* Takes in some of what was added, about a million events at most. */
enum sb_grown sb_growth_step(struct sb_growth *g, struct sb_err *e);
/* Returns how many bytes of the trace were taken in. Half a block at its end is not among them, since a drain that
 * resumes cuts it off. */
uint64_t sb_growth_taken(const struct sb_growth *g);
/* Returns whether an edition would have more than the one before. */
bool sb_growth_has_more(const struct sb_growth *g);
/* Writes a profile of the part that was taken in. Only with one thread. `cpu_ns`: what the copy of the process took. */
bool sb_growth_edition(struct sb_growth *g, const char *path, int64_t *cpu_ns, struct sb_err *e);
/* Completes the profile of a trace that is SB_GROWN_WHOLE, at another path. Only sb_growth_close may follow.
 * `identity`: as in kept.h. */
bool sb_growth_finish(struct sb_growth *g, const char *path, const char *identity, struct sb_err *e);
/* Takes in the rest of a trace that is complete and is called `trace` by now, and stores its profile beside it; the
 * path of that in `profile_path`. false: sb_engine_analyze has to make it. */
bool sb_growth_keep(struct sb_growth *g, const char *trace, char *profile_path, size_t cap);
