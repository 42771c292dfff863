/*
 * Firefox Profiler's processed format, version 47, which newer viewers upgrade themselves. The first thread
 * is all processes merged; its samples are stacks weighted by time. Then the processes that ran most follow,
 * one thread each, with a sample for each slice and markers for collections and messages. The viewer holds
 * everything in memory several times over, so the number of samples and markers is bounded.
 */
#include "base/json.h"
#include "base/order.h"
#include "export/label.h"
#include "export/paths.h"
#include "export/select.h"
#include "export/spans.h"

SB_EXPORTER(firefox) = {
    .name = "firefox",
    .suffix = ".firefox.json",
    .doc = "stacks and the busiest processes, with collections and messages: profiler.firefox.com",
    .what = SB_STACKS_WHAT,
    .write = write_firefox,
};

#define VERSION 47
#define SAMPLES_MAX 100000 /* of processes; with as many merged paths about 20 MB */
#define MARKERS_MAX 50000
#define PROCESSES_MAX 50

struct sample {
    uint32_t path;
    int64_t at_ns, weight;
};
enum marker_name { MARKER_GC, MARKER_SEND, MARKER_RECEIVE, MARKER_NAMES };
static const char *const marker_name[MARKER_NAMES] = {"GC", "send",
                                                      /* the first strings of every thread */
                                                      "receive"};
struct marker {
    enum marker_name name;
    int64_t at_ns, dur_ns; /* dur_ns -1: an instant */
};
struct writer {
    struct sb_stacks stacks;
    struct sb_json json;
    struct sb_paths paths; /* of this thread */
    SB_VEC(struct sample) samples;
    SB_VEC(struct marker) markers;
    struct sb_intern files; /* of functions of this thread */
    SB_VEC(uint32_t) used;  /* names of this thread, in the order of its tables */
    SB_VEC(uint32_t) place; /* by name: 1 + index in `used`; 0: not used here */
    size_t samples_left, markers_left, left_out;
    int64_t process;
};

/* ---- columns: every table of the format is an object of equally long arrays */

static void
same(struct sb_json *j, const char *key, int64_t v, size_t n) /* SB_NULL: null */
{
    SB_JSON_EACH (j, key, i, n)
        if (v == SB_NULL)
            sb_json_null(j);
        else
            sb_json_i64(j, v);
}

static void
put_ms(struct sb_json *j, int64_t ns)
{
    sb_json_f64(j, (double)ns / 1e6);
}

/* ---- tables of a thread */

static void
write_samples(struct writer *w)
{
    struct sb_json *j = &w->json;
    bool counts = sb_stacks_counts(&w->stacks);
    SB_JSON(j, "samples", obj);
    SB_JSON(j, "length", i64, (int64_t)w->samples.n);
    SB_JSON(j, "weightType", str, counts ? SB_STR("samples") : SB_STR("tracing-ms"));
    SB_JSON_EACH (j, "stack", i, w->samples.n)
        sb_json_i64(j, w->samples.at[i].path - 1);
    SB_JSON_EACH (j, "time", i, w->samples.n)
        put_ms(j, w->samples.at[i].at_ns);
    SB_JSON_EACH (j, "weight", i, w->samples.n)
        if (counts)
            sb_json_i64(j, w->samples.at[i].weight);
        else
            put_ms(j, w->samples.at[i].weight);
    sb_json_end(j);
}

static void
write_markers(struct writer *w)
{
    struct sb_json *j = &w->json;
    size_t n = w->markers.n;
    SB_JSON(j, "markers", obj);
    SB_JSON(j, "length", i64, (int64_t)n);
    same(j, "data", SB_NULL, n);
    same(j, "category", 0, n);
    SB_JSON_EACH (j, "name", i, n)
        sb_json_i64(j, w->markers.at[i].name);
    SB_JSON_EACH (j, "startTime", i, n)
        put_ms(j, w->markers.at[i].at_ns);
    SB_JSON_EACH (j, "endTime", i, n)
        if (w->markers.at[i].dur_ns < 0)
            sb_json_null(j);
        else
            put_ms(j, w->markers.at[i].at_ns + w->markers.at[i].dur_ns);
    SB_JSON_EACH (j, "phase", i, n)
        sb_json_i64(j, w->markers.at[i].dur_ns < 0 ? 0 : 1);
    sb_json_end(j);
}

static void
find_used(struct writer *w)
{
    w->used.n = w->place.n = 0;
    while (w->place.n < w->stacks.names.n)
        *SB_PUSH(&w->place) = 0;
    for (size_t i = 1; i < w->paths.nodes.n; i++) {
        uint32_t name = w->paths.nodes.at[i].name;
        if (w->place.at[name])
            continue;
        *SB_PUSH(&w->used) = name;
        w->place.at[name] = (uint32_t)w->used.n;
    }
}

static void
write_stacks(struct writer *w)
{
    struct sb_json *j = &w->json;
    size_t n = w->paths.nodes.n - 1;
    SB_JSON(j, "stackTable", obj);
    SB_JSON(j, "length", i64, (int64_t)n);
    SB_JSON_EACH (j, "prefix", i, n)
        if (w->paths.nodes.at[i + 1].parent == 0)
            sb_json_null(j);
        else
            sb_json_i64(j, w->paths.nodes.at[i + 1].parent - 1);
    SB_JSON_EACH (j, "frame", i, n)
        sb_json_i64(j, w->place.at[w->paths.nodes.at[i + 1].name] - 1);
    same(j, "category", 0, n);
    same(j, "subcategory", 0, n);
    sb_json_end(j);
}

static void
write_frames(struct writer *w)
{
    struct sb_json *j = &w->json;
    size_t names = w->used.n;
    SB_JSON(j, "frameTable", obj);
    SB_JSON(j, "length", i64, (int64_t)names);
    SB_JSON_EACH (j, "func", i, names)
        sb_json_i64(j, (int64_t)i);
    same(j, "address", -1, names);
    same(j, "inlineDepth", 0, names);
    same(j, "category", 0, names);
    same(j, "subcategory", 0, names);
    static const char *const unused[] = {"nativeSymbol", "innerWindowID", "implementation", "line", "column"};
    for (size_t i = 0; i < sizeof unused / sizeof *unused; i++)
        same(j, unused[i], SB_NULL, names);
    sb_json_end(j);
}

/* The names of files follow those of functions. */
static void
write_places(struct writer *w)
{
    struct sb_json *j = &w->json;
    for (unsigned column = 0; column < 2; column++)
        SB_JSON_EACH (j, column == 0 ? "fileName" : "lineNumber", i, w->used.n) {
            struct sb_source_place at = sb_stacks_place(&w->stacks, w->used.at[i]);
            if (at.line == 0)
                sb_json_null(j);
            else
                sb_json_i64(j, column == 0
                                   ? (int64_t)(MARKER_NAMES + w->used.n + sb_intern_put(&w->files, at.file))
                                   : at.line);
        }
    same(j, "columnNumber", SB_NULL, w->used.n);
}

static void
write_functions(struct writer *w)
{
    struct sb_json *j = &w->json;
    size_t names = w->used.n;
    SB_JSON(j, "funcTable", obj);
    SB_JSON(j, "length", i64, (int64_t)names);
    SB_JSON_EACH (j, "name", i, names)
        sb_json_i64(j, (int64_t)i + MARKER_NAMES);
    static const char *const flag[] = {"isJS", "relevantForJS"};
    for (size_t k = 0; k < 2; k++)
        SB_JSON_EACH (j, flag[k], i, names)
            sb_json_bool(j, false);
    same(j, "resource", -1, names);
    sb_intern_init(&w->files);
    write_places(w);
    sb_json_end(j);
    SB_JSON_EACH (j, "stringArray", i, MARKER_NAMES + names + w->files.n)
        sb_json_str(j, i < MARKER_NAMES ? sb_str_of(marker_name[i])
                       : i < MARKER_NAMES + names
                           ? sb_intern_text(&w->stacks.names, w->used.at[i - MARKER_NAMES])
                           : sb_intern_text(&w->files, (uint32_t)(i - MARKER_NAMES - names)));
    sb_intern_close(&w->files);
}

static void
write_empty(struct sb_json *j, const char *table, const char *const *column, size_t n)
{
    SB_JSON(j, table, obj);
    SB_JSON(j, "length", i64, 0);
    for (size_t i = 0; i < n; i++)
        same(j, column[i], 0, 0);
    sb_json_end(j);
}

SB_ORDER(by_time, struct sample, SB_UP(at_ns))

static void
write_thread(struct writer *w, struct sb_str name, struct sb_str node, int64_t tid)
{
    static const char *const resource[] = {"lib", "name", "host", "type"};
    static const char *const symbol[] = {"libIndex", "address", "name", "functionSize"};
    struct sb_json *j = &w->json;
    SB_SORT(&w->samples, by_time);
    sb_json_obj(j);
    SB_JSON(j, "name", str, name);
    SB_JSON(j, "processName", str, node);
    SB_JSON(j, "processType", str, SB_STR("default"));
    SB_JSON(j, "isMainThread", bool, tid == 0);
    SB_JSON(j, "pid", str, SB_STR("1"));
    SB_JSON(j, "tid", i64, tid);
    SB_JSON(j, "registerTime", i64, 0);
    SB_JSON(j, "processStartupTime", i64, 0);
    SB_JSON(j, "unregisterTime", null);
    SB_JSON(j, "processShutdownTime", null);
    same(j, "pausedRanges", 0, 0);
    write_samples(w);
    write_markers(w);
    find_used(w);
    write_stacks(w);
    write_frames(w);
    write_functions(w);
    write_empty(j, "resourceTable", resource, 4);
    write_empty(j, "nativeSymbols", symbol, 4);
    sb_json_end(j);
    w->samples.n = w->markers.n = 0;
    sb_paths_close(&w->paths);
    sb_paths_open(&w->paths);
}

/* ---- threads */

static void
add_sample(struct writer *w, const uint32_t *frame, size_t n, int64_t at_ns, int64_t weight)
{
    if (w->samples_left == 0) {
        w->left_out++;
        return;
    }
    w->samples_left--;
    *SB_PUSH(&w->samples) = (struct sample){sb_paths_add(&w->paths, frame, n, weight), at_ns, weight};
}

/* Merged stacks have no time: each path is one sample, one after another. */
static void
add_merged(struct writer *w)
{
    int64_t at_ns = 0;
    sb_paths_add_all(&w->paths, &w->stacks);
    for (uint32_t i = 1; i < w->paths.nodes.n; i++) {
        int64_t own = w->paths.nodes.at[i].own;
        if (own > 0)
            *SB_PUSH(&w->samples) = (struct sample){i, at_ns, own};
        at_ns += own;
    }
}

static void
on_stay(void *ctx, const struct sb_export_span *s)
{
    struct writer *w = ctx;
    uint32_t frame[] = {sb_stacks_type(&w->stacks, s->process), sb_stacks_name(&w->stacks, s->out_function)};
    add_sample(w, frame, frame[0] == frame[1] ? 1 : 2, s->start_ns, s->dur_ns);
}

static void
add_marker(struct writer *w, enum marker_name name, int64_t at_ns, int64_t dur_ns)
{
    if (w->markers_left == 0) {
        w->left_out++;
        return;
    }
    w->markers_left--;
    *SB_PUSH(&w->markers) = (struct marker){name, at_ns, dur_ns};
}

static void
on_gc(void *ctx, const struct sb_export_span *s)
{
    add_marker(ctx, MARKER_GC, s->start_ns, s->dur_ns);
}

static void
on_message(void *ctx, const struct sb_message *m)
{
    struct writer *w = ctx;
    if (m->sender == w->process && sb_select_at(w->stacks.options, m->sent_ns))
        add_marker(w, MARKER_SEND, m->sent_ns, -1);
    if (m->receiver == w->process && sb_select_at(w->stacks.options, m->received_ns))
        add_marker(w, MARKER_RECEIVE, m->received_ns, -1);
}

static void
write_process(struct writer *w, int64_t process)
{
    const struct sb_profile *p = w->stacks.profile;
    struct sb_label name, node;
    uint64_t row = sb_label_row(p, SB_T_process, process);
    const struct sb_spans_of of = {.process = process, .to_ns = SB_NULL};
    w->process = process;
    sb_spans_running(p, w->stacks.options, &of, on_stay, w);
    sb_spans_gc(p, w->stacks.options, &of, on_gc, w);
    struct sb_export_options one = *w->stacks.options;
    one.process = &process;
    one.n_process = 1;
    sb_spans_messages(p, &one, NULL, on_message, w);
    write_thread(w, sb_label_process(p, process, &name),
                 sb_label_node(p, SB_CELL(p, process, node, row), &node), process);
}

static void
write_threads(struct writer *w)
{
    int64_t process[PROCESSES_MAX];
    size_t n = sb_select_busiest(w->stacks.profile, w->stacks.options, process, PROCESSES_MAX);
    add_merged(w);
    write_thread(w, SB_STR("all processes"), SB_STR("strobe"), 0);
    w->samples_left = SAMPLES_MAX;
    w->markers_left = MARKERS_MAX;
    bool timed = w->stacks.source == SB_STACK_CALLS || w->stacks.source == SB_STACK_SLICES;
    for (size_t i = 0; i < n && timed; i++)
        write_process(w, process[i]);
    if (w->left_out > 0)
        sb_select_note(w->stacks.options,
                       "%zu samples and markers beyond the viewer's limit were left out: narrow --since, "
                       "--until or --process",
                       w->left_out);
    else if (n == PROCESSES_MAX)
        sb_select_note(w->stacks.options, "the %d processes that ran most have their own threads",
                       PROCESSES_MAX);
}

static void
write_meta(struct sb_json *j)
{
    SB_JSON(j, "meta", obj);
    SB_JSON(j, "interval", i64, 1);
    SB_JSON(j, "startTime", i64, 0);
    SB_JSON(j, "processType", i64, 0);
    SB_JSON(j, "stackwalk", i64, 0);
    SB_JSON(j, "version", i64, 27);
    SB_JSON(j, "preprocessedProfileVersion", i64, VERSION);
    SB_JSON(j, "product", str, SB_STR("strobe " SB_VERSION));
    SB_JSON(j, "symbolicated", bool, true);
    SB_JSON(j, "categories", arr);
    sb_json_obj(j);
    SB_JSON(j, "name", str, SB_STR("BEAM"));
    SB_JSON(j, "color", str, SB_STR("green"));
    SB_JSON(j, "subcategories", arr);
    sb_json_str(j, SB_STR("Other"));
    sb_json_end(j);
    sb_json_end(j);
    sb_json_end(j);
    same(j, "markerSchema", 0, 0);
    sb_json_end(j);
}

static bool
write_firefox(const struct sb_profile *p, const struct sb_export_options *o, struct sb_out *out,
              struct sb_err *e)
{
    struct writer w = {0};
    SB_TRY(sb_stacks_open(&w.stacks, p, o, e));
    sb_stacks_note_folding(&w.stacks);
    sb_paths_open(&w.paths);
    sb_json_open(&w.json, out, false);
    sb_json_obj(&w.json);
    write_meta(&w.json);
    same(&w.json, "libs", 0, 0);
    same(&w.json, "pages", 0, 0);
    SB_JSON(&w.json, "threads", arr);
    write_threads(&w);
    sb_json_end(&w.json);
    sb_json_end(&w.json);
    sb_out_char(out, '\n');
    sb_paths_close(&w.paths);
    SB_VEC_FREE(&w.samples);
    SB_VEC_FREE(&w.markers);
    SB_VEC_FREE(&w.used);
    SB_VEC_FREE(&w.place);
    sb_stacks_close(&w.stacks);
    return true;
}
