/*
 * Perfetto's trace format. A node is a process; its schedulers are threads, each stay a slice named after the
 * type of the process that ran; the processes that ran most have a state track each, messages between those
 * are flows; run queues, memory and other values over time are counters. Samples of the CPU are those of the threads,
 * as perf takes them.
 *
 * Readers sort packets by time and keep the order of the file at equal times. Spans come sorted by process,
 * not by time, so where one span ends and the next begins at the same moment the order would be wrong one
 * time in two. Instead of sorting 10^8 spans, every table is read three times: all ends, what has no length,
 * all begins.
 */
#include "base/map.h"
#include "base/order.h"
#include "base/vec.h"
#include "export/label.h"
#include "export/perfetto_cpu.h"
#include "export/protobuf.h"
#include "export/select.h"
#include "export/spans.h"

SB_EXPORTER(perfetto) = {
    .name = "perfetto",
    .suffix = ".pftrace",
    .doc = "schedulers, processes, messages, samples of the CPU and values over time: ui.perfetto.dev, "
           "trace_processor",
    .what = "",
    .write = write_perfetto,
};

#define TRACKS_MAX 100 /* processes with their own track */

/* field numbers of trace_packet.proto and the messages that it refers to */
enum { TRACE_PACKET = 1 };
enum { P_TIMESTAMP = 8, P_SEQUENCE = 10, P_EVENT = 11, P_INTERNED = 12, P_FLAGS = 13, P_TRACK = 60 };
enum { FLAG_CLEARED = 1, FLAG_NEEDS_STATE = 2 };
enum { T_UUID = 1, T_NAME, T_PROCESS, T_THREAD, T_PARENT, T_COUNTER = 8, T_CHILD_ORDER = 11, T_RANK };
enum { ORDER_EXPLICIT = 3 };
enum { PROCESS_PID = 1, PROCESS_NAME = 6 };
enum { THREAD_PID = 1, THREAD_TID, THREAD_NAME = 5 };
enum { COUNTER_UNIT = 3, UNIT_COUNT = 2, UNIT_BYTES };
enum {
    E_NOTES = 4,
    E_TYPE = 9,
    E_NAME_IID,
    E_TRACK,
    E_NAME = 23,
    E_VALUE = 30,
    E_REAL = 44,
    E_FLOW = 47,
    E_FLOW_END
};
enum { TYPE_BEGIN = 1, TYPE_END, TYPE_INSTANT, TYPE_COUNTER };
enum { N_NAME_IID = 1, N_INT = 4, N_TEXT_IID = 17 };
enum { I_EVENT_NAMES = 2, I_NOTE_NAMES, I_NOTE_TEXTS = 29 };
enum { IID = 1, IID_NAME };

enum phase { ENDS, POINTS, BEGINS, PHASES };
enum track_kind { TRACK_NODE, TRACK_SCHEDULER, TRACK_PROCESS, TRACK_COUNTER, TRACK_ACTIVITY };
enum activity { ACTIVITY_RUNNING, ACTIVITY_RUNNABLE };
enum note { NOTE_PROCESS = 1, NOTE_OUT, NOTE_WORDS };

struct iids {
    uint32_t type, label;
};
struct writer {
    const struct sb_profile *profile;
    const struct sb_export_options *options;
    struct sb_out *out;
    struct sb_pb pb;
    enum phase phase;
    struct sb_map texts;     /* text id -> iid, for names and note texts alike */
    struct sb_map processes; /* process id -> index of its iids */
    struct sb_map counters;  /* node, item and key -> track */
    SB_VEC(struct iids) iids;
    uint32_t next_iid;
    int64_t top[TRACKS_MAX]; /* ascending */
    size_t n_top;
    uint64_t flows;
    uint32_t state_iid[SB_STATES], send_iid, receive_iid;
};

static uint64_t
track(enum track_kind kind, int64_t id)
{
    return (uint64_t)id << 3 | kind | (uint64_t)1 << 48; /* 0 is the reader's default track */
}

/* ---- packets */

static void
begin_packet(struct writer *w)
{
    if (w->pb.n > 1 << 16) {
        sb_out_bytes(w->out, w->pb.at, w->pb.n);
        w->pb.n = 0;
    }
    sb_pb_begin(&w->pb, TRACE_PACKET);
    sb_pb_u64(&w->pb, P_SEQUENCE, 1);
}

static void
begin_event(struct writer *w, int64_t at_ns, unsigned type, uint64_t on)
{
    begin_packet(w);
    sb_pb_u64(&w->pb, P_TIMESTAMP, (uint64_t)at_ns);
    sb_pb_u64(&w->pb, P_FLAGS, FLAG_NEEDS_STATE);
    sb_pb_begin(&w->pb, P_EVENT);
    sb_pb_u64(&w->pb, E_TYPE, type);
    sb_pb_u64(&w->pb, E_TRACK, on);
}

static void
end_event(struct writer *w)
{
    sb_pb_end(&w->pb);
    sb_pb_end(&w->pb);
}

static void
put_interned(struct writer *w, unsigned what, uint32_t iid, struct sb_str text)
{
    begin_packet(w);
    sb_pb_begin(&w->pb, P_INTERNED);
    sb_pb_begin(&w->pb, what);
    sb_pb_u64(&w->pb, IID, iid);
    sb_pb_str(&w->pb, IID_NAME, text);
    sb_pb_end(&w->pb);
    sb_pb_end(&w->pb);
    sb_pb_end(&w->pb);
}

static uint32_t
intern(struct writer *w, struct sb_str text)
{
    uint32_t iid = w->next_iid++;
    put_interned(w, I_EVENT_NAMES, iid, text);
    put_interned(w, I_NOTE_TEXTS, iid, text);
    return iid;
}

static uint32_t
iid_of_text(struct writer *w, int64_t text_id)
{
    bool is_new;
    struct sb_label l;
    uint32_t *iid = sb_map_put(&w->texts, (uint64_t)text_id, &is_new);
    if (is_new)
        *iid = intern(w, sb_label_function(w->profile, text_id, &l));
    return *iid;
}

static uint32_t
index_of_process(struct writer *w, int64_t process)
{
    uint32_t at = sb_map_place(&w->processes, (uint64_t)process, w->iids.n);
    if (at < w->iids.n)
        return at;
    struct sb_label l;
    struct sb_str type = process == 0 ? SB_STR("port") : sb_label_entry(w->profile, process);
    int64_t text_id = sb_profile_find_text(w->profile, type);
    struct iids *new = SB_PUSH(&w->iids);
    new->type = text_id == SB_NULL ? intern(w, type) : iid_of_text(w, text_id);
    new->label = intern(w, sb_label_process(w->profile, process, &l));
    return at;
}

static void
put_note_text(struct writer *w, enum note note, uint32_t iid)
{
    sb_pb_begin(&w->pb, E_NOTES);
    sb_pb_u64(&w->pb, N_NAME_IID, note);
    sb_pb_u64(&w->pb, N_TEXT_IID, iid);
    sb_pb_end(&w->pb);
}

/* ---- tracks */

static void
begin_track(struct writer *w, uint64_t uuid, uint64_t parent)
{
    begin_packet(w);
    sb_pb_begin(&w->pb, P_TRACK);
    sb_pb_u64(&w->pb, T_UUID, uuid);
    if (parent)
        sb_pb_u64(&w->pb, T_PARENT, parent);
}

static void
write_node(struct writer *w, int64_t node)
{
    struct sb_label l;
    begin_track(w, track(TRACK_NODE, node), 0);
    sb_pb_begin(&w->pb, T_PROCESS);
    sb_pb_i64(&w->pb, PROCESS_PID, node);
    sb_pb_str(&w->pb, PROCESS_NAME, sb_label_node(w->profile, node, &l));
    sb_pb_end(&w->pb);
    sb_pb_u64(&w->pb, T_CHILD_ORDER, ORDER_EXPLICIT);
    end_event(w);
}

static void
write_scheduler(struct writer *w, uint64_t row)
{
    struct sb_label l;
    int64_t id = SB_CELL(w->profile, scheduler, id, row);
    int64_t node = SB_CELL(w->profile, scheduler, node, row);
    int64_t number = SB_CELL(w->profile, scheduler, number, row);
    begin_track(w, track(TRACK_SCHEDULER, id), track(TRACK_NODE, node));
    sb_pb_begin(&w->pb, T_THREAD);
    sb_pb_i64(&w->pb, THREAD_PID, node);
    sb_pb_i64(&w->pb, THREAD_TID, SB_PERFETTO_TID + id);
    sb_pb_str(&w->pb, THREAD_NAME, sb_label_scheduler(w->profile, id, &l));
    sb_pb_end(&w->pb);
    sb_pb_i64(&w->pb, T_RANK, number == SB_NULL || number == 0 ? 1000 + id : number);
    end_event(w);
}

static void
write_process(struct writer *w, int64_t process, size_t rank)
{
    struct sb_label l;
    uint64_t row = sb_label_row(w->profile, SB_T_process, process);
    int64_t node = SB_CELL(w->profile, process, node, row);
    begin_track(w, track(TRACK_PROCESS, process), node == SB_NULL ? 0 : track(TRACK_NODE, node));
    sb_pb_str(&w->pb, T_NAME, sb_label_process(w->profile, process, &l));
    sb_pb_u64(&w->pb, T_RANK, 100000 + rank);
    end_event(w);
}

static void
write_head(struct writer *w)
{
    begin_packet(w);
    sb_pb_u64(&w->pb, P_FLAGS, FLAG_CLEARED);
    sb_pb_end(&w->pb);
    put_interned(w, I_NOTE_NAMES, NOTE_PROCESS, SB_STR("process"));
    put_interned(w, I_NOTE_NAMES, NOTE_OUT, SB_STR("out"));
    put_interned(w, I_NOTE_NAMES, NOTE_WORDS, SB_STR("words"));
    for (unsigned i = 0; i < SB_STATES; i++)
        w->state_iid[i] = intern(w, sb_state_name((enum sb_state)i));
    w->send_iid = intern(w, SB_STR("send"));
    w->receive_iid = intern(w, SB_STR("receive"));
    for (uint64_t row = 0; row < sb_profile_rows(w->profile, SB_T_node); row++)
        write_node(w, SB_CELL(w->profile, node, id, row));
    for (uint64_t row = 0; row < sb_profile_rows(w->profile, SB_T_scheduler); row++)
        write_scheduler(w, row);
    w->n_top = sb_select_busiest(w->profile, w->options, w->top, TRACKS_MAX);
    for (size_t i = 0; i < w->n_top; i++)
        write_process(w, w->top[i], i);
    qsort(w->top, w->n_top, sizeof *w->top, sb_by_number);
    if (w->n_top == TRACKS_MAX)
        sb_select_note(w->options,
                       "the %d processes that ran most have their own tracks; --process selects others",
                       TRACKS_MAX);
}

/* ---- spans */

static void
put_end(struct writer *w, uint64_t on, int64_t at_ns)
{
    begin_event(w, at_ns, TYPE_END, on);
    end_event(w);
}

static void
put_begin(struct writer *w, uint64_t on, const struct sb_export_span *s, uint32_t name, uint32_t process,
          uint32_t out)
{
    begin_event(w, s->start_ns, TYPE_BEGIN, on);
    sb_pb_u64(&w->pb, E_NAME_IID, name);
    if (process)
        put_note_text(w, NOTE_PROCESS, process);
    if (out)
        put_note_text(w, NOTE_OUT, out);
    end_event(w);
}

static bool
in_phase(const struct writer *w, const struct sb_export_span *s)
{
    return (s->dur_ns == 0) == (w->phase == POINTS);
}

static void
put_span(struct writer *w, uint64_t on, const struct sb_export_span *s, uint32_t name, uint32_t process,
         uint32_t out)
{
    if (w->phase != ENDS)
        put_begin(w, on, s, name, process, out);
    if (w->phase != BEGINS)
        put_end(w, on, s->start_ns + s->dur_ns);
}

static void
on_lane(void *ctx, const struct sb_export_span *s)
{
    struct writer *w = ctx;
    if (s->scheduler == 0 || !in_phase(w, s))
        return;
    uint32_t name = w->state_iid[SB_STATE_GC], process = 0, out = 0;
    if (s->state != SB_STATE_GC && w->phase != ENDS) {
        uint32_t at = index_of_process(w, s->process);
        name = w->iids.at[at].type;
        process = w->iids.at[at].label;
        out = s->out_function == SB_NULL ? 0 : iid_of_text(w, s->out_function);
    }
    put_span(w, track(TRACK_SCHEDULER, s->scheduler), s, name, process, out);
}

static void
on_process(void *ctx, const struct sb_export_span *s)
{
    struct writer *w = ctx;
    if (!in_phase(w, s))
        return;
    uint32_t out = w->phase == ENDS || s->out_function == SB_NULL ? 0 : iid_of_text(w, s->out_function);
    put_span(w, track(TRACK_PROCESS, s->process), s, w->state_iid[s->state], 0, out);
}

/* Of a process, or NULL: of the schedulers. Collections are inside stays: they end before the stay ends, and start
 * after it starts. */
static void
write_spans(struct writer *w, const struct sb_spans_of *of)
{
    sb_export_span_fn *put = of ? on_process : on_lane;
    for (w->phase = ENDS; w->phase < PHASES; w->phase++) {
        if (w->phase == ENDS)
            sb_spans_gc(w->profile, w->options, of, put, w);
        if (of)
            sb_spans_off(w->profile, w->options, of, put, w);
        sb_spans_running(w->profile, w->options, of, put, w);
        if (w->phase != ENDS)
            sb_spans_gc(w->profile, w->options, of, put, w);
    }
}

/* ---- messages, values, marks */

static bool
has_track(const struct writer *w, int64_t process)
{
    return bsearch(&process, w->top, w->n_top, sizeof process, sb_by_number) != NULL;
}

static void
put_message_end(struct writer *w, int64_t process, int64_t at_ns, uint32_t name, unsigned flow_field,
                int64_t words)
{
    begin_event(w, at_ns, TYPE_INSTANT, track(TRACK_PROCESS, process));
    sb_pb_u64(&w->pb, E_NAME_IID, name);
    if (words != SB_NULL) {
        sb_pb_begin(&w->pb, E_NOTES);
        sb_pb_u64(&w->pb, N_NAME_IID, NOTE_WORDS);
        sb_pb_i64(&w->pb, N_INT, words);
        sb_pb_end(&w->pb);
    }
    if (flow_field)
        sb_pb_fixed64(&w->pb, flow_field, w->flows);
    end_event(w);
}

static void
on_message(void *ctx, const struct sb_message *m)
{
    struct writer *w = ctx;
    bool from = has_track(w, m->sender) && sb_select_at(w->options, m->sent_ns);
    bool to = has_track(w, m->receiver) && sb_select_at(w->options, m->received_ns);
    w->flows += from && to;
    if (from)
        put_message_end(w, m->sender, m->sent_ns, w->send_iid, to ? E_FLOW : 0, m->words);
    if (to)
        put_message_end(w, m->receiver, m->received_ns, w->receive_iid, from ? E_FLOW_END : 0, m->words);
}

static void
put_counter(struct writer *w, uint64_t uuid, uint64_t parent, struct sb_str name, unsigned unit)
{
    begin_track(w, uuid, parent);
    sb_pb_str(&w->pb, T_NAME, name);
    sb_pb_begin(&w->pb, T_COUNTER);
    sb_pb_u64(&w->pb, COUNTER_UNIT, unit);
    sb_pb_end(&w->pb);
    end_event(w);
}

static void
write_counter(struct writer *w, uint64_t uuid, const struct sb_value *v)
{
    struct sb_label name;
    struct sb_str item = sb_profile_text(w->profile, v->item), key = sb_profile_text(w->profile, v->key);
    bool bytes = sb_str_starts(item, SB_STR("memory"));
    sb_label_print(&name, "%.*s%s%.*s", SB_STR_ARG(item), key.n ? " " : "", SB_STR_ARG(key));
    put_counter(w, uuid, v->node == SB_NULL ? 0 : track(TRACK_NODE, v->node),
                (struct sb_str){name.text, name.n}, bytes ? UNIT_BYTES : UNIT_COUNT);
}

static void
on_value(void *ctx, const struct sb_value *v)
{
    struct writer *w = ctx;
    size_t n_known = w->counters.n;
    uint64_t name = sb_mix64((uint64_t)v->item << 32 ^ (uint64_t)v->key) ^ (uint64_t)v->node;
    uint32_t id = 1 + sb_map_place(&w->counters, name, n_known);
    if (id > n_known)
        write_counter(w, track(TRACK_COUNTER, id), v);
    begin_event(w, v->at_ns, TYPE_COUNTER, track(TRACK_COUNTER, id));
    sb_pb_i64(&w->pb, E_VALUE, v->value);
    end_event(w);
}

static void
put_real(struct writer *w, int64_t at_ns, uint64_t on, double v)
{
    uint64_t bits;
    memcpy(&bits, &v, sizeof bits);
    begin_event(w, at_ns, TYPE_COUNTER, on);
    sb_pb_fixed64(&w->pb, E_REAL, bits);
    end_event(w);
}

static void
on_activity(void *ctx, const struct sb_activity *a)
{
    put_real(ctx, a->at_ns, track(TRACK_ACTIVITY, ACTIVITY_RUNNING), a->running);
    put_real(ctx, a->at_ns, track(TRACK_ACTIVITY, ACTIVITY_RUNNABLE), a->runnable);
}

static void
write_activity(struct writer *w)
{
    static const char *const name[] = {
        [ACTIVITY_RUNNING] = "processes running", [ACTIVITY_RUNNABLE] = "processes runnable"};
    for (int64_t i = 0; i <= ACTIVITY_RUNNABLE; i++)
        put_counter(w, track(TRACK_ACTIVITY, i), 0, sb_str_of(name[i]), UNIT_COUNT);
    sb_spans_activity(w->profile, w->options, on_activity, w);
}

static void
on_mark(void *ctx, const struct sb_mark *m)
{
    struct writer *w = ctx;
    uint64_t on =
        has_track(w, m->process) ? track(TRACK_PROCESS, m->process) : track(TRACK_SCHEDULER, m->scheduler);
    begin_event(w, m->at_ns, TYPE_INSTANT, on);
    sb_pb_str(&w->pb, E_NAME, sb_profile_text(w->profile, m->text));
    end_event(w);
}

static bool
write_perfetto(const struct sb_profile *p, const struct sb_export_options *o, struct sb_out *out,
               struct sb_err *e)
{
    (void)e;
    struct writer w = {.profile = p, .options = o, .out = out, .next_iid = 1};
    write_head(&w);
    write_spans(&w, NULL);
    for (size_t i = 0; i < w.n_top; i++)
        write_spans(&w, &(struct sb_spans_of){.process = w.top[i], .to_ns = SB_NULL});
    sb_spans_messages(p, o, NULL, on_message, &w);
    sb_spans_values(p, o, on_value, &w);
    write_activity(&w);
    sb_spans_marks(p, o, on_mark, &w);
    sb_out_bytes(out, w.pb.at, w.pb.n);
    if (sb_profile_rows(p, SB_T_cpu_tick) > 0)
        sb_perfetto_cpu(p, o, out);
    sb_pb_close(&w.pb);
    sb_map_close(&w.texts);
    sb_map_close(&w.processes);
    sb_map_close(&w.counters);
    SB_VEC_FREE(&w.iids);
    return true;
}
