/*
 * pprof's profile.proto, gzipped: stacks with wall, cpu, gc time, calls, words and messages, labelled with
 * node, process, its type and the scheduler. Samples go out as they come; functions and strings follow at the
 * end.
 */
#include "export/gzip.h"
#include "export/label.h"
#include "export/protobuf.h"
#include "export/select.h"
#include "export/stacks.h"
#include "profile/scan_row.h"

SB_EXPORTER(pprof) = {
    .name = "pprof",
    .suffix = ".pb.gz",
    .doc = "stacks with time, calls, words and messages, with labels: go tool pprof, Pyroscope, Parca, IDEs",
    .what = SB_STACKS_WHAT,
    .write = write_pprof,
};

/* field numbers of profile.proto */
enum {
    P_SAMPLE_TYPE = 1,
    P_SAMPLE,
    P_LOCATION = 4,
    P_FUNCTION,
    P_STRING,
    P_TIME = 9,
    P_DURATION,
    P_PERIOD_TYPE,
    P_PERIOD,
    P_COMMENT,
    P_DEFAULT
};
enum { S_LOCATION = 1, S_VALUE, S_LABEL };
enum { L_KEY = 1, L_STR };
enum { LOC_ID = 1, LOC_LINE = 4 };
enum { LINE_FUNCTION = 1, LINE_LINE };
enum { F_ID = 1, F_NAME, F_SYSTEM_NAME, F_FILE, F_START_LINE };
enum { V_TYPE = 1, V_UNIT };

enum value { WALL, CPU, GC, CALLS, WORDS, MESSAGES, MESSAGE_WORDS, SAMPLES, VALUES };
static const struct {
    const char *type, *unit;
} value_desc[VALUES] = {
    [WALL] = {"wall", "nanoseconds"},
    [CPU] = {"cpu", "nanoseconds"},
    [GC] = {"gc", "nanoseconds"},
    [CALLS] = {"calls", "count"},
    [WORDS] = {"words", "count"},
    [MESSAGES] = {"messages", "count"},
    [MESSAGE_WORDS] = {"message_words", "count"},
    [SAMPLES] = {"samples", "count"},
};

struct writer {
    struct sb_stacks stacks;
    struct sb_intern strings;
    struct sb_pb pb;
    struct sb_gzip *gzip;
    int64_t process; /* the process and scheduler of these labels */
    uint32_t node, pid, type;
    uint32_t key_node, key_process, key_type, key_scheduler, key_to;
};

static void
drain(struct writer *w, size_t beyond)
{
    if (w->pb.n <= beyond)
        return;
    sb_gzip_bytes(w->gzip, w->pb.at, w->pb.n);
    w->pb.n = 0;
}

static uint32_t
string(struct writer *w, struct sb_str s)
{
    return sb_intern_put(&w->strings, s);
}

static void
put_label(struct writer *w, uint32_t key, uint32_t value)
{
    sb_pb_begin(&w->pb, S_LABEL);
    sb_pb_u64(&w->pb, L_KEY, key);
    sb_pb_u64(&w->pb, L_STR, value);
    sb_pb_end(&w->pb);
}

static void
find_labels(struct writer *w, int64_t process)
{
    const struct sb_profile *p = w->stacks.profile;
    uint64_t row = sb_label_row(p, SB_T_process, process);
    int64_t node = row == SB_NO_ROW ? SB_NULL : SB_CELL(p, process, node, row);
    struct sb_label l;
    w->process = process;
    w->node = string(w, sb_label_node(p, node, &l));
    w->pid = string(w, sb_label_process(p, process, &l));
    w->type = string(w, process == 0 ? SB_STR("port") : sb_label_type(p, process, &l));
}

static void
put_sample(struct writer *w, const struct sb_stack *st, const int64_t *value, int64_t to)
{
    struct sb_pb *b = &w->pb;
    struct sb_label l;
    if (w->process != st->process)
        find_labels(w, st->process);
    sb_pb_begin(b, P_SAMPLE);
    sb_pb_begin(b, S_LOCATION);
    for (size_t i = st->n; i-- > 0;)
        sb_pb_varint(b, st->frame[i] + 1);
    sb_pb_end(b);
    sb_pb_begin(b, S_VALUE);
    for (size_t i = 0; i < VALUES; i++)
        sb_pb_varint(b, (uint64_t)value[i]);
    sb_pb_end(b);
    put_label(w, w->key_node, w->node);
    put_label(w, w->key_process, w->pid);
    put_label(w, w->key_type, w->type);
    if (st->scheduler > 0)
        put_label(w, w->key_scheduler, string(w, sb_label_scheduler(w->stacks.profile, st->scheduler, &l)));
    if (to > 0)
        put_label(w, w->key_to, string(w, sb_label_process(w->stacks.profile, to, &l)));
    sb_pb_end(b);
    drain(w, 1 << 16);
}

static bool
write_stack(void *ctx, const struct sb_stack *st)
{
    const int64_t value[VALUES] = {[WALL] = st->wall_ns,
                                   [CPU] = st->cpu_ns,
                                   [GC] = st->gc_ns,
                                   [CALLS] = st->calls,
                                   [SAMPLES] = st->samples};
    put_sample(ctx, st, value, 0);
    return true;
}

/* ---- values without a stack: words by function, messages by the sender's type ---- */

static void
write_words(struct writer *w)
{
    SB_SCAN(s, w->stacks.profile, function, mfa, words);
    sb_scan_where(&s, SB_C_function__words, 1, INT64_MAX);
    for (size_t i = 0; sb_scan_row(&s, &i); i++) {
        uint32_t frame = sb_stacks_name(&w->stacks, s.value[mfa][i]);
        struct sb_stack st = {.process = 0, .frame = &frame, .n = 1};
        put_sample(w, &st, (const int64_t[VALUES]){[WORDS] = s.value[words][i]}, 0);
    }
}

static void
write_messages_of(struct writer *w, int64_t sender, int64_t receiver, int64_t count, int64_t words)
{
    if (sender == SB_NULL || !sb_select_process(w->stacks.options, sender))
        return;
    uint32_t frame = sb_stacks_type(&w->stacks, sender);
    struct sb_stack st = {.process = sender, .frame = &frame, .n = 1};
    const int64_t value[VALUES] = {[MESSAGES] = count, [MESSAGE_WORDS] = words == SB_NULL ? 0 : words};
    put_sample(w, &st, value, receiver == SB_NULL ? 0 : receiver);
}

static void
write_edges(struct writer *w)
{
    struct sb_scan s;
    sb_select_scan(&s, w->stacks.profile, w->stacks.options, SB_T_message_edge, SB_C_message_edge__sender,
                   -1);
    SB_WANT(s, message_edge, sender, receiver, count, total_words);
    for (size_t i = 0; sb_scan_row(&s, &i); i++)
        write_messages_of(w, s.value[sender][i], s.value[receiver][i], s.value[count][i],
                          s.value[total_words][i]);
}

static void
write_messages(
    struct writer *w) /* one by one: edges have no times, so a range needs the messages themselves */
{
    struct sb_scan s;
    sb_select_scan(&s, w->stacks.profile, w->stacks.options, SB_T_message, SB_C_message__sender,
                   SB_C_message__sent);
    SB_WANT(s, message, sender, receiver, sent, words);
    for (size_t i = 0; sb_scan_row(&s, &i); i++)
        if (sb_select_at(w->stacks.options, s.value[sent][i]))
            write_messages_of(w, s.value[sender][i], s.value[receiver][i], 1, s.value[words][i]);
}

static bool
write_waits(struct writer *w) /* in addition to slices: wall time is both */
{
    if (w->stacks.source != SB_STACK_SLICES || sb_select_windowed(w->stacks.options))
        return true;
    w->stacks.source = SB_STACK_WAITS;
    bool done = sb_stacks_each(&w->stacks, write_stack, w);
    w->stacks.source = SB_STACK_SLICES;
    return done;
}

/* ---- head and tail */

static void
put_value_type(struct writer *w, unsigned field, enum value v)
{
    sb_pb_begin(&w->pb, field);
    sb_pb_u64(&w->pb, V_TYPE, string(w, sb_str_of(value_desc[v].type)));
    sb_pb_u64(&w->pb, V_UNIT, string(w, sb_str_of(value_desc[v].unit)));
    sb_pb_end(&w->pb);
}

static void
write_head(struct writer *w)
{
    for (unsigned v = 0; v < VALUES; v++)
        put_value_type(w, P_SAMPLE_TYPE, v);
    put_value_type(w, P_PERIOD_TYPE, WALL);
    sb_pb_u64(&w->pb, P_PERIOD, 1);
    int64_t began_ns = sb_profile_wall_ns(w->stacks.profile);
    if (began_ns != SB_NULL)
        sb_pb_i64(&w->pb, P_TIME, began_ns);
    sb_pb_i64(&w->pb, P_DURATION, sb_select_span_ns(w->stacks.profile));
    sb_pb_u64(&w->pb, P_COMMENT, string(w, SB_STR("strobe " SB_VERSION)));
    enum value first = sb_stacks_counts(&w->stacks) ? SAMPLES : w->stacks.wall ? WALL : CPU;
    sb_pb_u64(&w->pb, P_DEFAULT, string(w, sb_str_of(value_desc[first].type)));
    w->key_node = string(w, SB_STR("node"));
    w->key_process = string(w, SB_STR("process"));
    w->key_type = string(w, SB_STR("type"));
    w->key_scheduler = string(w, SB_STR("scheduler"));
    w->key_to = string(w, SB_STR("to"));
}

static void
write_functions(struct writer *w)
{
    for (uint32_t name = 0; name < w->stacks.names.n; name++) {
        uint32_t text = string(w, sb_intern_text(&w->stacks.names, name));
        struct sb_source_place at = sb_stacks_place(&w->stacks, name);
        sb_pb_begin(&w->pb, P_FUNCTION);
        sb_pb_u64(&w->pb, F_ID, name + 1);
        sb_pb_u64(&w->pb, F_NAME, text);
        sb_pb_u64(&w->pb, F_SYSTEM_NAME, text);
        if (at.line > 0) {
            sb_pb_u64(&w->pb, F_FILE, string(w, at.file));
            sb_pb_u64(&w->pb, F_START_LINE, (uint64_t)at.line);
        }
        sb_pb_end(&w->pb);
        sb_pb_begin(&w->pb, P_LOCATION);
        sb_pb_u64(&w->pb, LOC_ID, name + 1);
        sb_pb_begin(&w->pb, LOC_LINE);
        sb_pb_u64(&w->pb, LINE_FUNCTION, name + 1);
        if (at.line > 0)
            sb_pb_u64(&w->pb, LINE_LINE, (uint64_t)at.line);
        sb_pb_end(&w->pb);
        sb_pb_end(&w->pb);
        drain(w, 1 << 16);
    }
}

static void
write_strings(struct writer *w)
{
    for (uint32_t id = 0; id < w->strings.n; id++) {
        sb_pb_str(&w->pb, P_STRING, sb_intern_text(&w->strings, id));
        drain(w, 1 << 16);
    }
}

static void
write_all(struct writer *w)
{
    const struct sb_export_options *o = w->stacks.options;
    write_head(w);
    sb_stacks_each(&w->stacks, write_stack, w);
    write_waits(w);
    if (o->n_process == 0 && !sb_select_windowed(o))
        write_words(w);
    if (sb_select_windowed(o))
        write_messages(w);
    else
        write_edges(w);
    write_functions(w);
    write_strings(w);
    drain(w, 0);
}

static bool
write_pprof(const struct sb_profile *p, const struct sb_export_options *o, struct sb_out *out,
            struct sb_err *e)
{
    struct writer w = {.process = -1};
    struct sb_gzip gzip;
    SB_TRY(sb_stacks_open(&w.stacks, p, o, e));
    sb_stacks_note_folding(&w.stacks);
    bool ok = sb_gzip_open(&gzip, out, e);
    if (ok) {
        w.gzip = &gzip;
        sb_intern_init(&w.strings);
        write_all(&w);
        sb_intern_close(&w.strings);
        ok = sb_gzip_close(&gzip, e);
    }
    sb_pb_close(&w.pb);
    sb_stacks_close(&w.stacks);
    return ok;
}
