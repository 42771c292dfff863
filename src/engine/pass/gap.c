/*
 * Runnable or waiting? A trace without system_profile does not record why a process was off. The first rule
 * that applies decides:
 *
 *   1. it went from a normal scheduler to a dirty one, or came back from work there: a hand-over. Only a
 *      process that went to a dirty scheduler to collect garbage may have waited afterwards
 *   2. it is new: runnable since its spawn
 *   3. the function that it was scheduled out in has no receive: it was preempted, runnable all along.
 *      If the function itself is unknown, rules 5 and 7 hold for a process that was seen not to be runnable,
 *      or that fetches a message or a timeout that came just before; else the gap is unknown
 *   4. a message was already in its mailbox: the same, unless it sleeps regardless of messages
 *   5. a message was sent to it, or a process that it is linked to or monitors ended: it waited until
 *      then and was runnable from then on
 *   6. it continues with work, or polls with `after 0`: most likely it was preempted. A hibernated process
 *      waited, unless it took no message when it was back
 *      A process that sends to another node was suspended, unless it was put back
 *   7. no event woke it (a timer, a port), or a message of another node did, whose arrival has no event: it waited,
 *      and was runnable for about its usual time from waking to running, and not before that message was sent
 *
 * Rules 3 to 5 are certain, except for exits, whose signals may arrive late. Rules 6 and 7 are guesses, and
 * their bounds say so. No event shows that a process is suspended, so even a certain verdict on a long gap
 * needs the support of run-queue samples. Samples may contradict any of these rules (weigh), and they bound
 * the guesses.
 */
#include "engine/world/actors.h"
#include "engine/world/control.h"
#include "engine/pass/mail.h"
#include "engine/pass/pass.h"
#include "engine/world/quiet.h"
#include "engine/pass/stay.h"
#include "engine/pass/wake.h"
#include "engine/world/waits.h"

enum {
    POLL_NS = 1000000, /* timers take at least this long */
    SLACK_NS = 1000000,
    /* a scheduler needs 1 to 5 us to put a process into its queue and take it out again */
    PUT_BACK_NS = 20000,
    LONG_NS = 100000000,
    JUST_NS = 200000, /* a message this long before the end of a gap is the likely cause */
};

static __attribute__((noinline)) struct sb_place *
new_place(struct sb_proc *p, uint32_t fn)
{
    SB_RESERVE_FEW(&p->places, 1);
    p->places.at[p->places.n++] = (struct sb_place){.fn = fn};
    return &p->places.at[p->places.n - 1];
}

static struct sb_place *
place_of(struct sb_proc *p, uint32_t fn)
{
    for (size_t i = 0; i < p->places.n; i++)
        if (p->places.at[i].fn == fn)
            return &p->places.at[i];
    return new_place(p, fn);
}

/* Preempted, certainly or most likely. */
static void
perhaps(struct sb_wake *v, int64_t dur, bool surely)
{
    sb_wake_runnable(v, dur, SB_CAUSE_PREEMPTED);
    v->low = surely ? dur : 0;
}

/* It was scheduled out in a function without a receive. If its scheduler only put it back into the queue,
 * as for each trap of a BIF, it was runnable but need not have waited for another process. */
static void
preempted(struct sb_wake *v, const struct sb_gap *g)
{
    int64_t dur = g->to - g->from;
    perhaps(v, dur, !g->returns || dur >= PUT_BACK_NS);
}

static void
unknown(struct sb_wake *v, int64_t dur)
{
    v->unknown = v->high = dur;
}

/* No `receive` runs on a dirty scheduler. A process that leaves one in a function that waits went there to
 * collect garbage, and may be waiting again. */
static bool
is_handover(const struct sb_gap *g, enum sb_waits_kind kind)
{
    return g->crosses && (g->to_dirty || kind < SB_WAITS_ALWAYS);
}

static void
handover(struct sb_wake *v, int64_t dur)
{
    v->handover = dur;
    v->cause = SB_CAUSE_HANDOVER;
}

/* Estimates the time from waking to running: each observation moves it a step towards the median. */
static void
learn_delay(struct sb_stay *s, int64_t ns)
{
    if (s->delay_ns == 0)
        s->delay_ns = SB_WAKE_DELAY_NS;
    int64_t step = s->delay_ns / 16 + 1;
    s->delay_ns += ns > s->delay_ns ? step : ns < s->delay_ns ? -step : 0;
}

static bool
is_work(const struct sb_event *next)
{
    switch (next ? next->kind : SB_EV_none) {
    case SB_EV_send:
    case SB_EV_send_dead:
    case SB_EV_call:
    case SB_EV_spawn:
        return true;
    default:
        return false;
    }
}

static bool
can_wait(enum sb_waits_kind kind, const struct sb_event *next)
{
    bool may = kind == SB_WAITS_UNKNOWN || kind == SB_WAITS_BOTH;
    return kind >= SB_WAITS_ALWAYS ||
           (may && (next == NULL || sb_wake_is_fetch(next) || next->kind == SB_EV_exit));
}

/* A process that is woken takes a message first; one that does not had mail when it hibernated. */
static bool
lay_awake(const struct sb_gap *g, const struct sb_event *next)
{
    return next && next->kind == SB_EV_out && next->out.mfa != g->fn;
}

/* Messages in the mailbox did not end the wait: `receive after T` matched none of them. */
static bool
is_deaf(enum sb_waits_kind kind, const struct sb_gap *g, const struct sb_event *next)
{
    return kind == SB_WAITS_DEAF || (sb_wake_is_timeout(next) && g->to - g->from >= POLL_NS);
}

/*
 * An elapsed `after` that nothing else explains. A timer takes at least a millisecond, but `after 0` never
 * waits, and a process that polls with it, or yields in between, may be preempted for as long. Most gaps of a
 * place decide which of the two it is: a gap that ended at once was no wait for a timer.
 */
static void
elapsed(struct sb_wake *v, struct sb_proc *p, const struct sb_event *next)
{
    const struct sb_gap *g = &p->stay.gap;
    int64_t dur = g->to - g->from;
    struct sb_place *place = place_of(p, g->fn);
    bool polls = g->timeouts > 0 && place->short_gaps > place->long_gaps;
    if (dur < POLL_NS) {
        place->short_gaps++;
        perhaps(v, dur, false);
    } else {
        place->long_gaps++;
        if (polls)
            perhaps(v, dur, false);
        else
            sb_wake_unexplained(v, &p->stay, next);
    }
}

/* All queues were empty at some moment: the process was not runnable, so it waited. A process on its way from a queue
 * to a scheduler is runnable then, but comes back at once. */
static bool
was_seen_waiting(const struct sb_run *r, const struct sb_proc *p)
{
    const struct sb_gap *g = &p->stay.gap;
    int64_t first, last;
    return sb_quiet_between(r->quiet, sb_actor_node(p->actor), g->from + SLACK_NS, g->to - SLACK_NS, &first,
                            &last);
}

/* The function is unknown. The process may have been preempted even if an event seems to have woken it. */
static void
unseen(struct sb_wake *v, const struct sb_run *r, struct sb_proc *p, const struct sb_event *next)
{
    const struct sb_gap *g = &p->stay.gap;
    int64_t dur = g->to - g->from;
    bool waited = was_seen_waiting(r, p), found = sb_wake_find(r, p, next, v);
    if (found && (waited || (sb_wake_is_fetch(next) && v->runnable <= JUST_NS))) {
        v->low = 0;
        v->high = dur;
    } else if (waited || (sb_wake_is_timeout(next) && dur >= POLL_NS)) {
        *v = (struct sb_wake){0};
        sb_wake_unexplained(v, &p->stay, next);
    } else {
        *v = (struct sb_wake){0};
        unknown(v, dur);
    }
}

/* The sender of a large message to another node is off after each piece: put back into the queue at once, or suspended
 * while the buffer of the connection is full. No message wakes it. */
static void
sends_on(struct sb_wake *v, const struct sb_stay *s)
{
    sb_wake_unexplained(v, s, NULL), v->cause = SB_CAUSE_BUSY;
    if (v->high < PUT_BACK_NS)
        *v = (struct sb_wake){.runnable = v->high, .high = v->high, .cause = SB_CAUSE_PREEMPTED};
}

/* The trace ended during the gap. In a function that only waits, the process certainly waited until
 * something woke it. */
static void
unended(struct sb_wake *v, const struct sb_run *r, const struct sb_proc *p)
{
    const struct sb_gap *g = &p->stay.gap;
    int64_t dur = g->to - g->from;
    enum sb_waits_kind kind = sb_waits_of(r->waits, g->fn);
    bool unsure = kind == SB_WAITS_UNSEEN || kind == SB_WAITS_BUSY;
    bool waits = kind >= SB_WAITS_ALWAYS || (unsure && was_seen_waiting(r, p));
    if (!waits || g->spawn || (g->had_mail && kind != SB_WAITS_DEAF))
        unknown(v, dur);
    else if (sb_wake_find(r, p, NULL, v)) {
        v->wait = dur - v->high;
        v->runnable = v->low = 0;
        unknown(v, dur - v->wait);
    } else
        v->wait = dur;
}

static void
judge(struct sb_wake *v, const struct sb_run *r, struct sb_proc *p, const struct sb_event *next)
{
    struct sb_stay *s = &p->stay;
    const struct sb_gap *g = &s->gap;
    int64_t dur = g->to - g->from;
    bool receives = sb_recorded(r, SB_MESSAGES) && !sb_waits_see_none(r->waits);
    enum sb_waits_kind kind = sb_waits_of(r->waits, g->fn);
    if (g->unended)
        unended(v, r, p);
    else if (is_handover(g, kind))
        handover(v, dur);
    else if (g->spawn)
        sb_wake_runnable(v, dur, SB_CAUSE_SPAWN);
    else if (!receives && kind == SB_WAITS_UNKNOWN)
        unknown(v, dur);
    else if (kind == SB_WAITS_BUSY)
        sends_on(v, s);
    else if (g->had_mail && !is_deaf(kind, g, next))
        sb_wake_runnable(v, dur, SB_CAUSE_PREEMPTED);
    else if (receives && kind == SB_WAITS_HIBERNATES && lay_awake(g, next))
        sb_wake_runnable(v, dur, SB_CAUSE_PREEMPTED);
    else if (kind == SB_WAITS_UNSEEN)
        unseen(v, r, p, next);
    else if (kind == SB_WAITS_NEVER)
        preempted(v, g);
    else if (!can_wait(kind, next))
        perhaps(v, dur, kind != SB_WAITS_BOTH);
    else if (sb_wake_find(r, p, next, v)) {
        if (!v->abroad)
            learn_delay(s, v->runnable);
    } else if (kind >= SB_WAITS_SLEEPS)
        sb_wake_unexplained(v, s, next);
    else if (receives && is_work(next))
        perhaps(v, dur, false);
    else if (sb_wake_is_timeout(next))
        elapsed(v, p, next);
    else
        sb_wake_unexplained(v, s, next);
}

/*
 * Returns how much of [ready, to) is certain. No event shows that a process is suspended, or that it only
 * handles signals while it waits: both look like preemption. So the lower bound counts time that samples
 * support. A gap too short for samples counts in full, so each time that a process is suspended the bound may
 * be too high by at most 25 ms. Without samples of run queues, a gap counts if it is shorter than 100 ms.
 */
static int64_t
supported(const struct sb_run *r, unsigned node, int64_t ready, int64_t to)
{
    if (to - ready <= SB_QUIET_APART_NS || (!sb_recorded(r, SB_VM) && to - ready < LONG_NS))
        return to - ready;
    return sb_quiet_occupied(r->quiet, node, ready, to);
}

/*
 * A runnable process is in a run queue. If samples saw all queues of the node empty during the gap, the
 * process was not runnable then: it was suspended, or hibernated, or woken later than it seems. One such
 * moment may be a process taken out of its queue by a thread that lost its core, so the time only becomes
 * uncertain. Between the first and the last of several, the process was not runnable.
 */
static void
weigh(struct sb_wake *v, const struct sb_run *r, const struct sb_proc *p)
{
    const struct sb_gap *g = &p->stay.gap;
    int64_t ready = g->to - v->runnable, first, last;
    unsigned node = sb_actor_node(p->actor);
    if (v->cause == SB_CAUSE_SPAWN || v->unknown > 0)
        return;
    if (v->high > v->runnable && v->wait > 0 &&
        sb_quiet_between(r->quiet, node, g->from, ready, &first, &last)) {
        int64_t high = g->to - last + SLACK_NS;
        v->high = high < v->high ? high : v->high;
    }
    if (!sb_quiet_between(r->quiet, node, ready + SLACK_NS, g->to, &first, &last)) {
        int64_t most = supported(r, node, ready, g->to);
        v->low = v->low < most ? v->low : most;
        return;
    }
    v->low = 0;
    if (last - first < SLACK_NS)
        return;
    v->high = v->runnable - (last - first);
    v->runnable = p->stay.delay_ns ? p->stay.delay_ns : SB_WAKE_DELAY_NS;
    v->runnable = v->runnable < g->to - last ? v->runnable : g->to - last;
    v->wait = g->to - g->from - v->runnable;
    v->cause = SB_CAUSE_UNKNOWN;
    v->waker = 0;
}

static void
write_gap(struct sb_part *x, struct sb_proc *p, int64_t from, int64_t decided, const struct sb_wake *v)
{
    static const uint8_t word[] = {[SB_CAUSE_UNKNOWN] = SB_W_unknown,     [SB_CAUSE_MESSAGE] = SB_W_message,
                                   [SB_CAUSE_EXIT] = SB_W_exit,           [SB_CAUSE_SPAWN] = SB_W_spawn,
                                   [SB_CAUSE_PREEMPTED] = SB_W_preempted, [SB_CAUSE_TIMEOUT] = SB_W_timeout,
                                   [SB_CAUSE_HANDOVER] = SB_W_handover,   [SB_CAUSE_BUSY] = SB_W_busy};
    if (v->wait + v->handover + v->runnable + v->unknown == 0)
        return;
    struct sb_rows *rows = &x->rows[SB_T_gap];
    struct sb_gap_row *row = sb_row_put(x, SB_T_gap, decided, p);
    row->process = p->id;
    row->start = sb_rel(x->run, from);
    row->wait_ns = sb_cell(rows, v->wait);
    row->runnable_ns = sb_cell(rows, v->runnable);
    row->unknown_ns = sb_cell(rows, v->unknown);
    row->low_ns = sb_cell(rows, v->low);
    row->high_ns = sb_cell(rows, v->high);
    row->handover_ns = sb_cell(rows, v->handover);
    row->cause = x->run->words.of[word[v->cause]];
    row->waker = sb_cell_id(v->waker);
    int64_t waited = from + v->wait, ready = waited + v->handover, end = ready + v->runnable;
    const struct sb_part_span span[] = {
        {.from = from, .to = waited, .settled = decided, .state = SB_STATE_WAITING},
        {.from = waited, .to = ready, .settled = decided, .state = SB_STATE_HANDOVER},
        {.from = ready, .to = end, .settled = decided, .state = SB_STATE_RUNNABLE},
    };
    for (size_t i = 0; i < sizeof span / sizeof *span; i++)
        sb_span_put(x, p, span[i]);
    struct sb_stay *s = &p->stay;
    s->sum.wait_ns += v->wait;
    s->sum.handover_ns += v->handover;
    s->sum.runnable_ns += v->runnable;
    s->sum.low_ns += v->low;
    s->sum.high_ns += v->high;
}

/* The VM reported when the process became runnable; the cause is inferred from the events up to then. */
static void
judge_reported(struct sb_wake *v, const struct sb_run *r, const struct sb_proc *p,
               const struct sb_event *next)
{
    const struct sb_gap *g = &p->stay.gap;
    struct sb_wake seen = {0};
    v->wait = g->to - g->from;
    if (g->ready_at != SB_AT_UNKNOWN)
        sb_wake_at(v, g, g->ready_at, SB_CAUSE_UNKNOWN, 0);
    if (g->spawn)
        v->cause = SB_CAUSE_SPAWN;
    else if (v->wait == 0)
        v->cause = SB_CAUSE_PREEMPTED;
    else if (sb_wake_find(r, p, next, &seen) && seen.wait <= v->wait) {
        v->cause = seen.cause;
        v->waker = seen.waker;
    } else if (sb_wake_is_timeout(next))
        v->cause = SB_CAUSE_TIMEOUT;
}

void
sb_gap_close(struct sb_part *x, struct sb_proc *p, const struct sb_event *next, int64_t decided)
{
    const struct sb_gap *g = &p->stay.gap;
    struct sb_wake v = {0};
    if (x->run->facts.vm_truth)
        judge_reported(&v, x->run, p, next);
    else
        judge(&v, x->run, p, next), weigh(&v, x->run, p);
    write_gap(x, p, g->from, decided, &v);
    /* otherwise the VM's own reports fill the table */
    if (v.wait > 0 && g->fn && g->fn != SB_UNKNOWN32 && !x->run->facts.vm_truth)
        sb_place_add(p, g->fn, v.wait);
}

void
sb_gap_unknown(struct sb_part *x, struct sb_proc *p, int64_t from, int64_t to)
{
    if (from < x->run->axis.t0)
        from = x->run->axis.t0;
    struct sb_wake v = {.unknown = to > from ? to - from : 0};
    write_gap(x, p, from, to, &v);
}

void
sb_place_add(struct sb_proc *p, uint32_t fn, int64_t ns)
{
    struct sb_place *w = place_of(p, fn);
    w->count++;
    w->total += ns;
    w->max = ns > w->max ? ns : w->max;
    double d = (double)ns - w->mean;
    w->mean += d / (double)w->count;
    w->m2 += d * ((double)ns - w->mean);
}
