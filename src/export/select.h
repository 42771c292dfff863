/* Which part of a profile an export covers: the processes and the window of time that were asked for. */
#ifndef SB_EXPORT_SELECT_H
#define SB_EXPORT_SELECT_H
#include "export/export.h"

static inline bool
sb_select_windowed(const struct sb_export_options *o)
{
    return o->since_ns != SB_NULL || o->until_ns != SB_NULL;
}

bool sb_select_process(const struct sb_export_options *o, int64_t id); /* is it one of those asked for? */
bool sb_select_at(const struct sb_export_options *o, int64_t at_ns);   /* since <= at < until, never NULL */
/* Cuts [start, start + dur) to the window; false when nothing is left of it. An instant (dur 0) stays when
 * inside. */
bool sb_select_clip(const struct sb_export_options *o, int64_t *start_ns, int64_t *dur_ns);

/* Opens a scan that passes over blocks outside of the selection; rows are still to be checked by the above.
   process_col, start_col: -1 when the table has none. */
void sb_select_scan(struct sb_scan *s, const struct sb_profile *p, const struct sb_export_options *o,
                    enum sb_tab t, int process_col, int start_col);

/* sb_scan_next for a pass over a whole table: what lies behind is let go of, so a pass stays small. */
bool sb_select_next(struct sb_scan *s, const struct sb_profile *p);

void sb_select_note(const struct sb_export_options *o, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
/* Is `word` what was asked for with --what, or the format's default when nothing was? */
bool sb_select_what(const struct sb_export_options *o, const char *word, const char *by_default);
/* The ids of the selected processes that ran most, most first; at most cap. */
size_t sb_select_busiest(const struct sb_profile *p, const struct sb_export_options *o, int64_t *id,
                         size_t cap);
int64_t sb_select_span_ns(const struct sb_profile *p); /* the end of the last thing that has a time */

#endif
