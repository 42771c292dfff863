/*
 * Chrome's trace events: a bare JSON array, which every reader accepts (some reject the object form). A node
 * is a process, a scheduler a thread. The processes that ran most are threads too, with messages between them
 * as flows. Times are microseconds with three decimals, so no nanosecond is lost.
 */
#include "base/json.h"
#include "base/map.h"
#include "base/vec.h"
#include "export/label.h"
#include "export/select.h"
#include "export/spans.h"

SB_EXPORTER(chrome) = {
    .name = "chrome",
    .suffix = ".json",
    .doc = "trace events as JSON: Perfetto, Firefox, speedscope, chrome://tracing",
    .what = "",
    .write = write_chrome,
};

#define TRACKS_MAX 100
#define PROCESS_TID 1000000 /* thread ids from here on are processes */

struct writer {
    const struct sb_profile *profile;
    const struct sb_export_options *options;
    struct sb_out *out;
    struct sb_out quoting; /* where a string is quoted, once */
    struct sb_arena quoted;
    struct sb_map quoted_of; /* text id -> index */
    SB_VEC(struct sb_str) texts;
    uint64_t events, flows;
    int64_t top[TRACKS_MAX], node_of_top[TRACKS_MAX];
    size_t n_top;
    struct { /* cache of the previous span, usually of the same process */
        int64_t process;
        struct sb_arena arena;
        struct sb_str type, name; /* quoted */
    } last;
    struct sb_map node_of_scheduler;
};

static struct sb_str
quote(struct writer *w, struct sb_str s) /* valid until the next call */
{
    struct sb_json json;
    w->quoting.n = 0;
    sb_json_open(&json, &w->quoting, false);
    sb_json_str(&json, s);
    return (struct sb_str){w->quoting.buf, w->quoting.n};
}

static void
put_string(struct writer *w, struct sb_str s)
{
    sb_out_str(w->out, quote(w, s));
}

static void
put_text(struct writer *w, int64_t text_id)
{
    struct sb_label l;
    uint32_t at = sb_map_place(&w->quoted_of, (uint64_t)text_id, w->texts.n);
    if (at == w->texts.n)
        *SB_PUSH(&w->texts) = sb_arena_str(&w->quoted, quote(w, sb_label_function(w->profile, text_id, &l)));
    sb_out_str(w->out, w->texts.at[at]);
}

static void
put_us(struct writer *w, const char *key, int64_t ns)
{
    uint64_t part = (uint64_t)(ns < 0 ? -ns : ns) % 1000;
    sb_out_z(w->out, key);
    if (ns < 0 && ns > -1000)
        sb_out_char(w->out, '-');
    sb_out_i64(w->out, ns / 1000);
    sb_out_char(w->out, '.');
    sb_out_char(w->out, (char)('0' + part / 100));
    sb_out_char(w->out, (char)('0' + part / 10 % 10));
    sb_out_char(w->out, (char)('0' + part % 10));
}

static void
begin_event(struct writer *w, const char *phase, int64_t pid, int64_t tid)
{
    sb_out_z(w->out, w->events++ ? ",\n{\"ph\":\"" : "\n{\"ph\":\"");
    sb_out_z(w->out, phase);
    sb_out_z(w->out, "\",\"pid\":");
    sb_out_i64(w->out, pid);
    sb_out_z(w->out, ",\"tid\":");
    sb_out_i64(w->out, tid);
}

static void
put_name(struct writer *w, struct sb_str name)
{
    sb_out_z(w->out, ",\"name\":");
    put_string(w, name);
}

static void
write_meta(struct writer *w, const char *what, int64_t pid, int64_t tid, struct sb_str name)
{
    begin_event(w, "M", pid, tid);
    put_name(w, sb_str_of(what));
    sb_out_z(w->out, ",\"args\":{\"name\":");
    put_string(w, name);
    sb_out_z(w->out, "}}");
}

static void
write_head(struct writer *w)
{
    const struct sb_profile *p = w->profile;
    struct sb_label l;
    if (sb_profile_rows(p, SB_T_node) == 0) /* readers do not recognise an array without events */
        write_meta(w, "process_name", 0, 0, SB_STR("unknown node"));
    for (uint64_t row = 0; row < sb_profile_rows(p, SB_T_node); row++) {
        int64_t id = SB_CELL(p, node, id, row);
        write_meta(w, "process_name", id, 0, sb_label_node(p, id, &l));
    }
    for (uint64_t row = 0; row < sb_profile_rows(p, SB_T_scheduler); row++) {
        int64_t id = SB_CELL(p, scheduler, id, row);
        int64_t node = sb_known(SB_CELL(p, scheduler, node, row));
        *sb_map_put(&w->node_of_scheduler, (uint64_t)id, NULL) = (uint32_t)node;
        write_meta(w, "thread_name", node, id, sb_label_scheduler(p, id, &l));
    }
    w->n_top = sb_select_busiest(p, w->options, w->top, TRACKS_MAX);
    for (size_t i = 0; i < w->n_top; i++) {
        uint64_t row = sb_label_row(p, SB_T_process, w->top[i]);
        w->node_of_top[i] = row == SB_NO_ROW ? 0 : sb_known(SB_CELL(p, process, node, row));
        write_meta(w, "thread_name", w->node_of_top[i], PROCESS_TID + (int64_t)i,
                   sb_label_process(p, w->top[i], &l));
    }
    if (w->n_top == TRACKS_MAX)
        sb_select_note(w->options,
                       "the %d processes that ran most have their own tracks; --process selects others",
                       TRACKS_MAX);
}

/* ---- spans */

static void
put_span(struct writer *w, int64_t pid, int64_t tid, const struct sb_export_span *s)
{
    begin_event(w, "X", pid, tid);
    put_us(w, ",\"ts\":", s->start_ns);
    put_us(w, ",\"dur\":", s->dur_ns);
    sb_out_z(w->out, ",\"name\":");
}

static void
put_out(struct writer *w, const struct sb_export_span *s)
{
    sb_out_z(w->out, "\"out\":");
    put_text(w, s->out_function);
}

static void
find_process(struct writer *w, int64_t process)
{
    struct sb_label l;
    if (w->last.process == process)
        return;
    w->last.process = process;
    sb_arena_reset(&w->last.arena);
    struct sb_str type = process == 0 ? SB_STR("port") : sb_label_type(w->profile, process, &l);
    w->last.type = sb_arena_str(&w->last.arena, quote(w, type));
    w->last.name = sb_arena_str(&w->last.arena, quote(w, sb_label_process(w->profile, process, &l)));
}

static void
on_lane(void *ctx, const struct sb_export_span *s)
{
    struct writer *w = ctx;
    if (s->scheduler == 0)
        return;
    uint32_t *node = sb_map_get(&w->node_of_scheduler, (uint64_t)s->scheduler);
    bool gc = s->state == SB_STATE_GC;
    find_process(w, s->process);
    put_span(w, node ? *node : 0, s->scheduler, s);
    if (gc)
        sb_out_z(w->out, "\"gc\"");
    else
        sb_out_str(w->out, w->last.type);
    sb_out_z(w->out, ",\"args\":{\"process\":");
    sb_out_str(w->out, w->last.name);
    if (!gc && s->out_function != SB_NULL) {
        sb_out_char(w->out, ',');
        put_out(w, s);
    }
    sb_out_z(w->out, "}}");
}

struct one_process {
    struct writer *w;
    int64_t pid, tid;
};

static void
on_process(void *ctx, const struct sb_export_span *s)
{
    const struct one_process *one = ctx;
    put_span(one->w, one->pid, one->tid, s);
    put_string(one->w, sb_state_name(s->state));
    if (s->out_function != SB_NULL) {
        sb_out_z(one->w->out, ",\"args\":{");
        put_out(one->w, s);
        sb_out_char(one->w->out, '}');
    }
    sb_out_char(one->w->out, '}');
}

static void
write_states(struct writer *w, size_t i)
{
    const struct sb_spans_of of = {.process = w->top[i], .to_ns = SB_NULL};
    struct one_process one = {w, w->node_of_top[i], PROCESS_TID + (int64_t)i};
    sb_spans_off(w->profile, w->options, &of, on_process, &one);
    sb_spans_running(w->profile, w->options, &of, on_process, &one);
    sb_spans_gc(w->profile, w->options, &of, on_process, &one);
}

/* ---- messages, values, marks */

static size_t
index_of_top(const struct writer *w, int64_t process) /* n_top: none */
{
    size_t i = 0;
    while (i < w->n_top && w->top[i] != process)
        i++;
    return i;
}

static void
put_flow(struct writer *w, const char *phase, size_t i, int64_t at_ns)
{
    begin_event(w, phase, w->node_of_top[i], PROCESS_TID + (int64_t)i);
    put_us(w, ",\"ts\":", at_ns);
    sb_out_z(w->out, ",\"cat\":\"message\",\"name\":\"message\",\"bp\":\"e\",\"id\":");
    sb_out_u64(w->out, w->flows);
    sb_out_char(w->out, '}');
}

static void
on_message(void *ctx, const struct sb_message *m)
{
    struct writer *w = ctx;
    size_t from = index_of_top(w, m->sender), to = index_of_top(w, m->receiver);
    if (from == w->n_top || to == w->n_top || !sb_select_at(w->options, m->sent_ns) ||
        !sb_select_at(w->options, m->received_ns))
        return;
    w->flows++;
    put_flow(w, "s", from, m->sent_ns);
    put_flow(w, "f", to, m->received_ns);
}

static void
on_value(void *ctx, const struct sb_value *v)
{
    struct writer *w = ctx;
    begin_event(w, "C", sb_known(v->node), 0);
    put_us(w, ",\"ts\":", v->at_ns);
    put_name(w, sb_profile_text(w->profile, v->item));
    sb_out_z(w->out, ",\"args\":{");
    struct sb_str key = sb_profile_text(w->profile, v->key);
    put_string(w, key.n ? key : SB_STR("value"));
    sb_out_char(w->out, ':');
    sb_out_i64(w->out, v->value);
    sb_out_z(w->out, "}}");
}

static void
on_activity(void *ctx, const struct sb_activity *a)
{
    struct writer *w = ctx;
    begin_event(w, "C", 0, 0);
    put_us(w, ",\"ts\":", a->at_ns);
    sb_out_printf(w->out, ",\"name\":\"processes\",\"args\":{\"running\":%.4f,\"runnable\":%.4f}}",
                  a->running, a->runnable);
}

static void
on_mark(void *ctx, const struct sb_mark *m)
{
    struct writer *w = ctx;
    uint32_t *node = sb_map_get(&w->node_of_scheduler, (uint64_t)m->scheduler);
    begin_event(w, "i", node ? *node : 0, m->scheduler);
    put_us(w, ",\"ts\":", m->at_ns);
    put_name(w, sb_profile_text(w->profile, m->text));
    sb_out_z(w->out, ",\"s\":\"g\"}");
}

static bool
write_chrome(const struct sb_profile *p, const struct sb_export_options *o, struct sb_out *out,
             struct sb_err *e)
{
    (void)e;
    struct writer w = {.profile = p, .options = o, .out = out, .last.process = -1};
    sb_out_to_memory(&w.quoting);
    sb_out_char(out, '[');
    write_head(&w);
    sb_spans_running(p, o, NULL, on_lane, &w);
    sb_spans_gc(p, o, NULL, on_lane, &w);
    for (size_t i = 0; i < w.n_top; i++)
        write_states(&w, i);
    sb_spans_messages(p, o, NULL, on_message, &w);
    sb_spans_values(p, o, on_value, &w);
    sb_spans_activity(p, o, on_activity, &w);
    sb_spans_marks(p, o, on_mark, &w);
    sb_out_z(out, "\n]\n");
    sb_map_close(&w.node_of_scheduler);
    sb_map_close(&w.quoted_of);
    SB_VEC_FREE(&w.texts);
    sb_arena_close(&w.quoted);
    sb_arena_close(&w.last.arena);
    sb_out_abandon(&w.quoting);
    return true;
}
