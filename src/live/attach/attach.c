#include "live/attach/attach.h"
#include "base/file.h"
#include "base/signals.h"
#include "live/attach/check.h"
#include "live/attach/fetch.h"
#include "live/attach/rings_of.h"
#include "base/gone.h"
#include "live/drain/cpu.h"
#include "live/drain/cpu_code.h"
#include "live/record/drain_program.h"
#include <sys/wait.h>
#include <unistd.h>

enum { GONE_TRIES = 100, GONE_US = 20000 };

struct attach {
    const struct sb_attach_options *o;
    struct sb_arena *a;
    struct sb_peer node;
    struct sb_peer_facts facts;
    const struct way *way;
    const char *home, *modules,
        *priv;         /* folders: of this program, of the modules and libraries that it sends */
    const char *rings; /* NULL until they exist */
    bool is_here;      /* the rings of the node can be read from here */
    const char
        *obstacle; /* why the tracer cannot be loaded there: OTP's own trace port records; NULL: it can */
    int signals;
    struct sb_drain_program drain;
    bool asks_functions; /* the node has to tell where its functions are: the VM does not write it */
};

/* A way to take the events of a node. */
struct way {
    bool here;   /* the rings are read here */
    bool traced; /* by the tracer; else by OTP's own trace port, which does without rings */
    bool drains; /* with the drain of the node */
    void (*encode)(ei_x_buff *x, const struct attach *t); /* who reads the rings; NULL: nobody in the node */
    bool (*run)(struct attach *t, struct sb_err *e);
    bool (*read)(struct sb_recorded *v, const char *trace, const char *rings,
                 uint32_t os_pid); /* what was recorded; NULL: nothing */
};

/* ---- what the node needs */

static void
encode_text(ei_x_buff *x, const char *key, const char *value)
{
    ei_x_encode_tuple_header(x, 2);
    ei_x_encode_atom(x, key);
    ei_x_encode_binary(x, value, (int)strlen(value));
}

static void
encode_number(ei_x_buff *x, const char *key, uint64_t value)
{
    ei_x_encode_tuple_header(x, 2);
    ei_x_encode_atom(x, key);
    ei_x_encode_ulonglong(x, value);
}

static void
encode_classes(ei_x_buff *x, const struct sb_recording *what)
{
    encode_text(x, "trace", what->classes);
    encode_text(x, "modules", what->modules ? what->modules : "");
    encode_text(x, "apps", what->apps ? what->apps : "");
    if (what->flight)
        encode_text(x, "flight", "true");
    if (what->log)
        encode_text(x, "log", what->log);
}

static int
n_classes(const struct sb_recording *what)
{
    return 3 + what->flight + (what->log != NULL);
}

/* {drain, [Argument]}: the drain in the node does not compress. */
static void
encode_drain(ei_x_buff *x, const struct attach *t)
{
    const struct sb_record_options *o = t->o->how;
    const char *argument[] = {
        "--level",      "0",
        "--max-events", sb_arena_printf(t->a, "%llu", (unsigned long long)o->max_events).p,
        "--max-bytes",  sb_arena_printf(t->a, "%llu", (unsigned long long)o->max_bytes).p,
        "--max-ns",     sb_arena_printf(t->a, "%lld", (long long)o->what.max_ns).p};
    enum { N = sizeof argument / sizeof *argument };
    ei_x_encode_tuple_header(x, 2);
    ei_x_encode_atom(x, "drain");
    ei_x_encode_list_header(x, N);
    for (unsigned i = 0; i < N; i++)
        ei_x_encode_binary(x, argument[i], (int)strlen(argument[i]));
    ei_x_encode_empty_list(x);
}

/* {stream, {Events, Bytes}}: the limits of a recording by OTP's trace port */
static void
encode_stream(ei_x_buff *x, const struct attach *t)
{
    ei_x_encode_tuple_header(x, 2);
    ei_x_encode_atom(x, "stream");
    ei_x_encode_tuple_header(x, 2);
    ei_x_encode_ulonglong(x, t->o->how->max_events);
    ei_x_encode_ulonglong(x, t->o->how->max_bytes);
}

static void
encode_watched(ei_x_buff *x, const struct attach *t)
{
    encode_text(x, "watched", t->way->here ? "rings" : "pieces");
}

/* The part that records is one module, with all that it may call, but for what reads the rings in the node. */
static bool
send_parts(struct attach *t, struct sb_err *e)
{
    struct sb_push p;
    sb_push_init(&p);
    bool ok = sb_push_module(&p, t->modules, "strobe_nif", e);
    if (t->way->traced)
        ok = ok && sb_push_file(&p, t->priv, "strobe_nif.so", e);
    if (t->way->drains)
        ok = ok && sb_push_module(&p, t->modules, "strobe_drain_nif", e) &&
             sb_push_file(&p, t->priv, "strobe_drain_nif.so", e);
    ok = ok && sb_peer_push(&t->node, &p, e);
    sb_push_free(&p);
    return ok;
}

/* Whether a condition of the flight recorder is about the memory of the node, which must be sampled then. */
static bool
needs_memory(const struct attach *t)
{
    const struct sb_flight_options *f = &t->o->how->flight;
    for (unsigned i = 0; i < f->n_when; i++)
        if (sb_str_starts(sb_str_of(f->when[i]), SB_STR("memory")))
            return true;
    return false;
}

/* {record, [{Key, Value}]} */
static bool
start_session(struct attach *t, struct sb_err *e)
{
    const struct sb_recording *what = &t->o->how->what;
    struct sb_str rings;
    t->asks_functions = what->cpu_hz && t->way->here && !sb_cpu_has_map((uint32_t)t->facts.os_pid);
    SB_TERM(x);
    ei_x_encode_tuple_header(&x, 2);
    ei_x_encode_atom(&x, "record");
    ei_x_encode_list_header(&x, n_classes(what) + 1 + needs_memory(t) + t->asks_functions +
                                    (what->max_ns != 0) + (t->way->encode != NULL));
    encode_classes(&x, what);
    encode_number(&x, "bytes", what->buffer);
    if (needs_memory(t))
        encode_text(&x, "memory", "true");
    if (t->asks_functions)
        encode_number(&x, "code", 0);
    if (what->max_ns)
        encode_number(&x, "duration", (uint64_t)(what->max_ns + 999999) / 1000000);
    if (t->way->encode)
        t->way->encode(&x, t);
    ei_x_encode_empty_list(&x);
    SB_TRY(sb_peer_ask(&t->node, &x, SB_PEER_RECORDING, &rings, e));
    t->rings = rings.p;
    if (!t->way->here || access(t->rings, R_OK | W_OK) == 0)
        return true;
    sb_err_errno(e, "read the rings of the node");
    return sb_err_advise(e, "run strobe as the user of the node, or as root");
}

/* ---- the drain */

static void
take_signals(struct attach *t)
{
    if (sb_signals_ask_to_stop(t->signals) && t->drain.pid)
        kill(t->drain.pid, SIGTERM); /* it ends the recording */
}

static bool
reap(struct attach *t, struct sb_err *e)
{
    int status;
    return !t->drain.pid || waitpid(t->drain.pid, &status, WNOHANG) != t->drain.pid ||
           sb_drain_program_ended(&t->drain, status, t->o->how, t->a, e);
}

static void
begun(struct attach *t)
{
    const struct sb_line *l = &t->node.line;
    const char *functions = sb_arena_printf(t->a, SB_CPU_FUNCTIONS, t->rings).p;
    if (t->o->begun)
        t->o->begun(t->o->ctx, &(struct sb_attach_begun){
                                   .target = &l->target,
                                   .obstacle = t->obstacle,
                                   .lease_ms = l->type->lease_ms ? l->type->lease_ms(l) : 0,
                                   .lacks_functions = t->asks_functions && !t->o->how->what.cpu_told &&
                                                      access(functions, F_OK) != 0});
}

/* Until the drain has ended: by a limit, a signal, the end of the session, or that of the node. */
static bool
record_here(struct attach *t, struct sb_err *e)
{
    const struct sb_line *l = &t->node.line;
    const char *program = sb_arena_printf(t->a, "%s/strobe-drain", t->home).p;
    struct sb_err later = {.at_byte = SB_NO_BYTE};
    t->drain = (struct sb_drain_program){
        .path = program, .rings = t->rings, .trace = t->o->how->trace, .keeps_map = true};
    bool ok = sb_drain_program_start(&t->drain, t->o->how, t->a, e);
    if (ok)
        begun(t);
    while (t->drain.pid) {
        struct pollfd p[3] = {{.fd = t->signals, .events = POLLIN}};
        unsigned n = l->type->poll(l, p + 1);
        poll(p, 1 + n, SB_LINE_BEAT_MS);
        take_signals(t);
        bool readable = n > 0 && p[1].revents & (POLLIN | POLLHUP);
        if (l->type->is_open(l) && ok)
            ok = (!readable || sb_peer_take(&t->node, e)) && sb_peer_beat(&t->node, e);
        if (!reap(t, ok ? e : &later))
            ok = false;
    }
    return ok;
}

static bool
is_open(const struct attach *t)
{
    return t->node.line.type->is_open(&t->node.line);
}

static bool
is_gone(const struct attach *t)
{
    return t->is_here && t->facts.os_pid && sb_process_is_gone((pid_t)t->facts.os_pid);
}

/* The rings go when nobody reads them any more; the node removes their folder. */
static bool
watch(struct attach *t, struct sb_err *e)
{
    struct sb_attached of = {.node = &t->node,
                             .name = t->node.line.target.node,
                             .rings = t->is_here ? t->rings : NULL,
                             .signals = t->signals,
                             .os_pid = (uint32_t)t->facts.os_pid,
                             .schedulers = (unsigned)t->facts.schedulers};
    bool ok = t->o->watch(t->o->ctx, &of, e);
    for (int i = 0; !ok && !is_open(t) && !is_gone(t) && i < GONE_TRIES; i++)
        usleep(GONE_US); /* a node that ends closes its connections first */
    if (t->is_here)
        unlink(t->rings);
    return ok;
}

static bool
fetch(struct attach *t, struct sb_err *e)
{
    begun(t);
    struct sb_fetch f = {.node = &t->node, .signals = t->signals, .trace = t->o->how->trace};
    f.max_ns = t->o->how->what.max_ns;
    return sb_fetch(&f, e);
}

static const struct way rings_here = {.here = true,
                                      .traced = true,
                                      .run = record_here,
                                      .read = sb_recorded_read},
                        rings_there = {.traced = true,
                                       .drains = true,
                                       .encode = encode_drain,
                                       .run = fetch,
                                       .read = sb_recorded_read},
                        trace_port = {.encode = encode_stream, .run = fetch, .read = sb_recorded_read_otp},
                        watched_here = {.here = true, .traced = true, .encode = encode_watched, .run = watch},
                        watched_there = {
                            .traced = true, .drains = true, .encode = encode_watched, .run = watch};

static bool
record(struct attach *t, struct sb_err *e)
{
    if (t->way->read && !t->o->how->flight.window_ns)
        sb_recorded_keep_old(t->o->how->trace);
    return t->way->run(t, e);
}

static bool
set_up(struct attach *t, struct sb_err *e)
{
    t->signals = sb_signals_open(SB_SIGNALS_STOP_AND_CHILD);
    if (t->signals < 0)
        return sb_err_errno(e, "watch for signals");
    SB_TRY(sb_folder_home(t->a, &t->home, e));
    t->modules = sb_arena_printf(t->a, "%s/erlang/strobe/attach", t->home).p;
    t->priv = sb_arena_printf(t->a, "%s/erlang/strobe/priv", t->home).p;
    return true;
}

/* With --via the name of the node is not needed, but may be given to make sure. */
static bool
is_wanted(const struct attach *t, struct sb_err *e)
{
    const char *given = t->node.line.type->by_name ? NULL : t->o->target;
    if (!given || sb_str_eq(sb_str_of(given), t->node.line.target.node))
        return true;
    return sb_err_set(e, SB_ERR_INPUT, "the command of --via reaches %.*s, not %s",
                      SB_STR_ARG(t->node.line.target.node), given);
}

/* A table is made of the tracer's events, and a flight recorder keeps them in its rings. */
static bool
can_do_without_tracer(const struct attach *t, struct sb_err *e)
{
    bool flight = t->o->how->flight.window_ns > 0;
    if (!t->obstacle || (!t->o->watch && !flight))
        return true;
    sb_err_set(e, SB_ERR_INPUT, "the tracer cannot be loaded into %.*s: %s",
               SB_STR_ARG(t->node.line.target.node), t->obstacle);
    return sb_err_advise(e, "`strobe attach`%s may record it by OTP's own trace port",
                         flight ? " without --flight" : "");
}

static bool
prepare(struct attach *t, struct sb_err *e)
{
    SB_TRY(sb_peer_facts(&t->node, &t->facts, e) && is_wanted(t, e));
    t->is_here = sb_check_is_here(&t->facts);
    t->obstacle = sb_check_obstacle(&t->facts, &t->priv, t->a);
    t->way = t->o->watch   ? t->is_here ? &watched_here : &watched_there
             : t->obstacle ? &trace_port
             : t->is_here  ? &rings_here
                           : &rings_there;
    SB_TRY(can_do_without_tracer(t, e));
    if (t->o->how->flight.window_ns && !t->is_here) {
        sb_err_set(e, SB_ERR_INPUT, "a flight recorder needs rings that can be read from here");
        return sb_err_advise(e, "run strobe beside the node, as its user");
    }
    if (t->o->how->what.cpu_hz && !t->o->how->what.cpu_told && !t->way->here) {
        sb_err_set(e, SB_ERR_INPUT, "samples of the CPU need rings that can be read from here");
        return sb_err_advise(e, "run strobe beside the node, as its user");
    }
    if (!t->o->force)
        SB_TRY(sb_check_health(&t->facts, t->o->how->what.buffer, e));
    return send_parts(t, e) && start_session(t, e);
}

/* ---- results */

/* Removes the folder of a node that cannot do so any more. The drain has removed the rings by then. */
static void
remove_folder(struct attach *t, struct sb_attach_result *r)
{
    if (!t->rings || !t->way->here)
        return;
    char folder[4096];
    snprintf(folder, sizeof folder, "%s", t->rings);
    *strrchr(folder, '/') = 0;
    if (r->trace.complete || t->o->watch)
        unlink(t->rings);
    unlink(sb_arena_printf(t->a, SB_CPU_FUNCTIONS, t->rings).p);
    rmdir(folder);
    if (access(folder, F_OK) == 0)
        *SB_PUSH(&r->left) = sb_arena_printf(t->a, "folder %s", folder);
}

static void
collect(struct attach *t, struct sb_attach_result *r)
{
    r->node = t->node.line.target.node;
    if (!t->rings || !t->way->read || t->o->how->flight.window_ns)
        return;
    t->way->read(&r->trace, t->o->how->trace, t->is_here ? t->rings : NULL, (uint32_t)t->facts.os_pid);
    r->trace.drained_inside = !t->is_here;
}

static bool
drained(const struct attach *t, const struct sb_attach_result *r, struct sb_err *e)
{
    if (t->drain.status == 0)
        return true;
    if (r->trace.totals.stop == SB_STOP_DISK || r->trace.path)
        sb_err_set(e, SB_ERR_SYSTEM, "the trace could not be written to its end");
    else
        sb_err_set(e, SB_ERR_SYSTEM, "the trace could not be written");
    sb_err_advise(e, "see that its file system has room");
    return sb_err_in(e, t->o->how->trace, SB_NO_BYTE);
}

/* Ends the part in the node, if it can be reached. */
static bool
end(struct attach *t, struct sb_attach_result *r, struct sb_err *e)
{
    bool ok = is_open(t) && sb_peer_end(&t->node, &r->missing, e);
    r->compared = t->node.left_known;
    r->atoms = t->node.atoms_more;
    for (size_t i = 0; i < t->node.left.n; i++)
        *SB_PUSH(&r->left) = t->node.left.at[i];
    return ok;
}

static bool
attached(struct attach *t, struct sb_attach_result *r, struct sb_err *e)
{
    struct sb_err later = {.at_byte = SB_NO_BYTE};
    bool ok = prepare(t, e) && record(t, e);
    bool ended = end(t, r, ok ? e : &later);
    collect(t, r);
    remove_folder(t, r);
    if (t->rings && is_gone(t)) {
        sb_err_set(e, SB_ERR_SYSTEM, "%.*s ended while it was %s", SB_STR_ARG(t->node.line.target.node),
                   t->o->watch ? "watched" : "recorded");
        return !t->o->watch && sb_err_advise(e, "the trace goes up to that moment");
    }
    return ok && ended && drained(t, r, e);
}

/* A recorder of this machine records a node alone. */
static bool
is_free(const struct attach *t, struct sb_err *e)
{
    struct sb_rings_of by;
    const struct sb_target *of = &t->node.line.target;
    if (!of->beam.os_pid || !sb_rings_of_find(&by, of->beam.os_pid, t->a))
        return true;
    if (by.flight)
        return sb_err_set(e, SB_ERR_INPUT, "a flight recorder keeps the last events of %.*s already",
                          SB_STR_ARG(of->node)) ||
               sb_err_advise(e, "have them written: strobe snapshot %u", of->beam.os_pid);
    sb_err_set(e, SB_ERR_INPUT, "%.*s is recorded already%s%s", SB_STR_ARG(of->node),
               by.trace ? ", into " : "", by.trace ? by.trace : "");
    return sb_err_advise(e, "wait until that recording has ended");
}

bool
sb_attach(const struct sb_attach_options *o, struct sb_arena *a, struct sb_attach_result *r, struct sb_err *e)
{
    struct attach t = {.o = o, .a = a, .signals = -1};
    bool ok = set_up(&t, e) && sb_line_find(&t.node.line, o->target, o->via, a, e) && is_free(&t, e) &&
              sb_peer_open(&t.node, t.modules, e) && attached(&t, r, e);
    sb_peer_close(&t.node);
    sb_close(t.signals);
    return ok;
}

unsigned
sb_attached_poll(const struct sb_attached *of, struct pollfd p[2])
{
    return of->node ? of->node->line.type->poll(&of->node->line, p) : 0;
}
