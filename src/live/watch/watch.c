#include "live/watch/watch.h"
#include "base/progress.h"
#include "live/attach/peer.h"
#include "live/drain/rings.h"
#include "trace/sbt/ring_read.h"
#include "trace/source.h"
#include "trace/text.h"
#include <poll.h>

enum {
    ASK_MS = 250,     /* the time between two questions */
    SWEEP_MOST = 400, /* processes a question: 1,600 a second, below a hundredth of a core */
    SWEEP_LEAST = 20,
    MEMORY_SWEEPS = 8,     /* one sweep of so many asks for the memory */
    SWEEP_QUESTIONS = 120, /* a sweep takes half a minute, with many processes longer */
    SHOWN_MOST = 200,
    LEAST_MS = 50, /* a shorter window would show chance */
    /* the share of a core that events may cost, in parts per thousand, by the node's own measurement. That is made
     * with warm caches; in a node that does other work they cost more */
    EVENTS_PERMILLE = 10
};

/* on ──(too many events)──> paused ──(time)──> resuming ──(the node's answer)──> on */
enum phase { ON, PAUSED, RESUMING };

struct sb_watch_inside {
    struct sb_peer *node;
    struct sb_rings_map map;
    struct sb_ring_reader *reader;
    struct sb_events *held; /* by ring: read, but of the next window */
    int64_t interval_ns, asked_ns;
    bool awaits;           /* an answer */
    bool asks_shown;       /* the question was about the processes in view */
    uint32_t shown_window; /* they are asked about once a window, and when they change */
    bool shown_changed;
    enum phase phase;
    int64_t resume_ns;       /* when the tracing goes on */
    uint64_t cost_before_ns; /* of the events before this window */
    uint64_t lost_before;
    bool entries; /* the sweep asks for entries: the first one, and one after a loss */
    unsigned sweeps;
    SB_VEC(sb_actor) shown;
    sb_actor opened;
    struct sb_arena facts;
};

/* ---- events */

/* Adds the events before `to_ns` of a batch, and holds the others back. Returns false at the first of these. */
static bool
add_events(struct sb_watch *w, unsigned ring, const struct sb_event *ev, size_t n, int64_t to_ns)
{
    size_t i = 0;
    for (; i < n && ev[i].at_ns < to_ns; i++)
        sb_tally_add(&w->tally, ring, &ev[i]);
    for (size_t k = i; k < n; k++)
        *SB_PUSH(&w->inside->held[ring]) = ev[k];
    return i == n;
}

static bool
add_held(struct sb_watch *w, unsigned ring, int64_t to_ns)
{
    struct sb_events *held = &w->inside->held[ring], all = *held;
    *held = (struct sb_events){0};
    bool more = add_events(w, ring, all.at, all.n, to_ns);
    SB_VEC_FREE(&all);
    return more;
}

static bool
read_ring(struct sb_watch *w, unsigned ring, int64_t to_ns, struct sb_err *e)
{
    const struct sb_event *ev;
    size_t n;
    bool more = add_held(w, ring, to_ns);
    while (more) {
        SB_TRY(sb_ring_reader_next(w->inside->reader, ring, &ev, &n, e));
        if (n == 0)
            return true;
        more = add_events(w, ring, ev, n, to_ns);
    }
    return true;
}

static void
end_window(struct sb_watch *w, int64_t to_ns)
{
    uint64_t lost = sb_ring_reader_lost(w->inside->reader);
    sb_tally_end_window(&w->tally, to_ns);
    w->lost = lost - w->inside->lost_before;
    w->inside->lost_before = lost;
    w->inside->entries |= w->lost > 0;
    w->windows++;
}

/* The end of a window that has cost too much: the tracing pauses until the share is right. */
static bool
pause_tracing(struct sb_watch *w, int64_t from_ns, int64_t cost_ns, struct sb_err *e)
{
    int64_t rest = cost_ns * (1000 / EVENTS_PERMILLE);
    w->inside->phase = PAUSED;
    w->inside->resume_ns = from_ns + (rest > w->inside->interval_ns ? rest : w->inside->interval_ns);
    return sb_peer_trace(w->inside->node, false, e);
}

static bool
end_window_in_time(struct sb_watch *w, int64_t now, struct sb_err *e)
{
    struct sb_watch_inside *in = w->inside;
    int64_t from = w->tally.from_ns;
    int64_t cost = (int64_t)(sb_ring_reader_cost_ns(in->reader) - in->cost_before_ns);
    bool whole = now - from >= in->interval_ns, costly = cost >= in->interval_ns / 1000 * EVENTS_PERMILLE;
    if (in->phase != ON || !(whole || (costly && now - from >= (int64_t)LEAST_MS * 1000000)))
        return true;
    end_window(w, now);
    w->paused = cost > (now - from) / 1000 * EVENTS_PERMILLE;
    in->cost_before_ns += (uint64_t)cost;
    return !w->paused || pause_tracing(w, from, cost, e);
}

static bool
resume_in_time(struct sb_watch *w, int64_t now, struct sb_err *e)
{
    struct sb_watch_inside *in = w->inside;
    if (in->phase != PAUSED || now < in->resume_ns)
        return true;
    in->phase = RESUMING;
    return sb_peer_trace(in->node, true, e);
}

/* The node traces again, since a moment ago. */
static void
resumed(struct sb_watch *w)
{
    if (w->inside->phase != RESUMING) /* the answer to the pause */
        return;
    sb_tally_begin_window(&w->tally, sb_clock_ns());
    w->inside->cost_before_ns = sb_ring_reader_cost_ns(w->inside->reader);
    w->inside->phase = ON;
}

/* What the node has begun to trace belongs to a window whose beginning is not known before its answer. */
static bool
read_rings(struct sb_watch *w, struct sb_err *e)
{
    int64_t now = sb_clock_ns();
    for (unsigned i = 0; w->inside->phase != RESUMING && i < w->inside->map.rings->n_rings; i++)
        SB_TRY(read_ring(w, i, now, e));
    return end_window_in_time(w, now, e) && resume_in_time(w, now, e);
}

/* ---- answers of the node */

static int64_t
number(struct sb_str s)
{
    int64_t v;
    return sb_str_to_i64(s, &v) && v >= 0 ? v : SB_TALLY_UNKNOWN;
}

static uint32_t
function(struct sb_watch *w, struct sb_str m, struct sb_str f, struct sb_str arity)
{
    uint64_t n;
    if (!sb_str_to_u64(arity, &n) || n > 255)
        return 0;
    return sb_names_mfa(w->names,
                        (struct sb_mfa){sb_names_atom(w->names, m), sb_names_atom(w->names, f), (uint32_t)n});
}

static void
set_label(struct sb_tally_process *p, struct sb_str label)
{
    if (label.n == 0 || (p->label && sb_str_eq(sb_str_of(p->label), label)))
        return;
    p->label = sb_realloc_or_die(p->label, label.n + 1);
    memcpy(p->label, label.p, label.n);
    p->label[label.n] = 0;
}

/* PID MEMORY MAILBOX NAME MODULE FUNCTION ARITY LABEL */
static void
take_process(struct sb_watch *w, struct sb_str line)
{
    sb_actor who;
    if (!sb_text_actor(sb_str_cut(&line, '\t'), w->names, 0, &who) || who == 0)
        return;
    struct sb_tally_process *p = sb_tally_process(&w->tally, who);
    struct sb_str memory = sb_str_cut(&line, '\t');
    if (memory.n > 0) {
        p->memory = number(memory);
        p->ran = false;
    }
    p->mailbox = number(sb_str_cut(&line, '\t'));
    struct sb_str name = sb_str_cut(&line, '\t'), m = sb_str_cut(&line, '\t'), f = sb_str_cut(&line, '\t');
    uint32_t entry = function(w, m, f, sb_str_cut(&line, '\t'));
    p->name = name.n ? sb_names_atom(w->names, name) : 0;
    p->entry = p->entry ? p->entry : entry;
    set_label(p, line);
}

static void
take_fact(struct sb_watch *w, struct sb_str line)
{
    struct sb_str key = sb_arena_str(&w->inside->facts, sb_str_cut(&line, '\t'));
    *SB_PUSH(&w->facts) = (struct sb_watch_fact){key, sb_arena_str(&w->inside->facts, line)};
}

/* An answer may be about the process that was open when the question was asked. */
static void
forget_facts_of_another(struct sb_watch *w)
{
    sb_actor who = 0;
    if (w->facts.n > 0)
        sb_text_actor(w->facts.at[0].value, w->names, 0, &who);
    if (who != w->inside->opened)
        w->facts.n = 0;
}

static void
take_lines(struct sb_watch *w, struct sb_str lines)
{
    if (w->inside->asks_shown) {
        sb_arena_reset(&w->inside->facts);
        w->facts.n = 0;
    }
    while (lines.n > 0) {
        struct sb_str line = sb_str_cut(&lines, '\n'), kind = sb_str_cut(&line, '\t');
        if (sb_str_eq(kind, SB_STR("p")))
            take_process(w, line);
        else if (sb_str_eq(kind, SB_STR("f")))
            take_fact(w, line);
        else if (sb_str_eq(kind, SB_STR("e"))) {
            sb_tally_end_sweep(&w->tally);
            w->inside->entries = false;
            w->inside->sweeps++;
            w->swept = true;
        }
    }
    forget_facts_of_another(w);
}

static bool
take_answers(struct sb_watch *w, struct sb_err *e)
{
    struct sb_watch_inside *in = w->inside;
    struct pollfd p = {.fd = in->node->link.fd, .events = POLLIN};
    while (poll(&p, 1, 0) > 0) {
        struct sb_str text;
        enum sb_peer_reply kind;
        SB_TRY(sb_peer_take_answer(in->node, &kind, &text, e));
        if (kind == SB_PEER_TRACED)
            resumed(w);
        if (kind != SB_PEER_WATCHED)
            continue;
        take_lines(w, text);
        in->awaits = false;
        w->answers += in->asks_shown;
    }
    return true;
}

/* ---- questions */

static unsigned long
processes_of_a_question(const struct sb_watch *w)
{
    size_t n = w->tally.process.n / SWEEP_QUESTIONS;
    return !w->swept || n > SWEEP_MOST ? SWEEP_MOST : n < SWEEP_LEAST ? SWEEP_LEAST : n;
}

/* The memory of a process that has not run is what it was. */
static bool
needs_memory(const struct sb_watch *w, sb_actor who)
{
    const struct sb_tally_process *p = sb_tally_find(&w->tally, who);
    return !p || p->memory == SB_TALLY_UNKNOWN || p->ran;
}

/* Of most sweeps only the mailboxes are wanted, for which no process is woken. */
static const char *
what_of_a_sweep(const struct sb_watch *w)
{
    bool entry = !w->swept || w->inside->entries, memory = w->inside->sweeps % MEMORY_SWEEPS == 0;
    return entry ? memory ? "entry,memory" : "entry" : memory ? "memory" : "";
}

/* The processes in view and the one that is opened, as the questions name them. */
static void
name_shown(struct sb_watch *w, struct sb_arena *a, struct sb_str *pids, struct sb_str *opened)
{
    struct sb_watch_inside *in = w->inside;
    in->asks_shown = in->shown_changed || in->shown_window != w->windows;
    if (!in->asks_shown)
        return;
    for (size_t i = 0; i < in->shown.n; i++)
        *pids = sb_arena_printf(a, "%.*s%s%s%.*s", SB_STR_ARG(*pids), i ? "," : "",
                                needs_memory(w, in->shown.at[i]) ? "+" : "",
                                SB_STR_ARG(sb_names_actor(w->names, in->shown.at[i], a)));
    if (in->opened)
        *opened = sb_names_actor(w->names, in->opened, a);
    in->shown_changed = false;
    in->shown_window = w->windows;
}

static bool
ask(struct sb_watch *w, struct sb_err *e)
{
    struct sb_arena a;
    struct sb_str pids = {0}, opened = {0};
    sb_arena_init(&a);
    name_shown(w, &a, &pids, &opened);
    struct sb_peer_sweep sweep = {processes_of_a_question(w), what_of_a_sweep(w)};
    bool ok = sb_peer_watch(w->inside->node, pids, &sweep, opened, e);
    sb_arena_close(&a);
    w->inside->awaits = true;
    w->inside->asked_ns = sb_clock_ns();
    return ok;
}

static bool
ask_in_time(struct sb_watch *w, struct sb_err *e)
{
    int64_t since = sb_clock_ns() - w->inside->asked_ns;
    w->unanswered_ns = w->inside->awaits ? since : 0;
    return w->inside->awaits || since < (int64_t)ASK_MS * 1000000 || ask(w, e);
}

void
sb_watch_show(struct sb_watch *w, const sb_actor *who, size_t n)
{
    struct sb_watch_inside *in = w->inside;
    n = n < SHOWN_MOST ? n : SHOWN_MOST;
    in->shown_changed |= n != in->shown.n || (n > 0 && memcmp(in->shown.at, who, n * sizeof *who) != 0);
    in->shown.n = 0;
    for (size_t i = 0; i < n; i++)
        *SB_PUSH(&in->shown) = who[i];
}

void
sb_watch_open_process(struct sb_watch *w, sb_actor who)
{
    if (w->inside->opened == who)
        return;
    w->facts.n = 0;
    w->inside->opened = who;
    w->inside->shown_changed = true;
    sb_tally_watch(&w->tally, who, sb_clock_ns());
}

/* ---- */

bool
sb_watch_step(struct sb_watch *w, struct sb_err *e)
{
    return read_rings(w, e) && take_answers(w, e) && ask_in_time(w, e) && sb_peer_beat(w->inside->node, e);
}

bool
sb_watch_open(struct sb_watch *w, const struct sb_attached *of, int64_t interval_ns, struct sb_err *e)
{
    struct sb_watch_inside *in = sb_realloc_or_die(NULL, sizeof *in);
    *in = (struct sb_watch_inside){.node = of->node, .interval_ns = interval_ns};
    *w = (struct sb_watch){.inside = in};
    sb_arena_init(&in->facts);
    if (!sb_rings_open(&in->map, of->rings, e)) {
        sb_watch_close(w);
        return false;
    }
    in->reader = sb_ring_reader_open(in->map.rings);
    in->shown_changed = true;
    in->held = sb_realloc_or_die(NULL, sizeof *in->held * in->map.rings->n_rings);
    memset(in->held, 0, sizeof *in->held * in->map.rings->n_rings);
    w->names = sb_ring_reader_names(in->reader);
    sb_tally_init(&w->tally, w->names, sb_clock_ns());
    return true;
}

void
sb_watch_close(struct sb_watch *w)
{
    struct sb_watch_inside *in = w->inside;
    for (unsigned i = 0; in->held && i < in->map.rings->n_rings; i++)
        SB_VEC_FREE(&in->held[i]);
    free(in->held);
    if (in->reader) {
        sb_tally_close(&w->tally);
        sb_ring_reader_close(in->reader);
    }
    sb_rings_close(&in->map);
    SB_VEC_FREE(&in->shown);
    SB_VEC_FREE(&w->facts);
    sb_arena_close(&in->facts);
    free(in);
}
