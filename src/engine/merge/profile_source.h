/*
 * A profile told again as a trace: slices as `in` and `out`, messages as `send` and `receive`, and so on
 * through its tables; what none of them keeps stands in table event (journal.h). Each traced node of a
 * profile is a source of its own, with its own clock: what aligned the clocks before is taken back. Calls do
 * not come again: their rows are taken over as they are (merge_rows.h).
 */
#ifndef SB_ENGINE_PROFILE_SOURCE_H
#define SB_ENGINE_PROFILE_SOURCE_H
#include "profile/profile.h"
#include "trace/source.h"

/* The `nth` traced node of a profile, from 0; *s is NULL when it has no more. */
bool sb_profile_source_open(struct sb_source **s, const char *path, unsigned nth, struct sb_err *e);

const struct sb_profile *sb_profile_source_profile(const struct sb_source *s);
int64_t sb_profile_source_node(const struct sb_source *s);     /* node.id in it */
int64_t sb_profile_source_shift_ns(const struct sb_source *s); /* added to a time of the profile, its stamp */
/* process.id as the source's events name it; 0 when there is no such process */
sb_actor sb_profile_source_process(const struct sb_source *s, int64_t id);
bool sb_profile_source_is_own(const struct sb_source *s, int64_t id);
uint32_t sb_profile_source_function(const struct sb_source *s, int64_t text); /* any thread */
uint32_t sb_profile_source_text(const struct sb_source *s, int64_t text);
sb_lane sb_profile_source_lane(const struct sb_source *s,
                               int64_t scheduler); /* SB_LANE_NONE unless it is the node's own */
struct sb_str sb_profile_source_meta(const struct sb_source *s, const char *key);

#endif
