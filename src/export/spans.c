#include "export/spans.h"
#include "export/select.h"
#include "profile/scan_row.h"

struct timed_rows {
    enum sb_tab tab;
    int process_col; /* -1: none */
    unsigned start_col;
};

static void
scan(struct sb_scan *s, const struct sb_profile *p, const struct sb_export_options *o, struct timed_rows rows,
     const struct sb_spans_of *of)
{
    sb_select_scan(s, p, o, rows.tab, rows.process_col, (int)rows.start_col);
    if (of && of->process > 0 && rows.process_col >= 0)
        sb_scan_where(s, (unsigned)rows.process_col, of->process, of->process);
    if (of && of->to_ns != SB_NULL)
        sb_scan_where(s, rows.start_col, of->from_ns, of->to_ns - 1);
}

static void
pass(const struct sb_export_options *o, struct sb_export_span s, sb_export_span_fn *fn, void *ctx)
{
    if (sb_select_clip(o, &s.start_ns, &s.dur_ns))
        fn(ctx, &s);
}

void
sb_spans_running(const struct sb_profile *p, const struct sb_export_options *o, const struct sb_spans_of *of,
                 sb_export_span_fn *fn, void *ctx)
{
    struct sb_scan c;
    scan(&c, p, o, (struct timed_rows){SB_T_slice, SB_C_slice__process, SB_C_slice__start}, of);
    SB_WANT(c, slice, process, scheduler, start, dur, in_function, out_function);
    for (size_t i = 0; sb_select_row(&c, p, &i); i++)
        if (sb_select_process(o, c.value[process][i]))
            pass(o,
                 (struct sb_export_span){sb_known(c.value[process][i]), sb_known(c.value[scheduler][i]),
                                         c.value[start][i], c.value[dur][i], c.value[in_function][i],
                                         c.value[out_function][i], SB_STATE_RUNNING},
                 fn, ctx);
}

void
sb_spans_gc(const struct sb_profile *p, const struct sb_export_options *o, const struct sb_spans_of *of,
            sb_export_span_fn *fn, void *ctx)
{
    struct sb_scan c;
    scan(&c, p, o, (struct timed_rows){SB_T_gc, SB_C_gc__process, SB_C_gc__start}, of);
    SB_WANT(c, gc, process, scheduler, start, dur);
    for (size_t i = 0; sb_select_row(&c, p, &i); i++)
        if (sb_select_process(o, c.value[process][i]))
            pass(o,
                 (struct sb_export_span){sb_known(c.value[process][i]), sb_known(c.value[scheduler][i]),
                                         c.value[start][i], c.value[dur][i], SB_NULL, SB_NULL, SB_STATE_GC},
                 fn, ctx);
}

enum { GAP_PARTS = 4 };
/* A gap is waiting first, then a hand-over, then runnable, or unknown. */
static void
pass_gap(const struct sb_export_options *o, int64_t process, int64_t start_ns,
         const int64_t part_ns[GAP_PARTS], sb_export_span_fn *fn, void *ctx)
{
    static const enum sb_state state[GAP_PARTS] = {SB_STATE_WAITING, SB_STATE_HANDOVER, SB_STATE_RUNNABLE,
                                                   SB_STATE_UNKNOWN};
    for (size_t i = 0; i < GAP_PARTS; i++) {
        if (part_ns[i] == SB_NULL || part_ns[i] <= 0)
            continue;
        pass(o, (struct sb_export_span){process, 0, start_ns, part_ns[i], SB_NULL, SB_NULL, state[i]}, fn,
             ctx);
        start_ns += part_ns[i];
    }
}

void
sb_spans_off(const struct sb_profile *p, const struct sb_export_options *o, const struct sb_spans_of *of,
             sb_export_span_fn *fn, void *ctx)
{
    struct sb_scan c;
    scan(&c, p, o, (struct timed_rows){SB_T_gap, SB_C_gap__process, SB_C_gap__start}, of);
    SB_WANT(c, gap, process, start, wait_ns, runnable_ns, unknown_ns, handover_ns);
    for (size_t i = 0; sb_select_row(&c, p, &i); i++) {
        const int64_t part_ns[GAP_PARTS] = {c.value[wait_ns][i], c.value[handover_ns][i],
                                            c.value[runnable_ns][i], c.value[unknown_ns][i]};
        if (sb_select_process(o, c.value[process][i]) && c.value[start][i] != SB_NULL)
            pass_gap(o, sb_known(c.value[process][i]), c.value[start][i], part_ns, fn, ctx);
    }
}

void
sb_spans_messages(const struct sb_profile *p, const struct sb_export_options *o, const struct sb_spans_of *of,
                  void (*fn)(void *ctx, const struct sb_message *m), void *ctx)
{
    struct sb_scan c;
    struct sb_export_options any = *o; /* either end may be the selected one */
    any.n_process = 0;
    any.until_ns = SB_NULL;
    scan(&c, p, &any, (struct timed_rows){SB_T_message, -1, SB_C_message__sent}, of);
    unsigned sender = sb_scan_want(&c, SB_C_message__sender),
             receiver = sb_scan_want(&c, SB_C_message__receiver), sent = sb_scan_want(&c, SB_C_message__sent),
             received = sb_scan_want(&c, SB_C_message__received),
             words = sb_scan_want(&c, SB_C_message__words);
    for (size_t i = 0; sb_select_row(&c, p, &i); i++) {
        struct sb_message m = {c.value[sender][i], c.value[receiver][i], c.value[sent][i],
                               c.value[received][i], c.value[words][i]};
        bool begins = sb_select_at(o, m.sent_ns) && sb_select_process(o, m.sender);
        bool ends = sb_select_at(o, m.received_ns) && sb_select_process(o, m.receiver);
        if (begins || ends)
            fn(ctx, &m);
    }
}

void
sb_spans_values(const struct sb_profile *p, const struct sb_export_options *o,
                void (*fn)(void *ctx, const struct sb_value *v), void *ctx)
{
    struct sb_scan c;
    sb_select_scan(&c, p, o, SB_T_sample, -1, SB_C_sample__at);
    SB_WANT(c, sample, node, at, item, key, value);
    for (size_t i = 0; sb_select_row(&c, p, &i); i++) {
        struct sb_value v = {c.value[node][i], c.value[at][i], c.value[item][i], c.value[key][i],
                             c.value[value][i]};
        if (sb_select_at(o, v.at_ns) && v.value != SB_NULL)
            fn(ctx, &v);
    }
}

void
sb_spans_marks(const struct sb_profile *p, const struct sb_export_options *o,
               void (*fn)(void *ctx, const struct sb_mark *m), void *ctx)
{
    struct sb_scan c;
    sb_select_scan(&c, p, o, SB_T_mark, -1, SB_C_mark__at);
    SB_WANT(c, mark, process, scheduler, at, text);
    for (size_t i = 0; sb_select_row(&c, p, &i); i++) {
        struct sb_mark m = {sb_known(c.value[process][i]), sb_known(c.value[scheduler][i]), c.value[at][i],
                            c.value[text][i]};
        if (sb_select_at(o, m.at_ns))
            fn(ctx, &m);
    }
}

/* ---- activity */

static int64_t
track_of_all(const struct sb_profile *p)
{
    for (uint64_t row = 0; row < sb_profile_rows(p, SB_T_track); row++) {
        struct sb_str kind = sb_profile_text(p, SB_CELL(p, track, kind, row));
        if (sb_str_eq(kind, SB_STR("all")))
            return SB_CELL(p, track, id, row);
    }
    return SB_NULL;
}

static int64_t
finest_level(const struct sb_profile *p, int64_t track)
{
    enum { LEVELS = 63 };
    uint64_t buckets[LEVELS] = {0};
    SB_SCAN(c, p, pyramid, level);
    sb_scan_where(&c, SB_C_pyramid__track, track, track);
    sb_scan_where(&c, SB_C_pyramid__level, 0, LEVELS - 1);
    for (size_t i = 0; sb_select_row(&c, p, &i); i++)
        buckets[c.value[level][i]]++;
    int64_t l = 0;
    while (l < LEVELS && (buckets[l] == 0 || buckets[l] > SB_SPANS_ACTIVITY))
        l++;
    return l < LEVELS ? l : SB_NULL;
}

void
sb_spans_activity(const struct sb_profile *p, const struct sb_export_options *o,
                  void (*fn)(void *ctx, const struct sb_activity *a), void *ctx)
{
    int64_t track = track_of_all(p), level = track == SB_NULL ? SB_NULL : finest_level(p, track),
            next = SB_NULL;
    if (level == SB_NULL || o->n_process > 0)
        return;
    SB_SCAN(c, p, pyramid, bucket, running_ns, gc_ns, dirty_ns, runnable_ns);
    sb_scan_where(&c, SB_C_pyramid__track, track, track);
    sb_scan_where(&c, SB_C_pyramid__level, level, level);
    double width = (double)((int64_t)1 << level);
    for (size_t i = 0; sb_select_row(&c, p, &i); i++) {
        int64_t at = c.value[bucket][i], ran_ns = sb_known(c.value[running_ns][i]) +
                                                  sb_known(c.value[gc_ns][i]) +
                                                  sb_known(c.value[dirty_ns][i]);
        if (at < 0 || at > INT64_MAX >> level >> 1)
            continue;
        if (next != SB_NULL && next < at && sb_select_at(o, next << level))
            fn(ctx,
               /* buckets without activity are omitted */
               &(struct sb_activity){.at_ns = next << level});
        next = at + 1;
        if (sb_select_at(o, at << level))
            fn(ctx, &(struct sb_activity){at << level, (double)ran_ns / width,
                                          (double)sb_known(c.value[runnable_ns][i]) / width});
    }
    if (next != SB_NULL && sb_select_at(o, next << level))
        fn(ctx, &(struct sb_activity){.at_ns = next << level});
}
