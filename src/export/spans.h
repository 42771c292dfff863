/*
 * States over time: slices, collections, and the waiting and runnable times between slices, as spans cut to
 * the selection. They come in the order of the profile (by process within a segment), not by time.
 */
#pragma once
#include "export/export.h"
#include "profile/state.h"

struct sb_export_span {
    int64_t process;   /* process.id; 0: a port */
    int64_t scheduler; /* scheduler.id; 0: unknown, or off the schedulers */
    int64_t start_ns, dur_ns;
    int64_t in_function, out_function; /* text ids; SB_NULL */
    enum sb_state state;
};
typedef void sb_export_span_fn(void *ctx, const struct sb_export_span *s);

/* A part of the selection. NULL: all of it. */
struct sb_spans_of {
    int64_t process;        /* 0: all */
    int64_t from_ns, to_ns; /* only what starts (or was sent) in [from, to); to SB_NULL: open */
};
void sb_spans_running(const struct sb_profile *p, const struct sb_export_options *o,
                      const struct sb_spans_of *of, sb_export_span_fn *fn, void *ctx);
void sb_spans_gc(const struct sb_profile *p, const struct sb_export_options *o, const struct sb_spans_of *of,
                 sb_export_span_fn *fn, void *ctx);
void sb_spans_off(const struct sb_profile *p, const struct sb_export_options *o, const struct sb_spans_of *of,
                  sb_export_span_fn *fn, void *ctx);

struct sb_message {
    int64_t sender, receiver, sent_ns, received_ns, words; /* ids; SB_NULL if unknown */
};
/* messages of which a selected end is within the range */
void sb_spans_messages(const struct sb_profile *p, const struct sb_export_options *o,
                       const struct sb_spans_of *of, void (*fn)(void *ctx, const struct sb_message *m),
                       void *ctx);

struct sb_value {
    int64_t node, at_ns, item, key, value; /* item, key: text ids */
};
void sb_spans_values(const struct sb_profile *p, const struct sb_export_options *o,
                     void (*fn)(void *ctx, const struct sb_value *v), void *ctx);

struct sb_activity { /* how many processes ran, and were runnable, on average until the next one */
    int64_t at_ns;
    double running, runnable;
};
/* for all processes, from the finest pyramid level with at most SB_SPANS_ACTIVITY buckets; the last one is
 * 0 */
#define SB_SPANS_ACTIVITY 5000
void sb_spans_activity(const struct sb_profile *p, const struct sb_export_options *o,
                       void (*fn)(void *ctx, const struct sb_activity *a), void *ctx);

struct sb_mark {
    int64_t process, scheduler, at_ns, text;
};
void sb_spans_marks(const struct sb_profile *p, const struct sb_export_options *o,
                    void (*fn)(void *ctx, const struct sb_mark *m), void *ctx);
