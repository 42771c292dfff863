#include "live/drain/flight.h"
#include "base/table.h"
#include "live/drain/flight_trace.h"
#include "live/drain/trigger.h"
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <unistd.h>

enum { CAUSES = 8, SLOT_LOOKS = 60 };
static const int64_t LATEST_NS = 1000000000; /* the window begins at least this long ago: see window.h */
static const int64_t ADVANCE_NS = 1000000000;
/* A node answers at its next tick, within 100 ms where it has time. */
static const int64_t STACKS_NS = 500000000;

struct lost { /* events of threads without a ring, between two looks */
    int64_t from_ns, at_ns;
    unsigned class;
    uint64_t events;
};

struct sb_flight {
    struct sb_flight_options o;
    struct sb_rings *rings;
    const char *trace;
    struct sb_window window;
    struct sb_triggers *triggers;
    int64_t advanced_ns;
    uint32_t asked; /* requests seen */
    struct sb_flight_cause cause[CAUSES];
    unsigned n_causes, n_writing; /* those that the trace being written is for come first */
    unsigned n_stacks;            /* that the node was asked for, until stacks_until_ns */
    int64_t stacks_until_ns;
    unsigned slot_looks[SB_ASKS];
    SB_VEC(struct lost) lost;
    uint64_t homeless[SB_CLASSES_MAX]; /* of the rings at the last look */
    struct sb_flight_trace writing;
    /* those that were written */
    char (*kept)[4096];
    unsigned n_kept;
    unsigned number;
};

/* ---- causes */

static void
add_cause(struct sb_flight *f, int64_t at_ns, int slot, const char *why, const char *path)
{
    if (f->n_causes == CAUSES)
        return;
    struct sb_flight_cause *c = &f->cause[f->n_causes++];
    c->at_ns = at_ns;
    c->slot = slot;
    snprintf(c->why, sizeof c->why, "%s", why);
    snprintf(c->path, sizeof c->path, "%s", path);
}

/* Asks the node for the stacks of processes; a trace waits for them for a while. */
static void
want_stacks(struct sb_flight *f, const struct sb_fired *of, int64_t now_ns)
{
    for (unsigned i = 0; i < SB_WANTED && f->n_stacks < SB_WANTED; i++)
        if (sb_actor_kind(of->about[i]) == SB_PID && sb_actor_node(of->about[i]) == 0) {
            atomic_store(&sb_ring_asks_of(f->rings)->wanted[f->n_stacks++], of->about[i]);
            f->stacks_until_ns = now_ns + STACKS_NS;
        }
}

/* What has no answer: a stack that was asked for, or a trigger, which may be held off. */
static void
take_told(struct sb_flight *f, const struct sb_ring_ask *a, int64_t at_ns, const char *why)
{
    bool is_stack = a->kind == SB_ASK_STACK;
    if (is_stack ? f->n_stacks > 0 : sb_triggers_log(f->triggers, at_ns))
        add_cause(f, at_ns, -1, why, "");
    f->n_stacks -= is_stack && f->n_stacks > 0;
}

static void
take_request(struct sb_flight *f, int slot, int64_t now_ns)
{
    struct sb_ring_ask *a = &sb_ring_asks_of(f->rings)->ask[slot];
    if (atomic_load_explicit(&a->state, memory_order_acquire) != SB_ASK_ASKED || f->n_causes == CAUSES)
        return;
    char why[SB_ASK_WHY], path[SB_ASK_TEXT]; /* copies, which the node cannot change */
    memcpy(why, a->why, sizeof why);
    memcpy(path, a->text, sizeof path);
    why[sizeof why - 1] = path[sizeof path - 1] = 0;
    if (!f->o.takes_paths)
        path[0] = 0;
    int64_t asked_ns = a->at_ns;
    int64_t at_ns = asked_ns < now_ns && asked_ns > f->window.from_ns ? asked_ns : now_ns;
    if (a->kind == SB_ASK_SNAPSHOT) {
        add_cause(f, at_ns, slot, why, path);
        atomic_store(&a->state, SB_ASK_SEEN);
        return;
    }
    take_told(f, a, at_ns, why);
    atomic_store_explicit(&a->state, SB_ASK_FREE, memory_order_release);
}

static void
take_requests(struct sb_flight *f, int64_t now_ns)
{
    uint32_t asked = atomic_load_explicit(&sb_ring_asks_of(f->rings)->asked, memory_order_acquire);
    if (asked == f->asked || f->n_causes == CAUSES)
        return;
    f->asked = asked;
    for (int i = 0; i < SB_ASKS; i++)
        take_request(f, i, now_ns);
}

/* Frees the slots of programs that were killed before they had asked or read the answer. */
static void
free_slots(struct sb_flight *f)
{
    for (int i = 0; i < SB_ASKS; i++) {
        struct sb_ring_ask *a = &sb_ring_asks_of(f->rings)->ask[i];
        uint32_t is = atomic_load(&a->state);
        bool stale = is == SB_ASK_TAKEN || is == SB_ASK_WRITTEN || is == SB_ASK_FAILED;
        f->slot_looks[i] = stale ? f->slot_looks[i] + 1 : 0;
        if (f->slot_looks[i] > SLOT_LOOKS)
            atomic_compare_exchange_strong(&a->state, &is, SB_ASK_FREE);
    }
}

/* ---- the window */

static void
count_homeless(struct sb_flight *f, int64_t now_ns)
{
    for (unsigned c = 0; c < SB_CLASSES_MAX; c++) {
        uint64_t n = atomic_load(&f->rings->dropped[c]);
        int64_t before = f->advanced_ns ? f->advanced_ns : f->window.layout->start_ns;
        struct lost l = {before, now_ns, c, n - f->homeless[c]};
        if (l.events)
            *SB_PUSH(&f->lost) = l;
        f->homeless[c] = n;
    }
    size_t n = 0;
    for (size_t i = 0; i < f->lost.n; i++)
        if (f->lost.at[i].at_ns >= f->window.from_ns)
            f->lost.at[n++] = f->lost.at[i];
    f->lost.n = n;
}

static void
advance(struct sb_flight *f, int64_t now_ns)
{
    int64_t from = sb_window_from(&f->window, f->o.max_bytes);
    from = from > now_ns - f->o.window_ns ? from : now_ns - f->o.window_ns;
    sb_window_advance(&f->window, from < now_ns - LATEST_NS ? from : now_ns - LATEST_NS);
    count_homeless(f, now_ns);
    free_slots(f);
    f->advanced_ns = now_ns;
}

void
sb_flight_put(struct sb_flight *f, const struct sb_sbt_block *b, const void *raw, uint64_t cpu_ns)
{
    sb_window_put(&f->window, b, raw, cpu_ns);
}

void
sb_flight_look(struct sb_flight *f, int64_t now_ns)
{
    struct sb_fired fired;
    sb_triggers_look(f->triggers, now_ns);
    while (sb_triggers_next(f->triggers, &fired)) {
        add_cause(f, fired.at_ns, -1, fired.why, "");
        want_stacks(f, &fired, now_ns);
    }
}

/* ---- the name of a trace */

/* Creates the unfinished file. It is new, so that a link which somebody has put there is not followed. */
static bool
create_part(struct sb_flight *f)
{
    int fd = open(f->writing.part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    sb_close(fd);
    return fd >= 0;
}

/* "T.sbt" -> "T.7.sbt": the first number from `number` on that no file has. The unfinished file reserves it. */
static bool
take_number(struct sb_flight *f, struct sb_err *e)
{
    struct sb_str t = sb_str_of(f->trace);
    if (sb_str_ends(t, SB_STR(".sbt")))
        t.n -= 4;
    for (unsigned tries = 0; tries < 100000; tries++) {
        snprintf(f->writing.path, sizeof f->writing.path, "%.*s.%u.sbt", SB_STR_ARG(t), ++f->number);
        snprintf(f->writing.part, sizeof f->writing.part, "%.4080s.part", f->writing.path);
        bool is_free = access(f->writing.path, F_OK) != 0;
        if (is_free && create_part(f))
            return true;
        if (is_free && errno != EEXIST)
            break;
    }
    return sb_err_errno(e, "create the trace");
}

static bool
take_name(struct sb_flight *f, struct sb_err *e)
{
    const char *given = f->cause[0].path;
    if (!*given)
        return take_number(f, e);
    snprintf(f->writing.path, sizeof f->writing.path, "%s", given);
    snprintf(f->writing.part, sizeof f->writing.part, "%.4080s.part", given);
    unlink(f->writing.part);
    return create_part(f) || sb_err_errno(e, "create the trace");
}

/* ---- writing */

/* The oldest of the traces goes when there are more than are to be kept. One with a name of its own does not count. */
static void
keep(struct sb_flight *f)
{
    if (f->n_kept == f->o.keep) {
        unlink(f->kept[0]);
        memmove(f->kept[0], f->kept[1], sizeof f->kept[0] * --f->n_kept);
    }
    snprintf(f->kept[f->n_kept++], sizeof f->kept[0], "%s", f->writing.path);
}

static bool
begin(struct sb_flight *f, const char *cwd, struct sb_err *e)
{
    SB_TRY(take_name(f, e) && sb_flight_trace_begin(&f->writing, f->cause, f->n_writing, cwd, e));
    for (size_t i = 0; i < f->lost.n; i++)
        sb_flight_trace_lost(&f->writing, (struct sb_sbt_gap){.from_ns = f->lost.at[i].from_ns,
                                                              .ring = UINT32_MAX,
                                                              .lane = SB_LANE_NONE,
                                                              .class_ = (uint16_t)f->lost.at[i].class,
                                                              .events = f->lost.at[i].events});
    return true;
}

/* One line to standard error, which is that of `strobe record` or of the node. */
static void
say(const struct sb_flight *f)
{
    fprintf(stderr, "strobe: %s: the last %s (%s events, %s): %s\n", f->writing.path,
            sb_human(f->writing.until_ns - f->window.from_ns, SB_U_NS).text,
            sb_human((int64_t)f->writing.totals.events, SB_U_COUNT).text,
            sb_human((int64_t)sb_sbt_bytes(f->writing.out), SB_U_BYTES).text, f->cause[0].why);
}

static void
end_causes(struct sb_flight *f, enum sb_ring_ask_state state, const char *text)
{
    for (unsigned i = 0; i < f->n_writing; i++)
        if (f->cause[i].slot >= 0)
            sb_ring_reply(f->rings, f->cause[i].slot, state, text);
    memmove(f->cause, f->cause + f->n_writing, sizeof *f->cause * (f->n_causes - f->n_writing));
    f->n_causes -= f->n_writing;
    f->n_writing = 0;
}

static void
failed(struct sb_flight *f, struct sb_err *e)
{
    char text[SB_ASK_TEXT];
    sb_err_in(e, f->writing.path, SB_NO_BYTE);
    snprintf(text, sizeof text, "%s", e->what);
    sb_err_advise(e, "make room there; the recorder goes on");
    sb_err_print(e, stderr);
    end_causes(f, SB_ASK_FAILED, text);
}

static void
write_some(struct sb_flight *f, uint64_t cpu_ns, const char *cwd)
{
    struct sb_err e = {.at_byte = SB_NO_BYTE};
    bool done = false, begun = f->writing.out != NULL;
    bool ok = begun ? sb_flight_trace_step(&f->writing, &done, &e) : begin(f, cwd, &e);
    if (ok && !done)
        return;
    if (ok && sb_flight_trace_finish(&f->writing, cpu_ns, &e)) {
        if (!f->cause[0].path[0]) { /* who gave it a name of its own says so */
            keep(f);
            say(f);
        }
        end_causes(f, SB_ASK_WRITTEN, f->writing.path);
    } else
        failed(f, &e);
    sb_flight_trace_end(&f->writing);
}

/* ---- steps */

bool
sb_flight_wants(struct sb_flight *f, int64_t now_ns)
{
    take_requests(f, now_ns);
    if (f->n_writing > 0 || f->n_causes == 0 || (f->n_stacks > 0 && now_ns < f->stacks_until_ns))
        return false;
    f->n_stacks = 0;
    f->n_writing = 1; /* a trace with a name of its own is of one cause */
    while (!f->cause[0].path[0] && f->n_writing < f->n_causes && !f->cause[f->n_writing].path[0])
        f->n_writing++;
    f->writing.until_ns = now_ns;
    return true;
}

bool
sb_flight_is_busy(const struct sb_flight *f)
{
    return f->n_writing > 0 || f->n_stacks > 0 || sb_triggers_wait(f->triggers);
}

void
sb_flight_step(struct sb_flight *f, int64_t now_ns, uint64_t cpu_ns, const char *cwd)
{
    if (f->n_writing == 0) {
        if (now_ns - f->advanced_ns >= ADVANCE_NS || f->window.bytes > f->o.max_bytes)
            advance(f, now_ns);
        return;
    }
    if (!f->writing.out)
        advance(f, f->writing.until_ns);
    write_some(f, cpu_ns, cwd);
}

void
sb_flight_finish(struct sb_flight *f, const char *why, int64_t now_ns, uint64_t cpu_ns, const char *cwd)
{
    while (f->n_writing > 0)
        sb_flight_step(f, now_ns, cpu_ns, cwd);
    f->n_stacks = 0;
    if (why)
        add_cause(f, now_ns, -1, why, "");
    if (sb_flight_wants(f, now_ns))
        while (f->n_writing > 0)
            sb_flight_step(f, now_ns, cpu_ns, cwd);
    atomic_store(&f->rings->flight, SB_FLIGHT_NONE);
}

/* "T.7.sbt" -> 7: the highest number of a trace that is there. */
static unsigned
highest_number(const char *trace)
{
    char pattern[4096];
    struct sb_str t = sb_str_of(trace);
    unsigned highest = 0;
    glob_t g;
    t.n -= sb_str_ends(t, SB_STR(".sbt")) ? 4 : 0;
    snprintf(pattern, sizeof pattern, "%.*s.[0-9]*.sbt", SB_STR_ARG(t));
    if (glob(pattern, 0, NULL, &g) == 0)
        for (size_t i = 0; i < g.gl_pathc; i++) {
            unsigned long n = strtoul(g.gl_pathv[i] + t.n + 1, NULL, 10);
            highest = n < UINT32_MAX / 2 && n > highest ? (unsigned)n : highest;
        }
    globfree(&g);
    return highest;
}

/* Whether no drain has taken anything from these rings yet. */
static bool
is_first(const struct sb_layout *l)
{
    for (unsigned i = 0; i < l->n_rings; i++)
        if (atomic_load(&sb_layout_ring(l, i)->tail) > 0)
            return false;
    return true;
}

bool
sb_flight_open(struct sb_flight **out, const struct sb_layout *l, const char *trace, int level,
               const struct sb_flight_options *o, struct sb_err *e)
{
    struct sb_flight *f = sb_realloc_or_die(NULL, sizeof *f);
    *f = (struct sb_flight){.o = *o, .rings = l->rings, .trace = trace};
    f->writing.window = &f->window;
    f->writing.level = level;
    f->asked = atomic_load(&sb_ring_asks_of(l->rings)->asked);
    f->kept = sb_realloc_or_die(NULL, sizeof *f->kept * (o->keep + 1));
    f->number = highest_number(trace);
    sb_window_init(&f->window, l, level);
    *out = f;
    if (!sb_triggers_open(&f->triggers, l, o->when, o->n_when, o->window_ns, e)) {
        sb_flight_close(f);
        *out = NULL;
        return false;
    }
    atomic_store(&l->rings->flight, is_first(l) ? SB_FLIGHT_ON : SB_FLIGHT_FORGOT);
    return true;
}

void
sb_flight_close(struct sb_flight *f)
{
    if (!f)
        return;
    sb_flight_trace_close(&f->writing);
    sb_window_close(&f->window);
    sb_triggers_close(f->triggers);
    SB_VEC_FREE(&f->lost);
    free(f->kept);
    free(f);
}
