#include "why/predict/replay_state.h"

/* The VM has as many of them as normal ones; the cores that the normal ones leave limit them too. */
static uint32_t
dirty_schedulers(uint32_t schedulers, uint32_t cores)
{
    uint32_t left = cores > schedulers ? cores - schedulers : 0;
    return left < schedulers ? left : schedulers;
}

static void
reserve(struct sb_replay_state *r)
{
    uint64_t lines = r->o->n_lines + 1, people = r->o->n_processes + 1;
    r->line = sb_zeroed_or_die(lines + 1, sizeof *r->line);
    r->core = sb_zeroed_or_die(r->cores + 1, sizeof *r->core);
    r->idle = sb_zeroed_or_die(r->cores + 1, sizeof *r->idle);
    r->queued = sb_zeroed_or_die(r->cores + 1, sizeof *r->queued);
    r->message = sb_zeroed_or_die(r->o->n_messages / 4 + 1, sizeof *r->message);
    r->waiter = sb_realloc_or_die(NULL, ((size_t)r->o->n_messages + 1) * sizeof *r->waiter);
    sb_moments_open(&r->moments, r->cores);
    r->turns = sb_zeroed_or_die(people + 1, sizeof *r->turns);
    r->first = sb_zeroed_or_die(people + 1, sizeof *r->first);
    r->last = sb_zeroed_or_die(people + 1, sizeof *r->last);
    if (r->plan->copies)
        memcpy(r->turns, r->plan->copies, people * sizeof *r->turns);
    for (uint32_t i = 0; i < r->cores; i++) {
        r->idle[i] = r->cores - 1 - i;
        r->core[r->idle[i]].place = i;
    }
    r->n_idle = r->cores;
    r->dirty.on_cores = r->o->cores > 0 && r->schedulers >= r->o->cores;
    r->dirty.free = r->o->cores == 0 ? UINT32_MAX : dirty_schedulers(r->schedulers, r->o->cores);
}

/* The VM moves processes between the queues of its schedulers all the time, so that the other end of a message is on
 * any core with the same likelihood. */
static void
set_costs(struct sb_replay_state *r, const struct sb_replay_costs *c)
{
    double apart = 1 - 1.0 / r->schedulers;
    r->cost.any = true;
    r->cost.send_ns = (int64_t)(apart * c->send);
    r->cost.ready_ns = (int64_t)(apart * (c->send + c->ready));
    r->cost.wake_ns = (int64_t)(c->send + c->wake);
    r->cost.move_ns = (int64_t)c->ready;
    r->cost.receive_ns = (int64_t)(apart * c->receive);
    r->cost.dispatch_ns = (int64_t)(c->change + c->dispatch);
    r->cost.start_ns = (int64_t)c->start;
}

void
sb_replay_state_open(struct sb_replay_state *r, const struct sb_replay_plan *plan, uint32_t cores)
{
    uint64_t most = plan->ops->n_lines + 1;
    *r = (struct sb_replay_state){
        .o = plan->ops, .plan = plan, .schedulers = cores, .cores = cores < most ? cores : (uint32_t)most};
    if (cores > 1 && plan->costs)
        set_costs(r, plan->costs);
    else if (plan->costs)
        r->cost.dispatch_ns = (int64_t)plan->costs->change;
    reserve(r);
}

void
sb_replay_state_close(struct sb_replay_state *r)
{
    free(r->line);
    free(r->core);
    free(r->idle);
    free(r->queued);
    free(r->message);
    free(r->waiter);
    free(r->turns);
    free(r->first);
    free(r->last);
    sb_moments_close(&r->moments);
}
