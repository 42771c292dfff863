/*
 * Turns in, out, spawned, exit, active and inactive into slices and gaps.
 *
 *              spawned                 in                      exit
 *     UNSEEN ----------> OFF ----------------------> ON -----------------> GONE
 *        \--- in ------------------------------------^ \-- out --> OFF
 *
 * Lost events cause irregular sequences. A second `in` is ignored. An `out` of a process that is off means
 * that an `in` is missing, so the time before it is unknown. Events after the exit are the VM's clean-up. The
 * process's first own event after a gap decides what the gap was (gap.c), so the gap is pending until then.
 */
#include "engine/pass/stay.h"
#include "engine/pass/journal.h"
#include "engine/pass/mail.h"
#include "engine/world/lanes.h"
#include "engine/pass/pass.h"
#include "engine/pass/slice.h"
#include "trace/kind.h"

static sb_pass_fn on_in, on_out, on_spawned, on_exists, on_ended, on_active, on_inactive, on_act, on_receive,
    on_call, on_arrival, on_link_exit, on_loss, on_displaced;
static void finish(struct sb_part *x, struct sb_proc *p);

static const struct sb_on on[] = {
    {SB_EV_drop, SB_LOSS, on_loss},
    {SB_EV_in, SB_DISPLACED, on_displaced},
    {SB_EV_in_exiting, SB_DISPLACED, on_displaced},
    {SB_EV_in, SB_OWN, on_in},
    {SB_EV_in_exiting, SB_OWN, on_in},
    {SB_EV_out, SB_OWN, on_out},
    {SB_EV_out_exiting, SB_OWN, on_out},
    {SB_EV_out_exited, SB_OWN, on_out},
    {SB_EV_spawned, SB_OWN, on_spawned},
    {SB_EV_spawn, SB_ARRIVAL, on_spawned},
    {SB_EV_exists, SB_OWN, on_exists},
    {SB_EV_exit, SB_OWN, on_ended},
    {SB_EV_closed, SB_OWN, on_ended},
    {SB_EV_active, SB_OWN, on_active},
    {SB_EV_inactive, SB_OWN, on_inactive},
    {SB_EV_send, SB_ARRIVAL, on_arrival},
    {SB_EV_exit, SB_LINK_EXIT, on_link_exit},
    {SB_EV_receive, SB_OWN, on_receive},
    {SB_EV_call, SB_OWN, on_call},
    {SB_EV_return_to, SB_OWN, on_call},
    {SB_EV_return_from, SB_OWN, on_call},
    {SB_EV_exception_from, SB_OWN, on_call},
};

const struct sb_pass sb_pass_stay = {"stay",
                                     "slices, gaps, migrations",
                                     SB_ON_N(on),
                                     finish,
                                     .mark = SB_MARK_ACTS,
                                     .on_marked = on_act,
                                     .put = sb_slice_put,
                                     .put_port = sb_slice_put_port,
                                     .reads = "life.start life.end mail"};

/* OTP's traces record 0 for every dirty scheduler, without number or kind. */
static bool
is_any_dirty(sb_lane lane)
{
    return sb_lane_is_dirty(lane) || lane == 0;
}

static void
settle(struct sb_part *x, struct sb_proc *p, const struct sb_event *next, int64_t decided)
{
    if (!p->stay.pending)
        return;
    p->stay.pending = false;
    sb_gap_close(x, p, next, decided);
}

/* ---- slices and gaps ---- */

/* Records an `in` as an event: no event of the process ends this slice, so only its `in` is a fact. */
static void
journal_in(struct sb_part *x, const struct sb_proc *p, int64_t to)
{
    struct sb_event in = sb_event_of(SB_EV_in);
    in.at_ns = p->stay.since;
    in.lane = p->stay.lane;
    in.in.mfa = p->stay.fn;
    sb_journal(x, p, &in, to);
}

/* Ends a slice whose `out` was lost; some other event shows that it was over before `to`. */
static void
end_unseen(struct sb_part *x, struct sb_proc *p, int64_t to)
{
    journal_in(x, p, to);
    sb_slice_end(x, p, to, to, 0);
}

/* Records a report of system_profile that no gap shows. Table wait holds where the process waited. */
static void
journal_word(struct sb_part *x, const struct sb_proc *p, enum sb_event_kind kind, int64_t at, int64_t settled)
{
    struct sb_event word = sb_event_of(kind);
    word.at_ns = at;
    sb_journal(x, p, &word, settled);
}

static void
begin_gap(struct sb_proc *p, int64_t at, uint32_t fn)
{
    struct sb_stay *s = &p->stay;
    s->state = SB_STAY_OFF;
    s->since = at;
    s->ready_since = s->vm == SB_VM_INACTIVE ? SB_AT_UNKNOWN : at;
    s->gap = (struct sb_gap){.from = at,
                             .woken_at = SB_AT_UNKNOWN,
                             .abroad_at = p->mail.fresh_abroad > 0 ? at : SB_AT_UNKNOWN,
                             .exit_at = SB_AT_UNKNOWN,
                             .fn = fn,
                             .lane = SB_LANE_NONE,
                             .timeouts = s->polled ? s->timeouts : 0,
                             .had_mail = p->mail.fresh > p->mail.fresh_abroad};
}

static void
end_gap(struct sb_proc *p, int64_t at)
{
    struct sb_stay *s = &p->stay;
    s->gap.to = at;
    if (sb_proc_is_port(p))
        return;
    s->gap.ready_at = s->ready_since;
    s->pending = true;
}

static void
unknown_until(struct sb_part *x, struct sb_proc *p, int64_t at)
{
    if (!sb_proc_is_port(p))
        sb_gap_unknown(
            x, p, p->life.start != SB_NULL && p->stay.since < p->life.start ? p->life.start : p->stay.since,
            at);
}

/* ---- collections ---- */

void
sb_stay_collects(struct sb_proc *p, int64_t from)
{
    p->stay.collecting = true;
    p->stay.gc_counted = from;
}

void
sb_stay_collected(struct sb_part *x, struct sb_proc *p, int64_t to)
{
    struct sb_stay *s = &p->stay;
    if (s->state == SB_STAY_ON)
        sb_slice_collects(x, p, to);
    else if (!sb_recorded(x->run, SB_RUNNING) || s->state == SB_STAY_UNSEEN)
        s->sum.gc_ns += to - s->gc_counted;
    s->collecting = false;
}

void
sb_stay_collection_lost(struct sb_proc *p)
{
    p->stay.collecting = false;
}

/* ---- events ---- */

/* Ends a wait that system_profile reported: the process acts, so the report of its end is missing. */
static void
awake(struct sb_proc *p, int64_t at)
{
    if (p->place_since != SB_AT_UNKNOWN)
        sb_place_add(p, p->place, at - p->place_since);
    p->place_since = SB_AT_UNKNOWN;
    if (p->stay.vm == SB_VM_INACTIVE)
        p->stay.vm = SB_VM_ACTIVE;
}

/* Records the scheduler on which the process continues, relative to the one that it left. */
static void
note_return(struct sb_gap *g, sb_lane to)
{
    bool known = g->lane != SB_LANE_NONE && to != SB_LANE_NONE;
    g->crosses = known && is_any_dirty(g->lane) != is_any_dirty(to);
    g->to_dirty = g->crosses && is_any_dirty(to);
    g->returns = known && g->lane == to;
}

static void
on_in(struct sb_part *x, struct sb_proc *p, const struct sb_event *ev)
{
    struct sb_stay *s = &p->stay;
    awake(p, ev->at_ns);
    settle(x, p, ev, ev->at_ns);
    if (s->state == SB_STAY_ON && x->run->facts.loses && sb_lane_plain(ev->lane) != s->lane) {
        end_unseen(x, p, ev->at_ns);
        sb_slice_begin(x, p, ev);
        return;
    }
    if (s->state == SB_STAY_ON || s->state == SB_STAY_GONE) {
        if (s->state == SB_STAY_ON || ev->running.mfa || x->run->facts.loses)
            sb_journal(x, p, ev, ev->at_ns);
        return;
    }
    if (s->state == SB_STAY_UNSEEN) {
        unknown_until(x, p, ev->at_ns);
        s->sum.gc_ns += s->collecting ? ev->at_ns - s->gc_counted : 0;
    } else {
        note_return(&s->gap, sb_lane_plain(ev->lane));
        end_gap(p, ev->at_ns);
    }
    sb_slice_begin(x, p, ev);
}

static void
on_out(struct sb_part *x, struct sb_proc *p, const struct sb_event *ev)
{
    struct sb_stay *s = &p->stay;
    settle(x, p, ev, ev->at_ns);
    if (s->state == SB_STAY_GONE && ev->running.mfa)
        sb_journal(x, p, ev, ev->at_ns);
    if (s->state == SB_STAY_GONE)
        return;
    if (s->state == SB_STAY_OFF && s->tentative) { /* it was runnable since then, so it ran since then */
        sb_slice_move(x, p, sb_lane_plain(ev->lane));
        s->fn = 0;
        s->gc_ns = 0;
        s->state = SB_STAY_ON;
        s->tentative = false;
    }
    bool ran = s->state == SB_STAY_ON;
    if (ran)
        sb_slice_end(x, p, ev->at_ns, ev->at_ns, ev->running.mfa);
    else {
        if (s->state == SB_STAY_OFF && s->gap.reported)
            journal_word(x, p, SB_EV_inactive, s->gap.from, ev->at_ns);
        awake(p, ev->at_ns);
        sb_journal(x, p, ev, ev->at_ns);
        unknown_until(x, p, ev->at_ns);
    }
    begin_gap(p, ev->at_ns, ev->running.mfa);
    s->gap.lane = ran ? s->lane : sb_lane_plain(ev->lane);
}

static void
on_spawned(struct sb_part *x, struct sb_proc *p, const struct sb_event *ev)
{
    (void)x;
    struct sb_stay *s = &p->stay;
    /* system_profile may report the process runnable before its spawn */
    bool may_begin = s->gap.spawn || s->tentative;
    if (s->state != SB_STAY_UNSEEN && !(s->state == SB_STAY_OFF && may_begin && s->sum.slices == 0))
        return;
    begin_gap(p, ev->at_ns, 0);
    s->gap.spawn = true;
}

static void
on_exists(struct sb_part *x, struct sb_proc *p, const struct sb_event *ev)
{
    struct sb_stay *s = &p->stay;
    if (s->state != SB_STAY_UNSEEN || ev->exists.status > 1)
        return;
    unknown_until(x, p, ev->at_ns);
    begin_gap(p, ev->at_ns, 0);
    s->gap.fn = SB_UNKNOWN32;
    s->gap.had_mail = ev->exists.status == 1;
}

static void
note_few(struct sb_part *x, const struct sb_proc *p)
{
    if (p->stay.sum.slices < SB_SLICES_SAY_ALL)
        *SB_PUSH(&x->ended) = p->index;
}

static void
on_ended(struct sb_part *x, struct sb_proc *p, const struct sb_event *ev)
{
    struct sb_stay *s = &p->stay;
    if (s->state == SB_STAY_ON && s->pending && !x->run->facts.vm_truth)
        journal_in(x, p, ev->at_ns); /* an `out` would not decide the gap as the exit does */
    settle(x, p, ev, ev->at_ns);
    if (s->state == SB_STAY_GONE)
        return;
    if (s->state == SB_STAY_ON)
        sb_slice_end(x, p, ev->at_ns, ev->at_ns, 0);
    else if (s->state == SB_STAY_OFF) {
        s->gap.exit_at = s->gap.exit_at == SB_AT_UNKNOWN ? ev->at_ns : s->gap.exit_at;
        end_gap(p, ev->at_ns);
        settle(x, p, ev, ev->at_ns);
    } else
        unknown_until(x, p, ev->at_ns);
    s->state = SB_STAY_GONE;
    note_few(x, p);
}

/* A port is never runnable: while system_profile reports it active, it is at work. */
static void
on_port_active(struct sb_part *x, struct sb_proc *p, const struct sb_event *ev)
{
    if (p->stay.state == SB_STAY_OFF || p->stay.state == SB_STAY_UNSEEN)
        sb_slice_begin(x, p, ev);
}

static void
on_port_inactive(struct sb_part *x, struct sb_proc *p, const struct sb_event *ev)
{
    if (p->stay.state == SB_STAY_ON)
        sb_slice_end(x, p, ev->at_ns, ev->at_ns, ev->running.mfa);
    if (p->stay.state != SB_STAY_GONE)
        begin_gap(p, ev->at_ns, ev->running.mfa);
}

/* The VM reports that the process is ready to run. */
static void
on_active(struct sb_part *x, struct sb_proc *p, const struct sb_event *ev)
{
    struct sb_stay *s = &p->stay;
    if (sb_proc_is_port(p)) {
        on_port_active(x, p, ev);
        return;
    }
    awake(p, ev->at_ns);
    if (s->state == SB_STAY_UNSEEN) {
        journal_word(x, p, SB_EV_active, ev->at_ns, ev->at_ns);
        unknown_until(x, p, ev->at_ns);
        begin_gap(p, ev->at_ns, 0);
        s->tentative = true;
    }
    if (s->state == SB_STAY_OFF && s->ready_since == SB_AT_UNKNOWN)
        s->ready_since = ev->at_ns;
    s->vm = SB_VM_ACTIVE;
}

static void
on_inactive(struct sb_part *x, struct sb_proc *p, const struct sb_event *ev)
{
    struct sb_stay *s = &p->stay;
    if (sb_proc_is_port(p)) {
        on_port_inactive(x, p, ev);
        return;
    }
    if (p->place_since == SB_AT_UNKNOWN && ev->running.mfa) {
        p->place_since = ev->at_ns;
        p->place = ev->running.mfa;
    }
    s->vm = SB_VM_INACTIVE;
    if (s->state == SB_STAY_UNSEEN)
        unknown_until(x, p, ev->at_ns);
    else if (s->state == SB_STAY_OFF &&
             s->ready_since != SB_AT_UNKNOWN) { /* runnable up to here, waiting from here */
        end_gap(p, ev->at_ns);
        settle(x, p, NULL, ev->at_ns);
    } else
        return;
    begin_gap(p, ev->at_ns, ev->running.mfa);
    s->gap.reported = true;
}

/* Any other activity of the process, which decides a pending gap. */
static void
on_act(struct sb_part *x, struct sb_proc *p, const struct sb_event *ev)
{
    p->stay.gap.acted = true;
    p->stay.polled = false;
    settle(x, p, ev, ev->at_ns);
}

static void
on_receive(struct sb_part *x, struct sb_proc *p, const struct sb_event *ev)
{
    bool timeout = ev->flags & SB_EVF_TIMEOUT;
    p->stay.gap.acted = true;
    p->stay.polled = timeout;
    p->stay.timeouts += timeout;
    settle(x, p, ev, ev->at_ns);
}

/* Calls between two timeouts are its polling loop. Ignored if the VM reports when processes are runnable. */
static void
on_call(struct sb_part *x, struct sb_proc *p, const struct sb_event *ev)
{
    struct sb_stay *s = &p->stay;
    if (x->run->facts.vm_truth)
        return;
    bool off = s->state == SB_STAY_OFF && s->gap.fn && !s->gap.acted;
    /* the call decides the gap, or shows whether its function waits (waits.c) */
    if (s->pending || off)
        sb_journal(x, p, ev, ev->at_ns);
    s->gap.acted = true;
    settle(x, p, ev, ev->at_ns);
}

static void
on_arrival(struct sb_part *x, struct sb_proc *p, const struct sb_event *ev)
{
    struct sb_stay *s = &p->stay;
    bool abroad = sb_actor_node(ev->who) != sb_actor_node(p->actor);
    int64_t *at = abroad ? &s->gap.abroad_at : &s->gap.woken_at;
    if (s->state == SB_STAY_OFF && *at == SB_AT_UNKNOWN && !sb_mail_is_late(&p->mail, ev)) {
        *at = ev->at_ns;
        *(abroad ? &s->gap.abroad : &s->gap.waker) = x->sender;
    }
}

static void
on_link_exit(struct sb_part *x, struct sb_proc *p, const struct sb_event *ev)
{
    (void)x;
    struct sb_stay *s = &p->stay;
    if (s->state == SB_STAY_OFF && s->gap.exit_at == SB_AT_UNKNOWN) {
        s->gap.exit_at = ev->at_ns;
        s->gap.exit_of = ev->who;
    }
}

static void
forget(struct sb_stay *s, int64_t from)
{
    s->state = SB_STAY_UNSEEN;
    s->since = from;
    s->vm = SB_VM_UNKNOWN;
    s->tentative = false;
}

/* Events were lost: the state of the process is unknown until its next event. */
static void
on_loss(struct sb_part *x, struct sb_proc *p, const struct sb_event *ev)
{
    struct sb_stay *s = &p->stay;
    settle(x, p, NULL, ev->at_ns);
    if (s->state == SB_STAY_ON) {
        end_unseen(x, p, ev->at_ns);
    } else if (s->state == SB_STAY_OFF) {
        s->gap.unended = true;
        end_gap(p, ev->at_ns);
        settle(x, p, NULL, ev->at_ns);
    } else
        return;
    forget(s, ev->at_ns);
}

/* Its `out` was lost: another process was scheduled in on its scheduler. Its state is unknown from here. */
static void
on_displaced(struct sb_part *x, struct sb_proc *p, const struct sb_event *ev)
{
    struct sb_stay *s = &p->stay;
    if (s->state != SB_STAY_ON || sb_lane_plain(ev->lane) != s->lane)
        return;
    settle(x, p, NULL, ev->at_ns);
    end_unseen(x, p, ev->at_ns);
    forget(s, ev->at_ns);
}

/* Ends a stay without a known end at the end of its last collection; the rest is unknown. */
static void
end_at_last_collection(struct sb_part *x, struct sb_proc *p)
{
    int64_t to = p->stay.gc_counted;
    sb_slice_end(x, p, to, x->run->axis.end, 0);
    p->stay.since = to;
}

/* A state without an end lasts until the end of the trace; with system_profile it is unknown (Percept2). */
static void
finish(struct sb_part *x, struct sb_proc *p)
{
    struct sb_stay *s = &p->stay;
    int64_t end = sb_node_end(x->run, sb_actor_node(p->actor));
    if (p->place_since != SB_AT_UNKNOWN)
        sb_place_add(p, p->place, (p->life.end != SB_NULL ? p->life.end : end) - p->place_since);
    if ((!sb_recorded(x->run, SB_RUNNING) && !x->run->facts.vm_truth) || !sb_proc_is_traced(p))
        return;
    settle(x, p, NULL, x->run->axis.end);
    if (s->state == SB_STAY_ON)
        journal_in(x, p, end);
    else if (s->state == SB_STAY_OFF && s->gap.reported)
        journal_word(x, p, SB_EV_inactive, s->gap.from, end);
    if (x->run->facts.vm_truth && s->state == SB_STAY_ON && s->gc_ns > 0)
        end_at_last_collection(x, p);
    if (s->state == SB_STAY_UNSEEN || (x->run->facts.vm_truth && s->state != SB_STAY_GONE))
        unknown_until(x, p, x->run->axis.end);
    else if (s->state == SB_STAY_ON)
        sb_slice_end(x, p, end, end, 0);
    else if (s->state == SB_STAY_OFF) {
        s->gap.unended = true;
        end_gap(p, end);
        settle(x, p, NULL, x->run->axis.end);
    }
    if (!x->run->facts.vm_truth && (s->state == SB_STAY_ON || s->state == SB_STAY_OFF) && !sb_proc_is_port(p))
        sb_gap_unknown(x, p, end, x->run->axis.end); /* the traces of other nodes may be longer */
    note_few(x, p);
}
