#include "profile/ran_on.h"
#include "profile/sweep.h"

enum { START, DUR, SCHEDULER };

void
sb_ran_on_open(struct sb_ran_on *r, const struct sb_profile *p)
{
    static const unsigned column[] = {SB_C_slice__start, SB_C_slice__dur, SB_C_slice__scheduler};
    sb_scan_open_columns(&r->slice, p, SB_T_slice, column, sizeof column / sizeof *column);
    r->longest_ns = sb_profile_largest(p, SB_T_slice, SB_C_slice__dur);
}

void
sb_ran_on_close(struct sb_ran_on *r)
{
    sb_scan_close(&r->slice);
}

/* A slice ends with the last thing that its process did, so its end belongs to it. Of two slices that meet there the
 * later one counts. */
int64_t
sb_ran_on(struct sb_ran_on *r, int64_t process, int64_t at)
{
    struct sb_scan *s = &r->slice;
    int64_t scheduler = SB_NULL, start = SB_NULL;
    if (process == SB_NULL || at == SB_NULL)
        return SB_NULL;
    sb_scan_restart(s);
    sb_scan_where(s, SB_C_slice__process, process, process);
    sb_scan_where(s, SB_C_slice__start, at < SB_NULL + 1 + r->longest_ns ? SB_NULL + 1 : at - r->longest_ns,
                  at);
    while (sb_scan_next(s))
        for (size_t i = 0; i < s->n; i++)
            if (s->value[START][i] >= start && sb_sweep_after(s->value[START][i], s->value[DUR][i]) >= at) {
                start = s->value[START][i];
                scheduler = s->value[SCHEDULER][i];
            }
    return scheduler;
}
