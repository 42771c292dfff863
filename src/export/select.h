/* The part of a profile that an export covers: the selected processes and range of time. */
#pragma once
#include "export/export.h"

static inline bool
sb_select_windowed(const struct sb_export_options *o)
{
    return o->since_ns != SB_NULL || o->until_ns != SB_NULL;
}

bool sb_select_process(const struct sb_export_options *o, int64_t id); /* is the process selected? */
bool sb_select_at(const struct sb_export_options *o, int64_t at_ns);   /* since <= at < until, never NULL */
/* Cuts [start, start + dur) to the range; false if nothing is left. An instant (dur 0) stays if it is
 * inside. */
bool sb_select_clip(const struct sb_export_options *o, int64_t *start_ns, int64_t *dur_ns);

/* Opens a scan that skips blocks outside the selection; rows still need the checks above. process_col,
 * start_col: -1 if the table has none. */
void sb_select_scan(struct sb_scan *s, const struct sb_profile *p, const struct sb_export_options *o,
                    enum sb_tab t, int process_col, int start_col);

bool sb_select_next(struct sb_scan *s, const struct sb_profile *p); /* sb_scan_row at the end of its rows */

/* sb_scan_row for a pass over a whole table; releases the pages already read, which bounds memory. */
static inline bool
sb_select_row(struct sb_scan *s, const struct sb_profile *p, size_t *i)
{
    return *i < s->n || (*i = 0, sb_select_next(s, p));
}

void sb_select_note(const struct sb_export_options *o, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
/* True if --what is `word`, or if `word` is the default and --what is not given. */
bool sb_select_what(const struct sb_export_options *o, const char *word, const char *by_default);
/* The ids of the selected processes that ran most, in descending order; at most cap. */
size_t sb_select_busiest(const struct sb_profile *p, const struct sb_export_options *o, int64_t *id,
                         size_t cap);
int64_t sb_select_span_ns(const struct sb_profile *p); /* the latest end of anything that has a time */
