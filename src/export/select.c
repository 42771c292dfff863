#include "export/select.h"
#include "base/order.h"
#include "profile/range.h"

bool
sb_select_process(const struct sb_export_options *o, int64_t id)
{
    return o->n_process == 0 || bsearch(&id, o->process, o->n_process, sizeof id, sb_by_number) != NULL;
}

static struct sb_range
range_of(const struct sb_export_options *o)
{
    return (struct sb_range){o->since_ns == SB_NULL ? SB_NULL + 1 : o->since_ns,
                             o->until_ns == SB_NULL ? INT64_MAX : o->until_ns};
}

bool
sb_select_at(const struct sb_export_options *o, int64_t at_ns)
{
    return sb_range_has(range_of(o), at_ns);
}

bool
sb_select_clip(const struct sb_export_options *o, int64_t *start_ns, int64_t *dur_ns)
{
    return sb_range_clip(range_of(o), start_ns, dur_ns);
}

void
sb_select_scan(struct sb_scan *s, const struct sb_profile *p, const struct sb_export_options *o,
               enum sb_tab t, int process_col, int start_col)
{
    sb_scan_open(s, p, t);
    if (process_col >= 0 && o->n_process > 0)
        sb_scan_where(s, (unsigned)process_col, o->process[0], o->process[o->n_process - 1]);
    if (start_col >= 0 && o->until_ns != SB_NULL)
        sb_scan_where(s, (unsigned)start_col, INT64_MIN + 1, o->until_ns);
}

bool
sb_select_next(struct sb_scan *s, const struct sb_profile *p)
{
    uint64_t segment = s->at / SB_SEGMENT_ROWS;
    bool found = sb_scan_next(s);
    if (s->at / SB_SEGMENT_ROWS != segment)
        sb_profile_release(p);
    if (!found)
        sb_scan_close(s);
    return found;
}

void
sb_select_note(const struct sb_export_options *o, const char *fmt, ...)
{
    if (!o->note || o->note->text[0])
        return;
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(o->note->text, sizeof o->note->text, fmt, ap);
    va_end(ap);
}

bool
sb_select_what(const struct sb_export_options *o, const char *word, const char *by_default)
{
    return strcmp(o->what ? o->what : by_default, word) == 0;
}

size_t
sb_select_busiest(const struct sb_profile *p, const struct sb_export_options *o, int64_t *id, size_t cap)
{
    struct sb_scan s;
    sb_select_scan(&s, p, o, SB_T_process, SB_C_process__id, -1);
    unsigned process = sb_scan_want(&s, SB_C_process__id), run = sb_scan_want(&s, SB_C_process__run_ns);
    int64_t *ran = sb_realloc_or_die(NULL, sb_mul_or_die(sizeof *ran, cap));
    size_t n = 0;
    for (size_t i = 0; sb_select_row(&s, p, &i); i++) {
        int64_t ns = s.value[run][i] == SB_NULL ? 0 : s.value[run][i];
        if (!sb_select_process(o, s.value[process][i]) || (n == cap && ran[n - 1] >= ns))
            continue;
        size_t at = n < cap ? n++ : n - 1;
        for (; at > 0 && ran[at - 1] < ns; at--)
            ran[at] = ran[at - 1], id[at] = id[at - 1];
        ran[at] = ns, id[at] = s.value[process][i];
    }
    free(ran);
    return n;
}

static int64_t
last_of(const struct sb_profile *p, enum sb_tab t, unsigned col)
{
    int64_t last = 0;
    for (uint64_t row = 0; row < sb_profile_rows(p, t);) {
        struct sb_zone z = sb_profile_zone(p, t, col, row);
        if (z.min <= z.max && z.max > last)
            last = z.max;
        row = z.end > row ? z.end : row + 1;
    }
    return last;
}

static int64_t
last_end_of(const struct sb_profile *p, enum sb_tab t, unsigned start_col, unsigned dur_col)
{
    struct sb_scan s;
    sb_scan_open(&s, p, t);
    unsigned start = sb_scan_want(&s, start_col), dur = sb_scan_want(&s, dur_col);
    int64_t last = 0;
    for (size_t i = 0; sb_select_row(&s, p, &i); i++) {
        int64_t a = s.value[start][i], d = s.value[dur][i], end;
        if (a != SB_NULL && d != SB_NULL && !__builtin_add_overflow(a, d, &end) && end > last)
            last = end;
    }
    return last;
}

int64_t
sb_select_span_ns(const struct sb_profile *p)
{
    int64_t last[] = {last_of(p, SB_T_process, SB_C_process__end),
                      last_of(p, SB_T_process, SB_C_process__last_seen),
                      last_of(p, SB_T_sample, SB_C_sample__at),
                      last_end_of(p, SB_T_slice, SB_C_slice__start, SB_C_slice__dur)};
    int64_t span = 0;
    for (size_t i = 0; i < sizeof last / sizeof *last; i++)
        span = last[i] > span ? last[i] : span;
    return span;
}
