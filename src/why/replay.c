#include "why/moments.h"
#include "why/replay.h"

enum { NOBODY = 0, SLACK = 1 };
#define SENT 0x80000000u /* of a message: the rest is the core; otherwise the line that waits for it */

struct core {
    uint32_t line;       /* that it runs; NOBODY: it is idle */
    uint32_t head, tail; /* its queue: lines, linked by `link` */
    uint32_t place;      /* in `idle` */
    int64_t since;       /* it runs the present line */
    double
        pressure; /* ns that lines were behind others in its queue, each, since a core was woken for them */
};
struct line {
    uint32_t next, end; /* operations */
    uint32_t link;      /* the next line in the same queue */
    uint32_t core : 29; /* where it ran last */
    bool waits : 1;     /* for the end of a WAIT */
    bool is_dirty : 1;  /* it has a dirty scheduler, or waits for one */
    bool has_turn : 1;  /* it is one of the lines of its process that may run */
};

struct replay {
    const struct sb_ops *o;
    const struct sb_replay_plan *plan;
    struct {
        bool any;
        int64_t send_ns, send_wake_ns, receive_ns, dispatch_ns, start_ns;
        double join_ns;
    } cost;
    uint32_t schedulers, cores; /* asked for; those that could ever be busy */
    bool full;
    uint64_t roots_left; /* lines of the root that have not ended */
    int64_t now, beside; /* `beside`: something happens on another core, or off the cores */
    uint64_t n_ready;
    struct sb_moments moments;
    struct core *core;
    uint32_t *queued; /* by core */
    uint32_t *idle, n_idle;
    struct line *line;
    uint32_t *message;
    uint32_t *turns;        /* by process: how many further lines may run */
    uint32_t *first, *last; /* by process: lines that wait for their turn, linked by `link` */
    struct {
        bool on_cores; /* no core is left for the dirty schedulers: they use those of the normal ones */
        uint32_t free, head, tail; /* idle ones; lines that wait for one, linked by `link` */
    } dirty;
};

/* ---- cores ---- */

static int64_t
work_of(const struct replay *r, uint32_t line)
{
    uint32_t i = r->line[line].next;
    return i < r->line[line].end ? r->o->op[i].work_ns : r->o->rest_ns[line];
}

static bool
costs_nothing(const struct replay *r, uint32_t m)
{
    return !r->cost.any || (r->plan->free && r->plan->free[m]);
}

/* Receives a message that was sent; returns what that costs. */
static int64_t
receive(const struct replay *r, const struct line *l, const struct sb_op *op)
{
    bool is_near = op->woken || r->message[op->arg] == (SENT | l->core);
    return is_near || costs_nothing(r, op->arg) ? 0 : r->cost.receive_ns;
}

/* Receives what was sent already, which no other line notices. Returns the time until the operation after that. */
static int64_t
go_ahead(struct replay *r, uint32_t line)
{
    struct line *l = &r->line[line];
    int64_t ns = work_of(r, line);
    for (const struct sb_op *op = &r->o->op[l->next];
         l->next < l->end && op->kind == SB_OP_RECV && r->message[op->arg] & SENT; op++) {
        l->next++;
        ns += receive(r, l, op) + work_of(r, line);
    }
    return ns;
}

static void
start(struct replay *r, uint32_t line, uint32_t core, int64_t late)
{
    r->line[line].core = core & 0xffff;
    int64_t at = r->now + late + r->cost.dispatch_ns + go_ahead(r, line);
    r->core[core].line = line;
    r->core[core].since = r->now;
    r->beside = at < r->beside ? at : r->beside;
    sb_moments_put(&r->moments, core, at);
}

static bool
is_idle(const struct replay *r, uint32_t core)
{
    return r->core[core].line == NOBODY;
}

static void
take_idle(struct replay *r, uint32_t core)
{
    uint32_t place = r->core[core].place;
    r->idle[place] = r->idle[--r->n_idle];
    r->core[r->idle[place]].place = place;
    r->full |= r->n_idle == 0;
}

static void
enqueue(struct replay *r, uint32_t line)
{
    uint32_t core = r->line[line].core;
    struct core *c = &r->core[core];
    r->line[line].link = NOBODY;
    if (r->queued[core]++ > 0)
        r->line[c->tail].link = line;
    else
        c->head = line;
    c->tail = line;
    r->n_ready++;
}

/* The line runs on the core where it ran last, if that is idle. Otherwise it waits there; without costs any idle core
 * takes it at once. Returns true if a core was woken for it. */
static bool
be_ready(struct replay *r, uint32_t line)
{
    uint32_t core = r->line[line].core;
    if (r->n_idle > 0 && (is_idle(r, core) || !r->cost.any)) {
        core = is_idle(r, core) ? core : r->idle[r->n_idle - 1];
        take_idle(r, core);
        start(r, line, core, r->cost.start_ns);
        return true;
    }
    enqueue(r, line);
    return false;
}

static uint32_t
longest_queue(const struct replay *r)
{
    uint32_t most = 0, core = 0;
    for (uint32_t i = 0; i < r->cores; i++)
        most = r->queued[i] > most ? r->queued[i] : most;
    while (r->queued[core] != most)
        core++;
    return core;
}

/* The line that a core runs next: the first of its own queue, or of the longest one if that is longer by more than
 * SLACK, as the VM evens its queues out. `own_is_enough`: a line on the core can go on instead. */
static uint32_t
take_next(struct replay *r, uint32_t core, bool own_is_enough)
{
    uint32_t own = r->queued[core], needed = own > 0 || own_is_enough ? own + SLACK : 0, from = core;
    if (r->n_ready > needed && r->n_ready > own) {
        uint32_t longest = longest_queue(r);
        from = r->queued[longest] > needed ? longest : from;
    }
    if (r->queued[from] == 0)
        return NOBODY;
    uint32_t line = r->core[from].head;
    r->core[from].head = r->line[line].link;
    r->queued[from]--;
    r->n_ready--;
    return line;
}

/* The VM wakes a further scheduler when processes have queued up behind others for long enough. */
static void
call_idle(struct replay *r, uint32_t core)
{
    struct core *c = &r->core[core];
    int64_t ran = r->now - c->since;
    c->pressure = r->queued[core] > 1 ? c->pressure + (double)ran * (r->queued[core] - 1) : 0;
    if (c->pressure < r->cost.join_ns || r->n_idle == 0)
        return;
    uint32_t other = r->idle[r->n_idle - 1], line = take_next(r, core, false);
    c->pressure = 0;
    take_idle(r, other);
    start(r, line, other, r->cost.start_ns);
}

static void
leave_core(struct replay *r, uint32_t core)
{
    if (r->cost.any)
        call_idle(r, core);
    uint32_t next = take_next(r, core, false);
    if (next != NOBODY) {
        start(r, next, core, 0);
        return;
    }
    sb_moments_set(&r->moments, core, SB_NO_MOMENT);
    r->core[core].line = NOBODY;
    r->core[core].place = r->n_idle;
    r->idle[r->n_idle++] = core;
}

/* Returns false if nothing else is ready there. */
static bool
yield_core(struct replay *r, uint32_t line)
{
    uint32_t core = r->line[line].core;
    if (r->cost.any) {
        enqueue(r, line);
        call_idle(r, core);
        start(r, take_next(r, core, false), core, 0);
        return true;
    }
    uint32_t next = take_next(r, core, true);
    if (next == NOBODY)
        return false;
    enqueue(r, line);
    start(r, next, core, 0);
    return true;
}

/* ---- turns: the copies of a split server ---- */

static bool
has_turns(const struct replay *r, uint32_t process)
{
    return r->plan->copies && r->plan->copies[process] > 0;
}

/* Returns false if the line has to wait for its turn. */
static bool
take_turn(struct replay *r, uint32_t line)
{
    uint32_t process = r->o->process[line];
    if (!has_turns(r, process) || r->line[line].has_turn)
        return true;
    if (r->turns[process] > 0) {
        r->turns[process]--;
        return r->line[line].has_turn = true;
    }
    r->line[line].link = NOBODY;
    if (r->first[process] == NOBODY)
        r->first[process] = line;
    else
        r->line[r->last[process]].link = line;
    r->last[process] = line;
    return false;
}

static void
give_turn(struct replay *r, uint32_t line)
{
    uint32_t process = r->o->process[line];
    if (!has_turns(r, process) || !r->line[line].has_turn)
        return;
    uint32_t other = r->first[process];
    if (other == NOBODY) {
        r->turns[process]++;
        return;
    }
    r->first[process] = r->line[other].link;
    r->line[other].has_turn = true;
    be_ready(r, other);
}

/* ---- operations ---- */

/* Returns what sending costs the sender. */
static int64_t
send(struct replay *r, uint32_t line, uint32_t m)
{
    uint32_t to = r->message[m], core = r->line[line].core;
    r->message[m] = SENT | core;
    if (to != NOBODY && r->line[to].next == r->o->from[to] + 1) /* it was spawned, or has not run */
        r->line[to].core = core & 0xffff;
    bool wakes = to != NOBODY && take_turn(r, to) && be_ready(r, to);
    if (costs_nothing(r, m) || r->line[to != NOBODY ? to : r->o->receiver[m]].core == core)
        return 0;
    return wakes ? r->cost.send_wake_ns : r->cost.send_ns;
}

/* Begins with what a line does on a dirty scheduler, or queues it. */
static void
start_dirty(struct replay *r, uint32_t line)
{
    struct line *l = &r->line[line];
    l->waits = l->is_dirty = true;
    if (r->dirty.free > 0) {
        r->dirty.free--;
        sb_moments_put_wait(&r->moments, line, r->now + r->o->waits[r->o->op[l->next - 1].arg]);
        return;
    }
    r->full = true;
    l->link = NOBODY;
    if (r->dirty.head == NOBODY)
        r->dirty.head = line;
    else
        r->line[r->dirty.tail].link = line;
    r->dirty.tail = line;
}

static void
end_dirty(struct replay *r, uint32_t line)
{
    uint32_t next = r->dirty.head;
    r->line[line].is_dirty = false;
    r->dirty.free++;
    if (next == NOBODY)
        return;
    r->dirty.head = r->line[next].link;
    start_dirty(r, next);
}

/* Executes the next operation. Returns false if the line left its core. */
static bool
step(struct replay *r, uint32_t line, int64_t *cost)
{
    struct line *l = &r->line[line];
    const struct sb_op *op = &r->o->op[l->next++];
    *cost = 0;
    switch ((enum sb_op_kind)op->kind) {
    case SB_OP_SEND:
        *cost = send(r, line, op->arg);
        return true;
    case SB_OP_RECV:
        if (!(r->message[op->arg] & SENT)) {
            r->message[op->arg] = line;
            break;
        }
        *cost = receive(r, l, op);
        return true;
    case SB_OP_WAIT:
        l->waits = true;
        sb_moments_put_wait(&r->moments, line, r->now + r->o->waits[op->arg]);
        break;
    case SB_OP_DIRTY:
        if (r->dirty.on_cores) {
            *cost = r->o->waits[op->arg];
            return true;
        }
        start_dirty(r, line);
        break;
    case SB_OP_YIELD:
        return !yield_core(r, line);
    }
    leave_core(r, l->core);
    return false;
}

/* Runs the line of a core while nothing else happens. Returns false when the root has ended. */
static bool
execute(struct replay *r, uint32_t core)
{
    uint32_t line = r->core[core].line;
    int64_t cost;
    r->beside = sb_moments_beside(&r->moments, core);
    while (r->line[line].next < r->line[line].end) {
        if (!step(r, line, &cost))
            return true;
        int64_t until = r->now + cost + go_ahead(r, line);
        if (r->beside <= until) {
            sb_moments_put(&r->moments, core, until);
            return true;
        }
        r->now = until;
    }
    if (r->o->process[line] == r->o->root && --r->roots_left == 0)
        return false;
    give_turn(r, line);
    leave_core(r, core);
    return true;
}

/* Returns false when the root has ended, or if nothing happens any more. */
static bool
next_event(struct replay *r, bool *stuck)
{
    sb_moment at = r->moments.node[1], wait = sb_moments_of_waits(&r->moments);
    if (wait < at) {
        r->now = sb_moment_ns(wait);
        uint32_t line = sb_moments_take_wait(&r->moments);
        r->line[line].waits = false;
        if (r->line[line].is_dirty)
            end_dirty(r, line);
        be_ready(r, line);
        return true;
    }
    *stuck = at == SB_NO_MOMENT;
    if (*stuck)
        return false;
    r->now = sb_moment_ns(at);
    return execute(r, sb_moment_core(at));
}

/* ---- a run ---- */

static void *
zeroed(uint64_t n, size_t bytes)
{
    void *p = calloc(n + 1, bytes);
    if (!p)
        sb_out_of_memory((n + 1) * bytes);
    return p;
}

/* The VM has as many of them as normal ones; the cores that the normal ones leave limit them too. */
static uint32_t
dirty_schedulers(uint32_t schedulers, uint32_t cores)
{
    uint32_t left = cores > schedulers ? cores - schedulers : 0;
    return left < schedulers ? left : schedulers;
}

static void
open(struct replay *r)
{
    uint64_t lines = r->o->n_lines + 1, people = r->o->n_processes + 1;
    r->line = zeroed(lines, sizeof *r->line);
    r->core = zeroed(r->cores, sizeof *r->core);
    r->idle = zeroed(r->cores, sizeof *r->idle);
    r->queued = zeroed(r->cores, sizeof *r->queued);
    r->message = zeroed(r->o->n_messages, sizeof *r->message);
    sb_moments_open(&r->moments, r->cores);
    r->turns = zeroed(people, sizeof *r->turns);
    r->first = zeroed(people, sizeof *r->first);
    r->last = zeroed(people, sizeof *r->last);
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

static void
set_costs(struct replay *r, const struct sb_replay_costs *c)
{
    r->cost.any = true;
    r->cost.send_ns = (int64_t)c->send;
    r->cost.send_wake_ns = (int64_t)(c->send + c->wake);
    r->cost.receive_ns = (int64_t)c->receive;
    r->cost.dispatch_ns = (int64_t)c->dispatch;
    r->cost.start_ns = (int64_t)c->start;
    r->cost.join_ns = c->join;
}

/* A line that begins with a wait needs no core for that. */
static void
begin(struct replay *r, uint32_t line)
{
    struct line *l = &r->line[line];
    const struct sb_op *op = &r->o->op[r->o->from[line]];
    l->next = r->o->from[line];
    l->end = r->o->from[line + 1];
    r->roots_left += r->o->process[line] == r->o->root;
    bool waits = l->next < l->end && op->work_ns == 0;
    if (waits && op->kind == SB_OP_RECV) {
        r->message[op->arg] = line;
        l->next++;
    } else if (waits && op->kind == SB_OP_WAIT) {
        l->waits = true;
        l->next++;
        sb_moments_put_wait(&r->moments, line, r->o->waits[op->arg]);
    } else if (l->next < l->end || r->o->rest_ns[line] > 0 || r->o->process[line] == r->o->root) {
        if (take_turn(r, line))
            be_ready(r, line);
    }
}

static void
close(struct replay *r)
{
    free(r->line);
    free(r->core);
    free(r->idle);
    free(r->queued);
    free(r->message);
    free(r->turns);
    free(r->first);
    free(r->last);
    sb_moments_close(&r->moments);
}

/* From the root to the process that it waits for, and so on: the last one whose message nobody sends. */
static void
find_stuck(const struct replay *r, struct sb_replay *out)
{
    uint32_t line = r->o->root;
    out->stuck = line;
    for (uint64_t i = 0; i <= r->o->n_lines && r->line[line].next > r->o->from[line]; i++) {
        const struct sb_op *op = &r->o->op[r->line[line].next - 1];
        if (op->kind != SB_OP_RECV || r->message[op->arg] & SENT)
            break;
        out->stuck = r->o->process[line];
        line = out->stuck_for = r->o->sender[op->arg];
    }
}

struct sb_replay
sb_replay_run(const struct sb_replay_plan *plan, uint32_t cores)
{
    uint64_t most = plan->ops->n_lines + 1;
    const struct sb_replay_costs *c = cores > 1 ? plan->costs : NULL;
    struct replay r = {
        .o = plan->ops, .plan = plan, .schedulers = cores, .cores = cores < most ? cores : (uint32_t)most};
    struct sb_replay out = {0};
    bool stuck = false;
    if (c)
        set_costs(&r, c);
    open(&r);
    for (uint32_t line = 1; line <= r.o->n_lines; line++)
        begin(&r, line);
    while (next_event(&r, &stuck))
        ;
    out.ns = r.now;
    out.full = r.full;
    if (stuck)
        find_stuck(&r, &out);
    close(&r);
    return out;
}
