/*
 * speedscope's own format: first all processes merged (sampled: a stack and its weight), then the processes
 * that ran most, each over time (evented: functions open and close). Outermost activations nest by their
 * times; if none were recorded, slices are shown instead. The viewer holds everything in memory, so events
 * are limited.
 */
#include "base/json.h"
#include "base/order.h"
#include "export/label.h"
#include "export/paths.h"
#include "export/select.h"
#include "profile/scan_row.h"

SB_EXPORTER(speedscope) = {
    .name = "speedscope",
    .suffix = ".speedscope.json",
    .doc = "all processes merged, and the busiest ones over time: speedscope.app",
    .what = SB_STACKS_WHAT,
    .write = write_speedscope,
};

#define EVENTS_MAX 400000 /* in total: about 20 MB; speedscope becomes slow beyond 50 */
#define PROCESSES_MAX 50

struct span {
    int64_t start_ns, end_ns;
    uint32_t name;
};
struct writer {
    struct sb_stacks stacks;
    struct sb_json json;
    struct sb_paths paths; /* of all processes */
    SB_VEC(uint32_t) path;
    SB_VEC(struct span) spans; /* of one process */
    SB_VEC(struct span) open;
    uint64_t spans_left, left_out;
    uint64_t joined; /* activations known as sums only */
};

/* ---- all processes: each path once, the stacks first and their weights afterwards */

static void
write_path(struct writer *w, const struct sb_path *n)
{
    w->path.n = 0;
    for (; n->depth > 0; n = &w->paths.nodes.at[n->parent])
        *SB_PUSH(&w->path) = n->name;
    sb_json_arr(&w->json);
    for (size_t i = w->path.n; i-- > 0;)
        sb_json_u64(&w->json, w->path.at[i]);
    sb_json_end(&w->json);
}

static void
write_merged(struct writer *w)
{
    struct sb_json *j = &w->json;
    sb_paths_add_all(&w->paths, &w->stacks);
    sb_json_obj(j);
    SB_JSON(j, "type", str, SB_STR("sampled"));
    SB_JSON(j, "name", str, SB_STR("all processes"));
    SB_JSON(j, "unit", str, sb_stacks_counts(&w->stacks) ? SB_STR("none") : SB_STR("nanoseconds"));
    SB_JSON(j, "startValue", i64, 0);
    SB_JSON(j, "endValue", i64, w->paths.nodes.at[0].total);
    SB_JSON(j, "samples", arr);
    for (size_t i = 1; i < w->paths.nodes.n; i++)
        if (w->paths.nodes.at[i].own > 0)
            write_path(w, &w->paths.nodes.at[i]);
    sb_json_end(j);
    SB_JSON(j, "weights", arr);
    for (size_t i = 1; i < w->paths.nodes.n; i++)
        if (w->paths.nodes.at[i].own > 0)
            sb_json_i64(j, w->paths.nodes.at[i].own);
    sb_json_end(j);
    sb_json_end(j);
}

/* ---- one process as it went */

struct span_columns { /* of a table whose rows are spans of one process */
    enum sb_tab tab;
    unsigned process, start, dur, name;
    int busy; /* -1: none */
};

static void
read_spans(struct writer *w, int64_t process, struct span_columns col)
{
    struct sb_scan c;
    sb_scan_open(&c, w->stacks.profile, col.tab);
    sb_scan_where(&c, col.process, process, process);
    unsigned start = sb_scan_want(&c, col.start), dur = sb_scan_want(&c, col.dur),
             name = sb_scan_want(&c, col.name),
             busy = col.busy < 0 ? dur : sb_scan_want(&c, (unsigned)col.busy);
    for (size_t i = 0; sb_scan_row(&c, &i); i++) {
        int64_t at_ns = c.value[start][i], dur_ns = c.value[dur][i];
        bool joined = c.value[busy][i] != SB_NULL && c.value[busy][i] != dur_ns; /* the moments of
                                                                                    activity in between
                                                                                    are unknown */
        if (!sb_select_clip(w->stacks.options, &at_ns, &dur_ns))
            continue;
        if (joined) {
            w->joined++;
            continue;
        }
        if (w->spans_left == 0) {
            w->left_out++;
            continue;
        }
        w->spans_left--;
        *SB_PUSH(&w->spans) =
            (struct span){at_ns, at_ns + dur_ns, sb_stacks_name(&w->stacks, c.value[name][i])};
    }
}

/* An enclosing span precedes what it encloses. */
SB_ORDER(by_start, struct span, SB_UP(start_ns) ?: SB_DOWN(end_ns))

static void
write_event(struct writer *w, const char *type, const struct span *s, int64_t at_ns)
{
    sb_json_obj(&w->json);
    SB_JSON(&w->json, "type", str, sb_str_of(type));
    SB_JSON(&w->json, "frame", i64, s->name);
    SB_JSON(&w->json, "at", i64, at_ns);
    sb_json_end(&w->json);
}

static void
close_until(struct writer *w, int64_t at_ns)
{
    while (w->open.n > 0 && w->open.at[w->open.n - 1].end_ns <= at_ns) {
        const struct span *s = &w->open.at[--w->open.n];
        write_event(w, "C", s, s->end_ns);
    }
}

static void
write_events(struct writer *w)
{
    for (size_t i = 0; i < w->spans.n; i++) {
        struct span s = w->spans.at[i];
        close_until(w, s.start_ns);
        if (w->open.n > 0 && s.end_ns > w->open.at[w->open.n - 1].end_ns)
            s.end_ns = w->open.at[w->open.n - 1].end_ns; /* an inner span ends within the outer one */
        write_event(w, "O", &s, s.start_ns);
        *SB_PUSH(&w->open) = s;
    }
    close_until(w, INT64_MAX);
}

static int64_t
last_end(const struct writer *w)
{
    int64_t last = 0;
    for (size_t i = 0; i < w->spans.n; i++)
        last = w->spans.at[i].end_ns > last ? w->spans.at[i].end_ns : last;
    return last;
}

static void
write_process(struct writer *w, int64_t process)
{
    const struct sb_profile *p = w->stacks.profile;
    struct sb_json *j = &w->json;
    struct sb_label l;
    w->spans.n = 0;
    read_spans(w, process,
               (struct span_columns){.tab = SB_T_activation,
                                     .process = SB_C_activation__process,
                                     .start = SB_C_activation__start,
                                     .dur = SB_C_activation__dur,
                                     .name = SB_C_activation__mfa,
                                     .busy = SB_C_activation__busy_ns});
    if (w->spans.n == 0)
        read_spans(w, process,
                   (struct span_columns){.tab = SB_T_slice,
                                         .process = SB_C_slice__process,
                                         .start = SB_C_slice__start,
                                         .dur = SB_C_slice__dur,
                                         .name = SB_C_slice__out_function,
                                         .busy = -1});
    if (w->spans.n == 0)
        return;
    SB_SORT(&w->spans, by_start);
    sb_json_obj(j);
    SB_JSON(j, "type", str, SB_STR("evented"));
    SB_JSON(j, "name", str, sb_label_process(p, process, &l));
    SB_JSON(j, "unit", str, SB_STR("nanoseconds"));
    SB_JSON(j, "startValue", i64, w->spans.at[0].start_ns);
    SB_JSON(j, "endValue", i64, last_end(w));
    SB_JSON(j, "events", arr);
    write_events(w);
    sb_json_end(j);
    sb_json_end(j);
}

static void
write_processes(struct writer *w)
{
    int64_t process[PROCESSES_MAX];
    size_t n = sb_select_busiest(w->stacks.profile, w->stacks.options, process, PROCESSES_MAX);
    w->spans_left = EVENTS_MAX / 2;
    for (size_t i = 0; i < n; i++)
        write_process(w, process[i]);
    if (n == PROCESSES_MAX)
        sb_select_note(w->stacks.options, "the %d processes that ran most have their own views",
                       PROCESSES_MAX);
    if (w->joined > 0)
        sb_select_note(
            w->stacks.options,
            "%llu spans of functions that were called very often are in 'all processes' only: the profile "
            "has only their sums",
            (unsigned long long)w->joined);
    if (w->left_out > 0)
        sb_select_note(
            w->stacks.options,
            "%llu spans beyond the viewer's limit were left out: narrow --since, --until or --process",
            (unsigned long long)w->left_out);
}

static void
write_frames(struct writer *w)
{
    struct sb_json *j = &w->json;
    SB_JSON(j, "shared", obj);
    SB_JSON_EACH (j, "frames", name, w->stacks.names.n) {
        sb_json_obj(j);
        SB_JSON(j, "name", str, sb_intern_text(&w->stacks.names, (uint32_t)name));
        struct sb_source_place at = sb_stacks_place(&w->stacks, (uint32_t)name);
        if (at.line > 0) {
            SB_JSON(j, "file", str, at.file);
            SB_JSON(j, "line", i64, at.line);
        }
        sb_json_end(j);
    }
    sb_json_end(j);
}

static bool
write_speedscope(const struct sb_profile *p, const struct sb_export_options *o, struct sb_out *out,
                 struct sb_err *e)
{
    struct writer w = {0};
    struct sb_json *j = &w.json;
    SB_TRY(sb_stacks_open(&w.stacks, p, o, e));
    sb_stacks_note_folding(&w.stacks);
    sb_paths_open(&w.paths);
    sb_json_open(j, out, false);
    sb_json_obj(j);
    SB_JSON(j, "$schema", str, SB_STR("https://www.speedscope.app/file-format-schema.json"));
    SB_JSON(j, "exporter", str, SB_STR("strobe " SB_VERSION));
    SB_JSON(j, "name", str, sb_str_of(sb_profile_path(p)));
    SB_JSON(j, "activeProfileIndex", i64, 0);
    SB_JSON(j, "profiles", arr);
    write_merged(&w);
    if (w.stacks.source == SB_STACK_CALLS || w.stacks.source == SB_STACK_SLICES)
        write_processes(&w);
    sb_json_end(j);
    write_frames(&w);
    sb_json_end(j);
    sb_out_char(out, '\n');
    sb_paths_close(&w.paths);
    SB_VEC_FREE(&w.path);
    SB_VEC_FREE(&w.spans);
    SB_VEC_FREE(&w.open);
    sb_stacks_close(&w.stacks);
    return true;
}
