/*
 * The one rule for what is in a range of time. A range is half open, [from, to):
 *
 *     a moment    is in it if from <= at < to
 *     a span      is in it if they overlap, and counts with the part inside; without a length it is a moment
 *     an open end, or one at the end of the run or later, includes the last moment of the run
 *
 * Answers, routes, computed tables and exporters all select by these functions, or by the same conditions in SQL, where
 * :since and :until are the range.
 */
#pragma once
#include "profile/profile.h"

struct sb_range {
    int64_t from, to;
};
/* SB_NULL: an open end */
struct sb_range sb_range_of(const struct sb_profile *p, int64_t since_ns, int64_t until_ns);
static inline bool
sb_range_is_part(struct sb_range r) /* of the run */
{
    return r.from > 0 || r.to < INT64_MAX;
}
bool sb_range_has(struct sb_range r, int64_t at_ns);                        /* false for SB_NULL */
int64_t sb_range_part(struct sb_range r, int64_t start_ns, int64_t end_ns); /* the length inside; 0: none */
bool sb_range_lives(struct sb_range r, int64_t start_ns, int64_t end_ns); /* SB_NULL: outside of the trace */
/* Cuts a span to the range; false, and nothing changed, if it is not in it or unknown. */
bool sb_range_clip(struct sb_range r, int64_t *start_ns, int64_t *dur_ns);
/* Restricts a scan to the rows whose column is in the range, or is the start of a span that can reach into it.
 * `longest_ns`: the longest of these spans; 0: they are moments. */
void sb_range_scan(struct sb_range r, struct sb_scan *s, unsigned column, int64_t longest_ns);

#define SB_AT_IN_RANGE "(at >= :since AND at < :until)"
#define SB_SENT_IN_RANGE "(sent >= :since AND sent < :until)"
#define SB_RECEIVED_IN_RANGE "(received >= :since AND received < :until)"
#define SB_SPAN_IN_RANGE "(start < :until AND start + max(dur, 1) > :since)"
#define SB_PART_IN_RANGE "(min(start + dur, :until) - max(start, :since))"
#define SB_LIFE_IN_RANGE \
    "((start IS NULL OR start < :until) AND (\"end\" IS NULL OR \"end\" > :since OR start >= :since))"
/* How wrong a latency between two nodes may be, of rows of table node; NULL: nobody knows. */
#define SB_CLOCKS_ERROR(a, b) "iif(" a ".boot = " b ".boot, 0, " a ".clock_error_ns + " b ".clock_error_ns)"
