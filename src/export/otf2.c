/*
 * An OTF2 archive, for Vampir and the tools around Scalasca: a node is a location group, a scheduler a
 * location, a slice a region named after the type of the process. The processes that ran most are locations
 * too, with their states as regions and the messages between them as point-to-point messages. The format
 * requires the events of a location in time order, so events are collected and sorted one window of time at a
 * time.
 *
 * This is the one format that a library writes. The program needs the library's headers to be built with this exporter,
 * and the library when an archive is written; without either it reports what to install.
 */
#include "base/intern.h"
#include "base/map.h"
#include "base/order.h"
#include "base/vec.h"
#include "export/label.h"
#include "export/select.h"
#include "export/spans.h"

static bool write_otf2(const struct sb_profile *p, const struct sb_export_options *o, const char *path,
                       struct sb_err *e);

const struct sb_exporter sb_export_otf2 = {
    .name = "otf2",
    .suffix = ".otf2",
    .doc = "an archive (a folder) of schedulers, processes and messages: Vampir, otf2-print",
    .what = "",
    .write_folder = write_otf2,
};

#ifdef SB_HAVE_OTF2
#include <dlfcn.h>
#include <otf2/otf2.h>

#define TRACKS_MAX 100     /* processes with their own location */
#define WINDOW_ROWS 500000 /* approximate number of spans that are sorted at once */
#define CHUNK_BYTES (1 << 18)
#define LOCATIONS_MAX 2048 /* the library keeps open files and chunks for each of them */

/* At equal times, ends precede starts; the inner span ends first and starts last. */
enum order { LEAVE_INNER, LEAVE, POINT, ENTER, ENTER_INNER, SEND, RECEIVE };

struct otf2 {
    void *library;
#define CALL(name) typeof(OTF2_##name) *name;
#include "export/otf2.def"
#undef CALL
};

struct event {
    int64_t at_ns;
    uint64_t number; /* keeps the order of otherwise equal events */
    uint32_t location, region, peer;
    enum order order;
    bool enters;
    uint64_t words;
};
struct writer {
    const struct sb_profile *profile;
    const struct sb_export_options *options;
    struct otf2 otf2;
    OTF2_Archive *archive;
    struct sb_intern names; /* strings and regions have one number */
    struct sb_map location_of_scheduler, location_of_process;
    uint32_t n_schedulers, n_locations, n_defined; /* n_defined: names already written */
    int64_t top[TRACKS_MAX];
    size_t n_top;
    SB_VEC(struct event) events;
    SB_VEC(uint64_t) written; /* events of each location */
    SB_VEC(int64_t) last_ns;  /* the moment of its last event */
    uint32_t region[SB_STATES];
    OTF2_ErrorCode failed;
};

static void
try(struct writer *w, OTF2_ErrorCode code)
{
    if (code != OTF2_SUCCESS && w->failed == OTF2_SUCCESS)
        w->failed = code;
}

/* ---- gathering a window */

static void
add_edge(struct writer *w, uint32_t location, int64_t at_ns, uint32_t region, enum order order, bool enters)
{
    *SB_PUSH(&w->events) = (struct event){.at_ns = at_ns,
                                          .number = w->events.n,
                                          .location = location,
                                          .region = region,
                                          .order = order,
                                          .enters = enters};
}

static void
add_span(struct writer *w, uint32_t location, const struct sb_export_span *s, uint32_t region)
{
    bool inner = s->state == SB_STATE_GC, point = s->dur_ns == 0;
    add_edge(w, location, s->start_ns, region, point ? POINT : inner ? ENTER_INNER : ENTER, true);
    add_edge(w, location, s->start_ns + s->dur_ns, region,
             point   ? POINT
             : inner ? LEAVE_INNER
                     : LEAVE,
             false);
}

static void
on_span(void *ctx, const struct sb_export_span *s)
{
    struct writer *w = ctx;
    const uint32_t *lane = sb_map_get(&w->location_of_scheduler, (uint64_t)s->scheduler);
    const uint32_t *track = sb_map_get(&w->location_of_process, (uint64_t)s->process);
    bool running = s->state == SB_STATE_RUNNING;
    if (lane && s->scheduler > 0) {
        struct sb_label l;
        struct sb_str type = s->process == 0 ? SB_STR("port") : sb_label_type(w->profile, s->process, &l);
        add_span(w, *lane, s, running ? sb_intern_put(&w->names, type) : w->region[s->state]);
    }
    if (track && s->process > 0)
        add_span(w, *track, s, w->region[s->state]);
}

static void
add_message_end(struct writer *w, uint32_t location, uint32_t peer, int64_t at_ns, enum order order,
                int64_t words)
{
    *SB_PUSH(&w->events) = (struct event){.at_ns = at_ns,
                                          .number = w->events.n,
                                          .location = location,
                                          .peer = peer,
                                          .order = order,
                                          .words = words == SB_NULL ? 0 : (uint64_t)words};
}

static void
on_message(void *ctx, const struct sb_message *m)
{
    struct writer *w = ctx;
    const uint32_t *from = sb_map_get(&w->location_of_process, (uint64_t)m->sender);
    const uint32_t *to = sb_map_get(&w->location_of_process, (uint64_t)m->receiver);
    if (!from || !to || m->sent_ns == SB_NULL || m->received_ns == SB_NULL)
        return; /* readers would wait for the other end of a message with only one */
    if (!sb_select_at(w->options, m->sent_ns) || !sb_select_at(w->options, m->received_ns))
        return;
    add_message_end(w, *from, *to, m->sent_ns, SEND, m->words);
    add_message_end(w, *to, *from, m->received_ns, RECEIVE, m->words);
}

SB_ORDER(by_place, struct event, SB_UP(location) ?: SB_UP(at_ns) ?: SB_UP(order) ?: SB_UP(number))

static void
write_event(struct writer *w, const struct event *e)
{
    OTF2_EvtWriter *out = w->otf2.Archive_GetEvtWriter(w->archive, e->location);
    /* clocks that disagree must not make time go backwards */
    int64_t *last_ns = &w->last_ns.at[e->location];
    OTF2_TimeStamp at = (OTF2_TimeStamp)(*last_ns = e->at_ns > *last_ns ? e->at_ns : *last_ns);
    w->written.at[e->location]++;
    if (e->order == SEND)
        try(w, w->otf2.EvtWriter_MpiSend(out, NULL, at, e->peer, 0, 0, e->words * 8));
    else if (e->order == RECEIVE)
        try(w, w->otf2.EvtWriter_MpiRecv(out, NULL, at, e->peer, 0, 0, e->words * 8));
    else if (e->enters)
        try(w, w->otf2.EvtWriter_Enter(out, NULL, at, e->region));
    else
        try(w, w->otf2.EvtWriter_Leave(out, NULL, at, e->region));
}

/* Spans that start in this window may end later: those events wait for their window. */
static void
write_window(struct writer *w, int64_t until_ns)
{
    size_t kept = 0;
    SB_SORT(&w->events, by_place);
    for (size_t i = 0; i < w->events.n; i++)
        if (w->events.at[i].at_ns < until_ns)
            write_event(w, &w->events.at[i]);
        else
            w->events.at[kept++] = w->events.at[i];
    w->events.n = kept;
}

static uint64_t
rows_of(const struct sb_profile *p)
{
    return sb_profile_rows(p, SB_T_slice) + sb_profile_rows(p, SB_T_gc) + sb_profile_rows(p, SB_T_gap) +
           sb_profile_rows(p, SB_T_message);
}

static void
write_events(struct writer *w, int64_t from_ns, int64_t to_ns)
{
    int64_t windows = (int64_t)(rows_of(w->profile) / WINDOW_ROWS) + 1,
            step_ns = (to_ns - from_ns) / windows + 1;
    struct sb_spans_of of = {.from_ns = INT64_MIN + 1};
    for (of.to_ns = from_ns + step_ns; of.from_ns < to_ns; of.from_ns = of.to_ns, of.to_ns += step_ns) {
        sb_spans_running(w->profile, w->options, &of, on_span, w);
        sb_spans_gc(w->profile, w->options, &of, on_span, w);
        sb_spans_off(w->profile, w->options, &of, on_span, w);
        sb_spans_messages(w->profile, w->options, &of, on_message, w);
        write_window(w, of.to_ns);
    }
    write_window(w, INT64_MAX);
}

/* ---- definitions */

static void
find_locations(struct writer *w)
{
    for (uint64_t row = 0; row < sb_profile_rows(w->profile, SB_T_scheduler); row++) {
        int64_t id = SB_CELL(w->profile, scheduler, id, row);
        *sb_map_put(&w->location_of_scheduler, (uint64_t)id, NULL) = w->n_locations++;
    }
    w->n_schedulers = w->n_locations;
    w->n_top = sb_select_busiest(w->profile, w->options, w->top, TRACKS_MAX);
    for (size_t i = 0; i < w->n_top; i++)
        *sb_map_put(&w->location_of_process, (uint64_t)w->top[i], NULL) = w->n_locations++;
    if (w->n_locations == 0)
        w->n_locations = 1; /* readers need at least one, even for an empty profile */
    for (uint32_t i = 0; i < w->n_locations; i++)
        *SB_PUSH(&w->written) = 0, *SB_PUSH(&w->last_ns) = 0;
    for (unsigned i = 0; i < SB_STATES; i++)
        w->region[i] = sb_intern_put(&w->names, sb_state_name((enum sb_state)i));
    if (w->n_top == TRACKS_MAX)
        sb_select_note(w->options,
                       "the %d processes that ran most have their own locations; --process selects others",
                       TRACKS_MAX);
}

static uint32_t
group_of(const struct writer *w, enum sb_tab t, unsigned node_col, int64_t id)
{
    uint64_t row = sb_label_row(w->profile, t, id);
    int64_t node = row == SB_NO_ROW ? SB_NULL : sb_profile_cell(w->profile, t, node_col, row);
    uint64_t place = sb_label_row(w->profile, SB_T_node, node);
    return place == SB_NO_ROW ? 0 : (uint32_t)place;
}

static uint32_t
define_text(struct writer *w, OTF2_GlobalDefWriter *out, struct sb_str text)
{
    uint32_t id = sb_intern_put(&w->names, text);
    for (; w->n_defined < w->names.n; w->n_defined++) {
        struct sb_str name = sb_intern_text(&w->names, w->n_defined);
        try(w, w->otf2.GlobalDefWriter_WriteString(out, w->n_defined, name.n ? name.p : ""));
    }
    return id;
}

static void
define_location(struct writer *w, OTF2_GlobalDefWriter *out, uint32_t location, struct sb_str name,
                uint32_t group)
{
    uint32_t text = define_text(w, out, name);
    try(w, w->otf2.GlobalDefWriter_WriteLocation(out, location, text, OTF2_LOCATION_TYPE_CPU_THREAD,
                                                 w->written.at[location], group));
}

static void
define_regions(struct writer *w, OTF2_GlobalDefWriter *out)
{
    define_text(w, out, SB_STR("")); /* and all that events have named */
    for (uint32_t i = 0; i < w->n_defined; i++)
        try(w, w->otf2.GlobalDefWriter_WriteRegion(out, i, i, i, 0, OTF2_REGION_ROLE_FUNCTION,
                                                   OTF2_PARADIGM_USER, OTF2_REGION_FLAG_NONE, 0, 0, 0));
}

static void
define_places(struct writer *w, OTF2_GlobalDefWriter *out)
{
    struct sb_label l;
    uint32_t machine = define_text(w, out, SB_STR("strobe")), class = define_text(w, out, SB_STR("nodes"));
    try(w,
        w->otf2.GlobalDefWriter_WriteSystemTreeNode(out, 0, machine, class, OTF2_UNDEFINED_SYSTEM_TREE_NODE));
    uint64_t nodes = sb_profile_rows(w->profile, SB_T_node);
    for (uint64_t row = 0; row < (nodes ? nodes : 1); row++) {
        int64_t id = nodes ? SB_CELL(w->profile, node, id, row) : SB_NULL;
        uint32_t name = define_text(w, out, sb_label_node(w->profile, id, &l));
        try(w, w->otf2.GlobalDefWriter_WriteLocationGroup(out, (uint32_t)row, name,
                                                          OTF2_LOCATION_GROUP_TYPE_PROCESS, 0,
                                                          OTF2_UNDEFINED_LOCATION_GROUP));
    }
    if (w->n_schedulers + w->n_top == 0)
        define_location(w, out, 0, SB_STR("unknown scheduler"), 0);
    for (uint32_t i = 0; i < w->n_schedulers; i++) {
        int64_t id = SB_CELL(w->profile, scheduler, id, i);
        define_location(w, out, i, sb_label_scheduler(w->profile, id, &l),
                        group_of(w, SB_T_scheduler, SB_C_scheduler__node, id));
    }
    for (size_t i = 0; i < w->n_top; i++)
        define_location(w, out, w->n_schedulers + (uint32_t)i, sb_label_process(w->profile, w->top[i], &l),
                        group_of(w, SB_T_process, SB_C_process__node, w->top[i]));
}

static void
define_messages(struct writer *w, OTF2_GlobalDefWriter *out) /* a rank is the number of a location */
{
    uint64_t *member = sb_realloc_or_die(NULL, sb_mul_or_die(sizeof *member, w->n_locations + 1u));
    for (uint32_t i = 0; i < w->n_locations; i++)
        member[i] = i;
    uint32_t name = define_text(w, out, SB_STR("messages"));
    try(w, w->otf2.GlobalDefWriter_WriteGroup(out, 0, name, OTF2_GROUP_TYPE_COMM_LOCATIONS, OTF2_PARADIGM_MPI,
                                              OTF2_GROUP_FLAG_NONE, w->n_locations, member));
    try(w, w->otf2.GlobalDefWriter_WriteGroup(out, 1, name, OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_MPI,
                                              OTF2_GROUP_FLAG_NONE, w->n_locations, member));
    try(w, w->otf2.GlobalDefWriter_WriteComm(out, 0, name, 1, OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE));
    free(member);
}

static void
write_definitions(struct writer *w, int64_t from_ns, int64_t to_ns)
{
    try(w, w->otf2.Archive_OpenDefFiles(w->archive));
    for (uint32_t i = 0; i < w->n_locations; i++) {
        OTF2_DefWriter *local = w->otf2.Archive_GetDefWriter(w->archive, i);
        try(w, local ? w->otf2.Archive_CloseDefWriter(w->archive, local) : OTF2_ERROR_INVALID_CALL);
    }
    try(w, w->otf2.Archive_CloseDefFiles(w->archive));
    OTF2_GlobalDefWriter *out = w->otf2.Archive_GetGlobalDefWriter(w->archive);
    try(w, w->otf2.GlobalDefWriter_WriteClockProperties(
               out, 1000000000, (uint64_t)from_ns, (uint64_t)(to_ns - from_ns), OTF2_UNDEFINED_TIMESTAMP));
    define_regions(w, out);
    define_places(w, out);
    define_messages(w, out);
    try(w, w->otf2.Archive_CloseGlobalDefWriter(w->archive, out));
}

/* ---- the archive */

static OTF2_FlushType
flush(void *ctx, OTF2_FileType type, OTF2_LocationRef location, void *caller, bool final)
{
    (void)ctx, (void)type, (void)location, (void)caller, (void) final;
    return OTF2_FLUSH;
}

static OTF2_ErrorCode
ignore_error(void *ctx, const char *file, uint64_t line, const char *function, OTF2_ErrorCode code,
             const char *format, va_list arguments) /* the library would print; the command does that */
{
    (void)ctx, (void)file, (void)line, (void)function, (void)format, (void)arguments;
    return code;
}

static void
write_archive(struct writer *w)
{
    static const OTF2_FlushCallbacks callbacks = {.otf2_pre_flush = flush, .otf2_post_flush = NULL};
    int64_t from_ns = w->options->since_ns == SB_NULL ? 0 : w->options->since_ns;
    int64_t to_ns = sb_select_span_ns(w->profile) + 1;
    if (w->options->until_ns != SB_NULL && w->options->until_ns < to_ns)
        to_ns = w->options->until_ns;
    try(w, w->otf2.Archive_SetFlushCallbacks(w->archive, &callbacks, NULL));
    try(w, w->otf2.Archive_SetSerialCollectiveCallbacks(w->archive));
    try(w, w->otf2.Archive_OpenEvtFiles(w->archive));
    find_locations(w);
    for (uint32_t i = 0; i < w->n_locations; i++) /* each needs a file, even without events */
        try(w, w->otf2.Archive_GetEvtWriter(w->archive, i) ? OTF2_SUCCESS : OTF2_ERROR_INVALID_CALL);
    if (w->failed != OTF2_SUCCESS)
        return;
    write_events(w, from_ns, to_ns > from_ns ? to_ns : from_ns + 1);
    for (uint32_t i = 0; i < w->n_locations; i++)
        try(w, w->otf2.Archive_CloseEvtWriter(w->archive, w->otf2.Archive_GetEvtWriter(w->archive, i)));
    try(w, w->otf2.Archive_CloseEvtFiles(w->archive));
    write_definitions(w, from_ns, to_ns > from_ns ? to_ns : from_ns + 1);
}

static bool
has_too_many_schedulers(const struct sb_profile *p, struct sb_err *e)
{
    if (sb_profile_rows(p, SB_T_scheduler) <= LOCATIONS_MAX - TRACKS_MAX)
        return false;
    sb_err_set(e, SB_ERR_INPUT, "the profile has more than %d schedulers, too many for an OTF2 archive",
               LOCATIONS_MAX - TRACKS_MAX);
    sb_err_advise(e, "export the profile of each node");
    return true;
}

static bool
load(struct otf2 *o, struct sb_err *e) /* it stays loaded: the program is over soon */
{
    static const char *const names[] = {"libopen-trace-format2.so.10",
                                        "libotf2.so.10"}; /* Debian's, its own */
    for (size_t i = 0; i < sizeof names / sizeof *names && !o->library; i++)
        o->library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
    bool all = o->library != NULL;
#define CALL(call) all = all && (o->call = dlsym(o->library, "OTF2_" #call)) != NULL;
#include "export/otf2.def"
#undef CALL
    if (all)
        return true;
    sb_err_set(e, SB_ERR_SYSTEM, "the library of OTF2, version 2 or 3, is not installed");
    return sb_err_advise(e, "install libopen-trace-format2-10 (elsewhere: otf2)");
}

static bool
write_otf2(const struct sb_profile *p, const struct sb_export_options *o, const char *path, struct sb_err *e)
{
    struct writer w = {.profile = p, .options = o};
    SB_TRY(!has_too_many_schedulers(p, e));
    SB_TRY(load(&w.otf2, e));
    w.otf2.Error_RegisterCallback(ignore_error, NULL);
    w.archive = w.otf2.Archive_Open(path, "strobe", OTF2_FILEMODE_WRITE, CHUNK_BYTES, 4 << 20,
                                    OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
    if (!w.archive)
        return sb_err_set(e, SB_ERR_SYSTEM, "OTF2 cannot open an archive") || sb_err_in(e, path, SB_NO_BYTE);
    sb_intern_init(&w.names);
    write_archive(&w);
    try(&w, w.otf2.Archive_Close(w.archive));
    sb_intern_close(&w.names);
    sb_map_close(&w.location_of_scheduler);
    sb_map_close(&w.location_of_process);
    SB_VEC_FREE(&w.events);
    SB_VEC_FREE(&w.written);
    SB_VEC_FREE(&w.last_ns);
    if (w.failed == OTF2_SUCCESS)
        return true;
    sb_err_set(e, SB_ERR_SYSTEM, "OTF2 could not write the archive: %s",
               w.otf2.Error_GetDescription(w.failed));
    return sb_err_in(e, path, SB_NO_BYTE);
}

#else

static bool
write_otf2(const struct sb_profile *p, const struct sb_export_options *o, const char *path, struct sb_err *e)
{
    (void)p, (void)o, (void)path;
    sb_err_set(e, SB_ERR_SYSTEM, "this strobe was built without OTF2");
    return sb_err_advise(e, "install libopen-trace-format2-dev and build again");
}

#endif
