/*
 * The tracer's callbacks: one per class of events. Each writes a record into the ring of its thread.
 *
 *     trace_X(Tag, State, Tracee, Term, Opts)  -> ignored
 *
 * The VM first asks whether the event is traced (enabled.c). They run on the thread of the event, possibly while the VM
 * holds locks.
 */
#include "callers.h"
#include "events.h"
#include "dict.h"
#include "entry.h"
#include "only.h"
#include "term.h"
#include "trace/sbt/wire_event.h"

#define ATOMS(X) \
    X(full) \
    X(ok) \
    X(trace) \
    X(extra) \
    X(timeout) \
    X(none) \
    X(heap_size) \
    X(old_heap_size) \
    X(heap_block_size) X(old_heap_block_size) X(bin_vheap_size) X(bin_old_vheap_size) X(mbuf_size) X(wordsize)

/* Each kind with its tag and the callback that records it. */
enum group { OTHER, CALL, SEND, RECEIVE, PROCS, PORT, RUN, GC, EMIT, DRAIN, GROUPS };
enum { GROUP_KINDS = 16 };
#define SLOT(...)
#define EVENT(id, tag, class, group, ...) [SB_EV_##id] = {tag, group},
static const struct {
    const char *tag;
    enum group group;
} kinds[SB_EVENT_KINDS] = {
#include "trace/event.def"
};
#undef EVENT
#undef SLOT

static struct {
#define FIELD(name) ERL_NIF_TERM name;
    ATOMS(FIELD)
#undef FIELD
    ERL_NIF_TERM down, exit_signal;
    ERL_NIF_TERM tag[SB_KINDS_MAX];
    struct {
        ERL_NIF_TERM tag;
        unsigned kind; /* SB_EV_none: the end */
    } of[GROUPS][GROUP_KINDS];
} am;

static void
load_tags(ErlNifEnv *env)
{
    unsigned n[GROUPS] = {0};
    for (unsigned k = SB_EV_none + 1; k < SB_EVENT_KINDS; k++) {
        enum group g = kinds[k].group;
        am.tag[k] = enif_make_atom(env, kinds[k].tag);
        if (g != OTHER && n[g] + 1 < GROUP_KINDS) {
            am.of[g][n[g]].tag = am.tag[k];
            am.of[g][n[g]++].kind = k;
        }
    }
}

bool
events_load(ErlNifEnv *env)
{
#define MAKE(name) am.name = enif_make_atom(env, #name);
    ATOMS(MAKE)
#undef MAKE
    load_tags(env);
    am.down = enif_make_atom(env, "DOWN");
    am.exit_signal = enif_make_atom(env, "EXIT");
    capture.rest.message = enif_make_atom(env, "strobe_stirred");
    entry_load(env);
    return true;
}

enum { WALK_CELLS = 64 };
enum { TAG, STATE, TRACEE, TERM, OPTS };

static inline ERL_NIF_TERM
extra(ErlNifEnv *env, ERL_NIF_TERM opts)
{
    ERL_NIF_TERM v = layout_only_value(&capture.layout, opts, am.extra);
    return v || enif_get_map_value(env, opts, am.extra, &v) ? v : 0;
}

/* ---- the steps of every callback */

static inline unsigned
find_tag(ERL_NIF_TERM tag, enum group g)
{
    unsigned i = 0;
    while (am.of[g][i].tag != tag && am.of[g][i].kind != SB_EV_none)
        i++;
    return am.of[g][i].kind;
}

/* The steps of every callback: enter, read the clock, encode the process and the record's slots, leave. */
#define ENTER(w, class) \
    struct worker *w = capture_enter(class); \
    if (__builtin_expect(!w, 0)) \
    return am.ok

#define BEGIN(env, w, who_term) \
    int64_t now = clock_now(&capture.clock, &w->clock); \
    sb_actor who = term_actor(env, w, who_term, NULL)

#define RECORD(env, w, who_term, class) \
    ENTER(w, class); \
    BEGIN(env, w, who_term)

static bool
is_left_out(ErlNifEnv *env, struct worker *w, struct filters *filters, const ERL_NIF_TERM *argv)
{
    ERL_NIF_TERM more = extra(env, argv[OPTS]);
    struct filter_event ev = {{am.trace, argv[TRACEE], argv[TAG], argv[TERM], more}, more ? 5 : 4};
    return filters_judge(filters, env, &ev, &w->printed) == FILTER_DROP;
}

/* The same for events of the VM, which end a rest and which a filter may reject. */
#define BEGIN_TRACED(env, w, argv) \
    BEGIN(env, w, argv[TRACEE]); \
    if (__builtin_expect(rest_lasts(&capture.rest), 0) && sb_actor_kind(who) != SB_PORT) \
        capture_end_rest(env, now); \
    struct filters *filters = atomic_load_explicit(&capture.filters, memory_order_acquire); \
    if (__builtin_expect(filters != NULL, 0) && is_left_out(env, w, filters, argv)) { \
        w->printed.n = 0; \
        capture_leave(w); \
        return am.ok; \
    }

#define TRACED(env, w, argv, class) \
    ENTER(w, class); \
    BEGIN_TRACED(env, w, argv)

/* Encodes the slots of a kind or shape of event.def: PUT(p, w, link, .to = peer). */
#define PUT(p, w, id, ...) sb_wire_put_##id(p, (w)->writer.recent, (struct sb_wire_##id){__VA_ARGS__})

/* Writes the output of a filter, after its event. */
static __attribute__((noinline)) void
put_printed(struct worker *w)
{
    uint8_t *p = sb_ring_begin(&w->writer, SB_EV_filtered, w->writer.who, w->clock.last_ns, 0);
    if (p)
        sb_ring_end(&w->writer, SB_EV_filtered, PUT(p, w, filtered, .text = {w->printed.at, w->printed.n}));
    w->printed.n = 0;
}

static inline __attribute__((always_inline)) ERL_NIF_TERM
done(struct worker *w, unsigned kind, uint8_t *p)
{
    if (p)
        sb_ring_end(&w->writer, kind, p);
    if (__builtin_expect(w->printed.n > 0, 0))
        put_printed(w);
    capture_leave(w);
    return am.ok;
}

/* Returns the name of the class in {Class, Reason}. */
static uint32_t
class_of(ErlNifEnv *env, struct worker *w, ERL_NIF_TERM exception)
{
    const ERL_NIF_TERM *at;
    int n;
    return enif_get_tuple(env, exception, &n, &at) && n == 2 ? dict_atom(env, w, at[0]) : 0;
}

NIF(trace_call)
{
    ENTER(w, SB_CALLS);
    struct dict_slot *slot = dict_cached(w, argv[TERM]);
    bool is_call = argv[TAG] == am.tag[SB_EV_call], unknown = false,
         *listed = slot ? &slot->listed : &unknown;
    if (__builtin_expect(!only_wants(env, argv[TRACEE], argv[TERM], is_call, listed), 0)) {
        capture_leave(w);
        return am.ok;
    }
    BEGIN_TRACED(env, w, argv)
    unsigned kind = find_tag(argv[TAG], CALL);
    if (kind == SB_EV_none)
        return done(w, kind, NULL);
    uint32_t mfa = dict_mfa_at(env, w, slot, argv[TERM]);
    uint8_t *p = sb_ring_begin(&w->writer, kind, who, now, 0);
    if (__builtin_expect(kind == SB_EV_exception_from, 0) && p) {
        uint32_t class = class_of(env, w, extra(env, argv[OPTS]));
        return done(w, kind, PUT(p, w, exception_from, .mfa = mfa, .class = class));
    }
    return done(w, kind, p ? PUT(p, w, call, .mfa = mfa) : NULL); /* like return_to and return_from */
}

NIF(trace_send)
{
    TRACED(env, w, argv, SB_MESSAGES)
    unsigned kind = argv[TAG] == am.tag[SB_EV_send_dead] ? SB_EV_send_dead : SB_EV_send, flags = 0;
    ERL_NIF_TERM receiver = extra(env, argv[OPTS]);
    if (receiver && capture_is_hidden(receiver)) /* an answer to strobe */
        return done(w, kind, NULL);
    struct measure m = term_measure(env, w, argv[TERM], WALK_CELLS);
    sb_actor to = receiver ? term_actor(env, w, receiver, &flags) : 0;
    /* one word, valid for life */
    if (to && (receiver & 3) == 3 && capture.layout.tags_known && sb_actor_kind(to) != SB_PORT)
        receivers_count(&w->mail, receiver);
    flags |= m.at_least ? SB_EVF_AT_LEAST : 0;
    uint8_t *p = sb_ring_begin(&w->writer, kind, who, now, flags);
    return done(w, kind, p ? PUT(p, w, send, .to = to, .words = m.words, .hash = m.print) : NULL);
}

/* Returns the process named by a 'DOWN' or 'EXIT' message of `n` elements. */
static sb_actor
named_in(ErlNifEnv *env, struct worker *w, const ERL_NIF_TERM *at, int n)
{
    if (n == 5 && at[0] == am.down)
        return term_actor(env, w, at[3], NULL);
    return n == 3 && at[0] == am.exit_signal ? term_actor(env, w, at[1], NULL) : 0;
}

/* Writes the function that a message to a task asks for. */
static void
put_entry(struct worker *w, sb_actor who, uint32_t entry)
{
    uint8_t *p = entry ? sb_ring_begin(&w->writer, SB_EV_entry, who, w->clock.last_ns, 0) : NULL;
    if (p)
        sb_ring_end(&w->writer, SB_EV_entry, PUT(p, w, entry, .mfa = entry));
}

NIF(trace_receive)
{
    TRACED(env, w, argv, SB_MESSAGES)
    w->far = 0;
    uint16_t print = term_measure(env, w, argv[TERM], 8).print;
    const ERL_NIF_TERM *at = NULL;
    int n = 0;
    bool tuple = layout_get_tuple(&capture.layout, env, argv[TERM], &n, &at);
    sb_actor down = tuple ? named_in(env, w, at, n) : 0;
    sb_actor far = w->far && tuple && !down ? term_actor(env, w, w->far, NULL) : 0;
    unsigned asks = far ? callers_ask(env, w, argv[TRACEE], at, n, far) : 0;
    down = asks ? far : down;
    if (n == 5 && !down)
        put_entry(w, who, entry_asked(env, w, at));
    unsigned flags = (down ? SB_WIRE_PEER : 0u) | asks << SB_WIRE_ASKS_SHIFT |
                     (argv[TERM] == am.timeout ? SB_EVF_TIMEOUT : 0u);
    uint8_t *p = sb_ring_begin(&w->writer, SB_EV_receive, who, now, flags);
    if (p) {
        if (down)
            p = sb_wire_put_actor(p, w->writer.recent, down);
        p = PUT(p, w, receive, .hash = print);
    }
    return done(w, SB_EV_receive, p);
}

enum { REASON_BYTES = 80 };

/* Encodes the end of a process or port; `closed` has the same slot as `exit`. */
static uint8_t *
put_exit(ErlNifEnv *env, struct worker *w, ERL_NIF_TERM reason, uint8_t *p)
{
    char text[SB_WIRE_TEXT_MAX];
    return PUT(p, w, exit, .reason = {text, term_text(env, reason, text, REASON_BYTES)});
}

static uint8_t *
put_proc(ErlNifEnv *env, struct worker *w, unsigned kind, const ERL_NIF_TERM *argv, uint8_t *p)
{
    ERL_NIF_TERM mfa;
    uint32_t id;
    switch (kind) {
    case SB_EV_spawn:
    case SB_EV_spawned:
        mfa = extra(env, argv[OPTS]);
        id = dict_mfa_tuple(env, w, mfa);
        return PUT(p, w, spawn, .child = term_actor(env, w, argv[TERM], NULL), .mfa = id,
                   .entry = entry_of(env, w, mfa, id));
    case SB_EV_exit:
        return put_exit(env, w, argv[TERM], p);
    case SB_EV_registered:
    case SB_EV_unregistered:
        return PUT(p, w, registered, .name = dict_atom(env, w, argv[TERM]));
    default:
        return PUT(p, w, link, .to = term_actor(env, w, argv[TERM], NULL));
    }
}

NIF(trace_procs)
{
    TRACED(env, w, argv, SB_PROCS)
    unsigned kind = find_tag(argv[TAG], PROCS);
    uint8_t *p = kind == SB_EV_none ? NULL : sb_ring_begin(&w->writer, kind, who, now, 0);
    return done(w, kind, p ? put_proc(env, w, kind, argv, p) : NULL);
}

/* in and out, of processes and ports; ports have a command instead of a function */
static inline __attribute__((always_inline)) ERL_NIF_TERM
switched(ErlNifEnv *env, const ERL_NIF_TERM argv[], bool full, const struct room_function *fn)
{
    TRACED(env, w, argv, SB_RUNNING)
    unsigned kind = find_tag(argv[TAG], RUN);
    if (kind == SB_EV_none)
        return done(w, kind, NULL);
    bool port = sb_actor_kind(who) == SB_PORT;
    uint32_t where = full   ? fn ? dict_mfa(env, w, fn->module, fn->function, (uint32_t)fn->arity) : 0
                     : port ? dict_atom(env, w, argv[TERM])
                            : dict_mfa_tuple(env, w, argv[TERM]);
    if (!port && kind == SB_EV_in)
        atomic_store_explicit(&w->runs, argv[TRACEE], memory_order_relaxed);
    uint8_t *p = sb_ring_begin(&w->writer, kind, who, now, 0);
    return done(w, kind, p ? PUT(p, w, running, .mfa = where) : NULL);
}

NIF(trace_running)
{
    return switched(env, argv, false, NULL);
}

void
trace_full(ErlNifEnv *env, const ERL_NIF_TERM argv[], const struct room_function *fn)
{
    switched(env, argv, true, fn);
}

NIF(trace_ports)
{
    if (argv[TAG] != am.tag[SB_EV_open] && argv[TAG] != am.tag[SB_EV_closed])
        return trace_procs(env, argc, argv); /* ports are linked and registered too */
    TRACED(env, w, argv, SB_PORTS)
    unsigned kind = argv[TAG] == am.tag[SB_EV_open] ? SB_EV_open : SB_EV_closed;
    uint32_t driver = kind == SB_EV_open ? dict_atom(env, w, extra(env, argv[OPTS])) : 0;
    uint8_t *p = sb_ring_begin(&w->writer, kind, who, now, 0);
    if (p && kind == SB_EV_closed)
        p = put_exit(env, w, argv[TERM], p);
    else if (p)
        p = PUT(p, w, open, .owner = term_actor(env, w, argv[TERM], NULL), .driver = driver);
    return done(w, kind, p);
}

struct gc_info {
    ErlNifUInt64 heap, old, block, old_block, bin, old_bin, mbuf, need;
};

static struct gc_info
read_gc(ErlNifEnv *env, ERL_NIF_TERM list)
{
    struct gc_info g = {.need = SB_UNKNOWN32};
    ERL_NIF_TERM head;
    while (enif_get_list_cell(env, list, &head, &list)) {
        const ERL_NIF_TERM *at;
        int n;
        if (!layout_get_tuple(&capture.layout, env, head, &n, &at) || n != 2)
            continue;
        ErlNifUInt64 *into = at[0] == am.heap_size             ? &g.heap
                             : at[0] == am.old_heap_size       ? &g.old
                             : at[0] == am.heap_block_size     ? &g.block
                             : at[0] == am.old_heap_block_size ? &g.old_block
                             : at[0] == am.bin_vheap_size      ? &g.bin
                             : at[0] == am.bin_old_vheap_size  ? &g.old_bin
                             : at[0] == am.mbuf_size           ? &g.mbuf
                             : at[0] == am.wordsize            ? &g.need
                                                               : NULL;
        if (into)
            enif_get_uint64(env, at[1], into);
    }
    return g;
}

NIF(trace_gc)
{
    TRACED(env, w, argv, SB_GC)
    unsigned kind = find_tag(argv[TAG], GC);
    if (kind == SB_EV_none)
        return done(w, kind, NULL);
    struct gc_info g = read_gc(env, argv[TERM]);
    uint8_t *p = sb_ring_begin(&w->writer, kind, who, now, 0);
    if (p)
        p = PUT(p, w, gc, .heap = g.heap + g.old, .block = g.block + g.old_block, .bin = g.bin + g.old_bin,
                .old = g.old, .mbuf = g.mbuf < SB_UNKNOWN32 ? (uint32_t)g.mbuf : SB_UNKNOWN32 - 1,
                .need = g.need < SB_UNKNOWN32 ? (uint32_t)g.need : 0);
    return done(w, kind, p);
}

/* The callback for events without one of their own. */
NIF(trace_other)
{
    return am.ok;
}

/* ---- records of strobe's own processes: emit(Tag, Who, A, B, C) */

static struct sb_wire_text
text_of(ErlNifEnv *env, ERL_NIF_TERM t)
{
    ErlNifBinary bin = {0};
    return enif_inspect_binary(env, t, &bin) ? (struct sb_wire_text){(const char *)bin.data, bin.size}
                                             : (struct sb_wire_text){0};
}

static uint8_t *
put_exists(ErlNifEnv *env, struct worker *w, const ERL_NIF_TERM *argv, uint8_t *p)
{
    const ERL_NIF_TERM *at;
    int n;
    unsigned status = SB_UNKNOWN32;
    bool two = enif_get_tuple(env, argv[4], &n, &at) && n == 2 && enif_get_uint(env, at[1], &status);
    return PUT(p, w, exists, .parent = argv[2] == am.none ? 0 : term_actor(env, w, argv[2], NULL),
               .name = argv[3] == am.none ? 0 : dict_atom(env, w, argv[3]),
               .entry = !two || at[0] == am.none   ? 0
                        : enif_is_atom(env, at[0]) ? dict_atom(env, w, at[0]) /* the driver of a port */
                                                   : dict_mfa_tuple(env, w, at[0]),
               .status = status);
}

static uint8_t *
put_emitted(ErlNifEnv *env, struct worker *w, unsigned kind, const ERL_NIF_TERM *argv, uint8_t *p)
{
    ErlNifSInt64 value = 0, value_last = 0;
    bool known, last;
    switch (kind) {
    case SB_EV_mark:
    case SB_EV_label:
    case SB_EV_filtered:
        return PUT(p, w, mark, .text = text_of(env, argv[2]));
    case SB_EV_sample:
        enif_get_int64(env, argv[4], &value);
        return PUT(p, w, sample, .item = dict_atom(env, w, argv[2]), .key = text_of(env, argv[3]),
                   .value = value);
    case SB_EV_counter:
        known = enif_get_int64(env, argv[3], &value);
        last = enif_get_int64(env, argv[4], &value_last);
        return PUT(p, w, counter, .mfa = dict_mfa_tuple(env, w, argv[2]),
                   .calls = known ? (uint64_t)value : SB_UNKNOWN,
                   .last = last ? (uint32_t)value_last : SB_UNKNOWN32);
    default:
        return put_exists(env, w, argv, p);
    }
}

/* Writes one record per frame, all with the same time: [{M, F, Arity, Location}], innermost first. */
static ERL_NIF_TERM
emit_stack(ErlNifEnv *env, const ERL_NIF_TERM *argv)
{
    RECORD(env, w, argv[1], SB_SAMPLE);
    ERL_NIF_TERM list = argv[2], frame;
    unsigned frames = 0;
    enif_get_list_length(env, list, &frames);
    for (unsigned depth = 0; enif_get_list_cell(env, list, &frame, &list); depth++) {
        const ERL_NIF_TERM *at;
        int n;
        unsigned arity;
        bool mfa = enif_get_tuple(env, frame, &n, &at) && n == 4 && enif_get_uint(env, at[2], &arity);
        uint32_t id = mfa ? dict_mfa(env, w, at[0], at[1], arity) : 0;
        uint8_t *p = sb_ring_begin(&w->writer, SB_EV_stack, who, now, 0);
        if (p)
            sb_ring_end(&w->writer, SB_EV_stack,
                        PUT(p, w, stack, .mfa = id, .depth = depth, .frames = frames));
    }
    return done(w, SB_EV_stack, NULL);
}

/* The scheduler that the hot functions fill the ring of may be the one that the governor always runs on. A dirty
 * scheduler has a ring of its own; if that is full too, the governor tries again later. */
static NIF(no_room)
{
    bool is_normal = enif_thread_type() == ERL_NIF_THR_NORMAL_SCHEDULER;
    return is_normal ? enif_schedule_nif(env, "emit", ERL_NIF_DIRTY_JOB_IO_BOUND, nif_emit, argc, argv)
                     : am.full;
}

NIF(nif_emit)
{
    unsigned kind = find_tag(argv[0], EMIT);
    if (kind == SB_EV_stack)
        return emit_stack(env, argv);
    if (kind == SB_EV_none)
        return enif_make_badarg(env);
    RECORD(env, w, argv[1], sb_event_class[kind]);
    if (kind == SB_EV_counter && !sb_ring_has_room(&w->writer)) {
        capture_leave(w);
        return no_room(env, argc, argv);
    }
    uint8_t *p = sb_ring_begin(&w->writer, kind, who, now, 0);
    return done(w, kind, p ? put_emitted(env, w, kind, argv, p) : NULL);
}
