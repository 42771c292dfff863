#include "why/predict/replay_state.h"

enum { SLACK = 1 };

/* ---- cores ---- */

static int64_t
work_of(const struct sb_replay_state *r, uint32_t line)
{
    uint32_t i = r->line[line].next;
    return i < r->line[line].end ? r->o->op[i].work_ns : r->o->rest_ns[line];
}

static bool
is_sent(const struct sb_replay_state *r, uint32_t m)
{
    return sb_replay_message(r, m) & SB_IS_SENT;
}

static void
await(struct sb_replay_state *r, uint32_t line, uint32_t m)
{
    sb_replay_mark(r, m, SB_IS_AWAITED);
    r->waiter[m] = line;
}

static bool
costs_nothing(const struct sb_replay_state *r, uint32_t m)
{
    return !r->cost.any || (r->plan->free && r->plan->free[m]);
}

/* Receives a message that was sent; returns what that costs. */
static int64_t
receive(const struct sb_replay_state *r, const struct sb_op *op)
{
    return op->woken || costs_nothing(r, op->arg) ? 0 : r->cost.receive_ns;
}

/* Receives what was sent already, which no other line notices. Returns the time until the operation after that. */
static int64_t
go_ahead(struct sb_replay_state *r, uint32_t line)
{
    struct sb_replay_line *l = &r->line[line];
    int64_t ns = work_of(r, line);
    for (const struct sb_op *op = &r->o->op[l->next];
         l->next < l->end && op->kind == SB_OP_RECV && is_sent(r, op->arg); op++) {
        l->next++;
        ns += receive(r, op) + work_of(r, line);
    }
    return ns;
}

/* When the core does something next. */
static void
put_next(struct sb_replay_state *r, uint32_t core, int64_t at)
{
    r->beside = at < r->beside ? at : r->beside;
    sb_moments_put(&r->moments, core, at);
}

static void
start(struct sb_replay_state *r, uint32_t line, uint32_t core, int64_t late)
{
    late += r->line[line].core == core ? 0 : r->cost.move_ns;
    r->line[line].core = core & 0xffff;
    int64_t at = r->now + late + r->cost.dispatch_ns + go_ahead(r, line);
    r->core[core].line = line;
    r->core[core].since = r->now;
    put_next(r, core, at);
}

static bool
is_idle(const struct sb_replay_state *r, uint32_t core)
{
    return r->core[core].line == SB_NO_LINE && !r->core[core].is_waking;
}

static void
take_idle(struct sb_replay_state *r, uint32_t core)
{
    uint32_t place = r->core[core].place;
    r->idle[place] = r->idle[--r->n_idle];
    r->core[r->idle[place]].place = place;
    r->full |= r->n_idle == 0;
}

static void
enqueue(struct sb_replay_state *r, uint32_t line)
{
    uint32_t core = r->line[line].core;
    struct sb_replay_core *c = &r->core[core];
    r->line[line].link = SB_NO_LINE;
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
be_ready(struct sb_replay_state *r, uint32_t line)
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
longest_queue(const struct sb_replay_state *r)
{
    uint32_t most = 0, core = 0;
    for (uint32_t i = 0; i < r->cores; i++)
        most = r->queued[i] > most ? r->queued[i] : most;
    while (r->queued[core] != most)
        core++;
    return core;
}

static uint32_t
take_from(struct sb_replay_state *r, uint32_t core)
{
    uint32_t line = r->core[core].head;
    r->core[core].head = r->line[line].link;
    r->queued[core]--;
    r->n_ready--;
    return line;
}

/* The line that a core runs next: the first of its own queue, or of the longest one if that is longer by more than
 * SLACK, as the VM evens its queues out. `own_is_enough`: a line on the core can go on instead. */
static uint32_t
take_next(struct sb_replay_state *r, uint32_t core, bool own_is_enough)
{
    uint32_t own = r->queued[core], needed = own > 0 || own_is_enough ? own + SLACK : 0, from = core;
    if (r->n_ready > needed && r->n_ready > own) {
        uint32_t longest = longest_queue(r);
        from = r->queued[longest] > needed ? longest : from;
    }
    return r->queued[from] > 0 ? take_from(r, from) : SB_NO_LINE;
}

/*
 * The VM wakes a further scheduler when processes were queued behind others for long enough. It counts reductions at
 * each change of process, at least 400 for what ran, once for each process that has to wait another turn, and 400
 * more. The scheduler that wakes takes what is there then. Returns what the call costs.
 */
static int64_t
call_idle(struct sb_replay_state *r, uint32_t core)
{
    enum { REDUCTION_NS = 5, LEAST = 400, LIMIT = 40000 };
    struct sb_replay_core *c = &r->core[core];
    int64_t ran = (r->now - c->since) / REDUCTION_NS, left = (int64_t)r->queued[core] - 1;
    ran = ran > LEAST ? ran : LEAST;
    c->pressure = left < 0 ? 0 : left == 0 ? c->pressure - ran : c->pressure + left * ran + LEAST;
    c->pressure = c->pressure > 0 ? c->pressure : 0;
    if (c->pressure <= LIMIT)
        return 0;
    c->pressure = 0;
    if (r->n_idle == 0)
        return 0;
    uint32_t other = r->idle[r->n_idle - 1];
    take_idle(r, other);
    r->core[other].is_waking = true;
    put_next(r, other, r->now + r->cost.start_ns);
    return r->cost.wake_ns;
}

static void
leave_core(struct sb_replay_state *r, uint32_t core)
{
    int64_t late = r->cost.any ? call_idle(r, core) : 0;
    uint32_t next = take_next(r, core, false);
    if (next != SB_NO_LINE) {
        start(r, next, core, late);
        return;
    }
    sb_moments_set(&r->moments, core, SB_NO_MOMENT);
    r->core[core].line = SB_NO_LINE;
    r->core[core].place = r->n_idle;
    r->idle[r->n_idle++] = core;
}

/* Returns false if nothing else is ready there. */
static bool
yield_core(struct sb_replay_state *r, uint32_t line)
{
    uint32_t core = r->line[line].core;
    if (r->cost.any) {
        enqueue(r, line);
        int64_t late = call_idle(r, core);
        start(r, take_next(r, core, false), core, late);
        return true;
    }
    uint32_t next = take_next(r, core, true);
    if (next == SB_NO_LINE)
        return false;
    enqueue(r, line);
    start(r, next, core, 0);
    return true;
}

/* ---- turns: the copies of a split server ---- */

static bool
has_turns(const struct sb_replay_state *r, uint32_t process)
{
    return r->plan->copies && r->plan->copies[process] > 0;
}

/* Returns false if the line has to wait for its turn. */
static bool
take_turn(struct sb_replay_state *r, uint32_t line)
{
    uint32_t process = r->o->process[line];
    if (!has_turns(r, process) || r->line[line].has_turn)
        return true;
    if (r->turns[process] > 0) {
        r->turns[process]--;
        return r->line[line].has_turn = true;
    }
    r->line[line].link = SB_NO_LINE;
    if (r->first[process] == SB_NO_LINE)
        r->first[process] = line;
    else
        r->line[r->last[process]].link = line;
    r->last[process] = line;
    return false;
}

static void
give_turn(struct sb_replay_state *r, uint32_t line)
{
    uint32_t process = r->o->process[line];
    if (!has_turns(r, process) || !r->line[line].has_turn)
        return;
    uint32_t other = r->first[process];
    if (other == SB_NO_LINE) {
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
send(struct sb_replay_state *r, uint32_t line, uint32_t m)
{
    uint32_t to = sb_replay_message(r, m) == SB_IS_AWAITED ? r->waiter[m] : SB_NO_LINE,
             core = r->line[line].core;
    sb_replay_mark(r, m, SB_IS_SENT);
    bool begins = to != SB_NO_LINE && r->line[to].next == r->o->from[to] + 1; /* it is spawned */
    if (begins)
        r->line[to].core = core & 0xffff;
    bool wakes = to != SB_NO_LINE && take_turn(r, to) && be_ready(r, to);
    return begins || costs_nothing(r, m) ? 0
           : wakes                       ? r->cost.wake_ns
           : to != SB_NO_LINE            ? r->cost.ready_ns
                                         : r->cost.send_ns;
}

/* Begins with what a line does on a dirty scheduler, or queues it. */
static void
start_dirty(struct sb_replay_state *r, uint32_t line)
{
    struct sb_replay_line *l = &r->line[line];
    l->waits = l->is_dirty = true;
    if (r->dirty.free > 0) {
        r->dirty.free--;
        sb_moments_put_wait(&r->moments, line, r->now + r->o->waits[r->o->op[l->next - 1].arg]);
        return;
    }
    r->full = true;
    l->link = SB_NO_LINE;
    if (r->dirty.head == SB_NO_LINE)
        r->dirty.head = line;
    else
        r->line[r->dirty.tail].link = line;
    r->dirty.tail = line;
}

static void
end_dirty(struct sb_replay_state *r, uint32_t line)
{
    uint32_t next = r->dirty.head;
    r->line[line].is_dirty = false;
    r->dirty.free++;
    if (next == SB_NO_LINE)
        return;
    r->dirty.head = r->line[next].link;
    start_dirty(r, next);
}

/* Executes the next operation. Returns false if the line left its core. */
static bool
step(struct sb_replay_state *r, uint32_t line, int64_t *cost)
{
    struct sb_replay_line *l = &r->line[line];
    const struct sb_op *op = &r->o->op[l->next++];
    *cost = 0;
    switch ((enum sb_op_kind)op->kind) {
    case SB_OP_SEND:
        *cost = send(r, line, op->arg);
        return true;
    case SB_OP_RECV:
        if (!is_sent(r, op->arg)) {
            await(r, line, op->arg);
            break;
        }
        *cost = receive(r, op);
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
execute(struct sb_replay_state *r, uint32_t core)
{
    uint32_t line = r->core[core].line;
    int64_t cost;
    if (line == SB_NO_LINE) {
        r->core[core].is_waking = false;
        leave_core(r, core);
        return true;
    }
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
next_event(struct sb_replay_state *r, bool *stuck)
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

/* A line that begins with a wait needs no core for that. */
static void
begin(struct sb_replay_state *r, uint32_t line)
{
    struct sb_replay_line *l = &r->line[line];
    const struct sb_op *op = &r->o->op[r->o->from[line]];
    l->next = r->o->from[line];
    l->end = r->o->from[line + 1];
    r->roots_left += r->o->process[line] == r->o->root;
    bool waits = l->next < l->end && op->work_ns == 0;
    if (waits && op->kind == SB_OP_RECV) {
        await(r, line, op->arg);
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

/* From the root to the process that it waits for, and so on: the last one whose message nobody sends. */
static void
find_stuck(const struct sb_replay_state *r, struct sb_replay *out)
{
    uint32_t line = r->o->root;
    out->stuck = line;
    for (uint64_t i = 0; i <= r->o->n_lines && r->line[line].next > r->o->from[line]; i++) {
        const struct sb_op *op = &r->o->op[r->line[line].next - 1];
        if (op->kind != SB_OP_RECV || is_sent(r, op->arg))
            break;
        out->stuck = r->o->process[line];
        line = out->stuck_for = r->o->sender[op->arg];
    }
}

struct sb_replay
sb_replay_run(const struct sb_replay_plan *plan, uint32_t cores)
{
    struct sb_replay_state r;
    struct sb_replay out = {0};
    bool stuck = false;
    sb_replay_state_open(&r, plan, cores);
    for (uint32_t line = 1; line <= r.o->n_lines; line++)
        begin(&r, line);
    while (next_event(&r, &stuck))
        ;
    out.ns = r.now;
    out.full = r.full;
    if (stuck)
        find_stuck(&r, &out);
    sb_replay_state_close(&r);
    return out;
}
