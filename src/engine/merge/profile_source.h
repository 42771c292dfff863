/*
 * Replays a profile as a trace: slices become `in` and `out`, messages `send` and `receive`, and so on
 * through its tables; table event holds events that no other table preserves (journal.h). Each traced node of
 * a profile is a separate source with its own clock: the shift that aligned the clocks is undone. Calls are
 * not replayed: a merge copies their rows (merge_rows.h).
 */
#pragma once
#include "profile/profile.h"
#include "trace/source.h"

/* Opens the `nth` traced node of a profile, from 0; *s is NULL when the profile has fewer. */
bool sb_profile_source_open(struct sb_source **s, const char *path, unsigned nth, struct sb_err *e);

const struct sb_profile *sb_profile_source_profile(const struct sb_source *s);
int64_t sb_profile_source_shift_ns(const struct sb_source *s); /* stamp = time in the profile + shift */
/* the actor of process.id in the source's events; 0 when there is no such process */
sb_actor sb_profile_source_process(const struct sb_source *s, int64_t id);
bool sb_profile_source_is_own(const struct sb_source *s, int64_t id);
uint32_t sb_profile_source_function(const struct sb_source *s, int64_t text); /* any thread */
uint32_t sb_profile_source_text(const struct sb_source *s, int64_t text);
sb_lane sb_profile_source_lane(const struct sb_source *s,
                               int64_t scheduler); /* SB_LANE_NONE for a scheduler of another node */
struct sb_str sb_profile_source_meta(const struct sb_source *s, const char *key);
