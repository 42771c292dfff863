/* See gap.c for the rules. */
#include "engine/pass/wake.h"
#include "engine/pass/mail.h"
#include "engine/world/actors.h"
#include "engine/world/control.h"

void
sb_wake_runnable(struct sb_wake *v, int64_t dur, enum sb_cause cause)
{
    v->runnable = v->low = v->high = dur;
    v->cause = cause;
}

bool
sb_wake_is_timeout(const struct sb_event *next)
{
    return next && next->kind == SB_EV_receive && next->flags & SB_EVF_TIMEOUT;
}

bool
sb_wake_is_fetch(const struct sb_event *next)
{
    return next && next->kind == SB_EV_receive;
}

void
sb_wake_at(struct sb_wake *v, const struct sb_gap *g, int64_t at, enum sb_cause cause, uint32_t by)
{
    at = at < g->from ? g->from : at;
    v->wait = at - g->from;
    sb_wake_runnable(v, g->to - at, cause);
    v->waker = by;
}

static uint32_t
who_ended(const struct sb_run *r, sb_actor a, int64_t at)
{
    int64_t id = sb_actors_id(r, a, at);
    return id == SB_NULL ? 0 : (uint32_t)id;
}

/* Finds the end of the process that a 'DOWN' or 'EXIT' message of the VM names, if it was in the gap. */
static bool
ended_in(const struct sb_run *r, const struct sb_proc *p, const struct sb_event *next, int64_t *down)
{
    const struct sb_gap *g = &p->stay.gap;
    return sb_wake_is_fetch(next) && next->receive.down && !next->receive.asks &&
           sb_control_exit_of(r->control, next->receive.down, next->at_ns, down) && *down >= g->from &&
           *down <= g->to && !sb_mail_was_sent(&p->mail, next);
}

/* Nothing tells when it was woken, only that it was not before `since`. It was runnable for about its usual time from
 * waking to running. */
static void
some_time(struct sb_wake *v, const struct sb_stay *s, int64_t since, enum sb_cause cause)
{
    const struct sb_gap *g = &s->gap;
    int64_t most = g->to - (since < g->from ? g->from : since),
            ready = s->delay_ns ? s->delay_ns : SB_WAKE_DELAY_NS;
    sb_wake_runnable(v, ready < most ? ready : most, cause);
    v->wait = g->to - g->from - v->runnable;
    v->low = 0;
    v->high = most;
}

/* No event woke the process: it may have been a timer, a port or a signal. */
void
sb_wake_unexplained(struct sb_wake *v, const struct sb_stay *s, const struct sb_event *next)
{
    some_time(v, s, s->gap.from, sb_wake_is_timeout(next) ? SB_CAUSE_TIMEOUT : SB_CAUSE_UNKNOWN);
}

/* What another node sent arrives some time later, which no event shows. */
static bool
from_abroad(struct sb_wake *v, const struct sb_stay *s, int64_t at, enum sb_cause cause, uint32_t by)
{
    if (at == SB_AT_UNKNOWN || at > s->gap.to)
        return false;
    some_time(v, s, at, cause);
    v->waker = by;
    v->abroad = true;
    return true;
}

/* Finds the first event in the gap that can have woken the process; returns false if there is none. */
bool
sb_wake_find(const struct sb_run *r, const struct sb_proc *p, const struct sb_event *next, struct sb_wake *v)
{
    const struct sb_gap *g = &p->stay.gap;
    int64_t at = g->woken_at, down;
    enum sb_cause cause = SB_CAUSE_MESSAGE;
    sb_actor ended = 0;
    if (g->exit_at != SB_AT_UNKNOWN && (at == SB_AT_UNKNOWN || g->exit_at < at)) {
        at = g->exit_at;
        ended = g->exit_of;
        cause = SB_CAUSE_EXIT;
    }
    if (at != SB_AT_UNKNOWN && at > g->to) /* of a node whose trace goes on after that of this one */
        at = SB_AT_UNKNOWN;
    if (ended_in(r, p, next, &down) && (at == SB_AT_UNKNOWN || down < at)) {
        at = down;
        ended = next->receive.down;
        cause = SB_CAUSE_EXIT;
    }
    if (at == SB_AT_UNKNOWN)
        return from_abroad(v, &p->stay, g->abroad_at, SB_CAUSE_MESSAGE, g->abroad);
    uint32_t by = ended ? who_ended(r, ended, at < g->from ? g->from : at) : g->waker;
    if (ended && sb_actor_node(ended) != sb_actor_node(p->actor))
        return from_abroad(v, &p->stay, at, cause, by);
    sb_wake_at(v, g, at, cause, by);
    if (ended) /* the exit signal is sent after cleaning up, which may take long */
        v->low = 0;
    if (g->abroad_at != SB_AT_UNKNOWN && g->abroad_at < at)
        v->high = g->to - (g->abroad_at < g->from ? g->from : g->abroad_at);
    return true;
}
