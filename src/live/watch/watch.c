#include "live/watch/watch.h"
#include "base/progress.h"
#include "trace/text.h"

enum {
    ASK_MS = 250,     /* the time between two questions */
    SWEEP_MOST = 400, /* processes a question: 1,600 a second, below a hundredth of a core */
    SWEEP_LEAST = 20,
    MEMORY_SWEEPS = 8,     /* one sweep of so many asks for the memory */
    SWEEP_QUESTIONS = 120, /* a sweep takes half a minute, with many processes longer */
    SHOWN_MOST = 1000
};

struct sb_watch_inside {
    int64_t asked_ns;
    bool awaits;           /* an answer */
    bool asks_shown;       /* the question was about the processes in view */
    uint32_t shown_window; /* they are asked about once a window, and when they change */
    bool shown_changed;
    bool entries; /* the sweep asks for entries: the first one, and one after a loss */
    bool hurries;
    unsigned sweeps;
    SB_VEC(sb_actor) shown;
    sb_actor opened;
    struct sb_arena facts;
};

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
    while (w->windows.way->take) {
        struct sb_peer_answer a;
        SB_TRY(sb_peer_take_answer(w->windows.node, &a, e));
        if (a.kind == SB_PEER_OK)
            return true;
        SB_TRY(w->windows.way->take(&w->windows, &a, e));
        if (!a.has_lines)
            continue;
        take_lines(w, a.lines);
        in->awaits = false;
        w->answers += in->asks_shown;
    }
    return true;
}

/* ---- questions */

/* Where answers take long, each is about more processes. */
static unsigned long
processes_of_a_question(const struct sb_watch *w)
{
    enum { LONGEST = 16 };
    size_t n = w->tally.process.n / SWEEP_QUESTIONS;
    int64_t late = (sb_clock_ns() - w->inside->asked_ns) / 1000000 / ASK_MS;
    n = !w->swept || n > SWEEP_MOST ? SWEEP_MOST : n < SWEEP_LEAST ? SWEEP_LEAST : n;
    return n * (unsigned long)(late < 1 ? 1 : late > LONGEST ? LONGEST : late);
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
    bool entry = !w->swept || w->inside->entries;
    bool memory = w->inside->sweeps % MEMORY_SWEEPS == 0;
    if (w->inside->hurries)
        return entry ? "entry" : "";
    return entry ? memory ? "pauses,entry,memory" : "pauses,entry" : memory ? "pauses,memory" : "pauses";
}

/* The processes in view and the one that is opened, as the questions name them. */
static void
name_shown(struct sb_watch *w, struct sb_arena *a, struct sb_str *pids, struct sb_str *opened)
{
    struct sb_watch_inside *in = w->inside;
    in->asks_shown = in->shown_changed || in->shown_window != w->windows.n;
    if (!in->asks_shown)
        return;
    for (size_t i = 0; i < in->shown.n; i++)
        *pids = sb_arena_printf(a, "%.*s%s%s%.*s", SB_STR_ARG(*pids), i ? "," : "",
                                needs_memory(w, in->shown.at[i]) ? "+" : "",
                                SB_STR_ARG(sb_names_actor(w->names, in->shown.at[i], a)));
    if (in->opened)
        *opened = sb_names_actor(w->names, in->opened, a);
    in->shown_changed = false;
    in->shown_window = w->windows.n;
}

static bool
ask(struct sb_watch *w, struct sb_err *e)
{
    SB_ARENA(a);
    struct sb_peer_question q = {.processes = processes_of_a_question(w), .what = what_of_a_sweep(w)};
    name_shown(w, &a, &q.pids, &q.opened);
    bool ok = w->windows.way->ask(&w->windows, &q, e);
    w->inside->awaits = true;
    w->inside->asked_ns = sb_clock_ns();
    return ok;
}

static bool
ask_in_time(struct sb_watch *w, struct sb_err *e)
{
    if (!w->windows.way->ask)
        return true;
    int64_t since = sb_clock_ns() - w->inside->asked_ns;
    w->unanswered_ns = w->inside->awaits && since > w->windows.answer_ns ? since - w->windows.answer_ns : 0;
    bool early = since < (int64_t)ASK_MS * 1000000 && !w->inside->hurries;
    return w->inside->awaits || early || ask(w, e);
}

static uint32_t
atom_of(struct sb_watch *w, const struct sb_names *from, uint32_t atom)
{
    return atom ? sb_names_atom(w->names, sb_names_str(from, atom)) : 0;
}

static uint32_t
mfa_of(struct sb_watch *w, const struct sb_names *from, uint32_t mfa)
{
    struct sb_mfa f = mfa ? sb_names_mfa_of(from, mfa) : (struct sb_mfa){0};
    return mfa ? sb_names_mfa(w->names,
                              (struct sb_mfa){atom_of(w, from, f.m), atom_of(w, from, f.f), f.arity})
               : 0;
}

void
sb_watch_learn(struct sb_watch *w, const struct sb_tally *from)
{
    SB_ARENA(a);
    for (size_t i = 0; i < from->process.n; i++, sb_arena_reset(&a)) {
        const struct sb_tally_process *of = &from->process.at[i];
        sb_actor who;
        if (of->ended || !sb_text_actor(sb_names_actor(from->names, of->who, &a), w->names, 0, &who) ||
            who == 0)
            continue;
        struct sb_tally_process *p = sb_tally_process(&w->tally, who);
        p->name = p->name ? p->name : atom_of(w, from->names, of->name);
        p->entry = p->entry ? p->entry : mfa_of(w, from->names, of->entry);
    }
}

unsigned
sb_watch_schedulers(const struct sb_watch *w, const struct sb_attached *of)
{
    struct sb_err none = {.at_byte = SB_NO_BYTE};
    const struct sb_source_info *info = of->schedulers ? NULL : sb_ring_reader_info(w->windows.reader, &none);
    return info ? info->vm.schedulers : of->schedulers;
}

bool
sb_watch_asks(const struct sb_watch *w)
{
    return w->windows.way->ask != NULL;
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

/* A window that lacks events may lack births, so the next sweep asks for entries. */
static bool
step_windows(struct sb_watch *w, struct sb_err *e)
{
    uint32_t before = w->windows.n;
    SB_TRY(take_answers(w, e) && ask_in_time(w, e) && w->windows.way->step(&w->windows, e));
    w->inside->entries |= w->windows.n != before && w->windows.lost > 0;
    return true;
}

bool
sb_watch_step(struct sb_watch *w, struct sb_err *e)
{
    return step_windows(w, e) && (!w->windows.node || sb_peer_beat(w->windows.node, e));
}

bool
sb_watch_open(struct sb_watch *w, const struct sb_attached *of, const struct sb_watch_options *o,
              struct sb_err *e)
{
    struct sb_watch_inside *in =
        SB_HEAP(struct sb_watch_inside, .shown_changed = true, .hurries = o->hurries);
    *w = (struct sb_watch){.inside = in, .windows = {.interval_ns = o->interval_ns, .permille = o->permille}};
    if (!sb_windows_open(&w->windows, of, &w->tally, e)) {
        sb_watch_close(w);
        return false;
    }
    in->asked_ns = sb_clock_ns() - (int64_t)ASK_MS * 1000000;
    w->names = sb_ring_reader_names(w->windows.reader);
    return true;
}

void
sb_watch_close(struct sb_watch *w)
{
    struct sb_watch_inside *in = w->inside;
    sb_windows_close(&w->windows);
    SB_VEC_FREE(&in->shown);
    SB_VEC_FREE(&w->facts);
    sb_arena_close(&in->facts);
    free(in);
}
