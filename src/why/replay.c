#include "why/replay.h"
#include "base/vec.h"

enum { NOBODY = 0, SLACK = 1 };
#define NOT_SENT UINT32_MAX

struct event { /* of a line: its work is done, or its wait is over */
    int64_t at;
    uint64_t number; /* order of events at one moment */
    uint32_t line;
};
struct core {
    uint32_t head, tail; /* its queue: lines, linked by `link` */
    uint32_t queued;
    uint32_t place; /* in `idle` */
    int64_t since;  /* it runs the present line */
    double
        pressure; /* ns that lines were behind others in its queue, each, since a core was woken for them */
};
struct line {
    uint32_t next; /* operation */
    uint32_t core; /* where it ran last */
    uint32_t link; /* the next line in the same queue */
    bool waits;    /* for the end of a WAIT */
    bool has_turn; /* it is one of the lines of its process that may run */
};

struct replay {
    const struct sb_ops *o;
    const struct sb_replay_plan *plan;
    const struct sb_replay_costs *costs;
    uint32_t cores;
    bool full;
    uint64_t roots_left; /* lines of the root that have not ended */
    int64_t now;
    uint64_t number, n_ready;
    SB_VEC(struct event) heap;
    struct core *core;
    uint32_t *idle, n_idle;
    struct line *line;
    uint32_t *waiter;       /* by message: the line that needs it */
    uint32_t *sent_on;      /* by message: core, NOT_SENT before */
    uint32_t *turns;        /* by process: how many further lines may run */
    uint32_t *first, *last; /* by process: lines that wait for their turn, linked by `link` */
};

/* ---- events ---- */

static bool
earlier(const struct event *a, const struct event *b)
{
    return a->at != b->at ? a->at < b->at : a->number < b->number;
}

static void
push(struct replay *r, int64_t at, uint32_t line)
{
    struct event e = {at, r->number++, line};
    SB_RESERVE(&r->heap, 1);
    size_t i = r->heap.n++;
    for (; i > 0 && earlier(&e, &r->heap.at[(i - 1) / 2]); i = (i - 1) / 2)
        r->heap.at[i] = r->heap.at[(i - 1) / 2];
    r->heap.at[i] = e;
}

static struct event
pop(struct replay *r)
{
    struct event top = r->heap.at[0], e = r->heap.at[--r->heap.n];
    size_t i = 0;
    for (size_t k; (k = 2 * i + 1) < r->heap.n; i = k) {
        k += k + 1 < r->heap.n && earlier(&r->heap.at[k + 1], &r->heap.at[k]);
        if (!earlier(&r->heap.at[k], &e))
            break;
        r->heap.at[i] = r->heap.at[k];
    }
    if (r->heap.n > 0)
        r->heap.at[i] = e;
    return top;
}

/* ---- cores ---- */

static int64_t
work_of(const struct replay *r, uint32_t line)
{
    uint32_t i = r->line[line].next;
    return i < r->o->from[line + 1] ? r->o->op[i].work_ns : r->o->rest_ns[line];
}

static void
start(struct replay *r, uint32_t line, uint32_t core, double late)
{
    r->line[line].core = core;
    r->core[core].since = r->now;
    double cost = r->costs ? late + r->costs->dispatch : 0;
    push(r, r->now + (int64_t)cost + work_of(r, line), line);
}

static bool
is_idle(const struct replay *r, uint32_t core)
{
    return r->core[core].place < r->n_idle && r->idle[r->core[core].place] == core;
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
    struct core *c = &r->core[r->line[line].core];
    r->line[line].link = NOBODY;
    if (c->queued++ > 0)
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
    if (r->n_idle > 0 && (is_idle(r, core) || !r->costs)) {
        core = is_idle(r, core) ? core : r->idle[r->n_idle - 1];
        take_idle(r, core);
        start(r, line, core, r->costs ? r->costs->start : 0);
        return true;
    }
    enqueue(r, line);
    return false;
}

static uint32_t
longest_queue(const struct replay *r)
{
    uint32_t best = 0;
    for (uint32_t i = 1; i < r->cores; i++)
        if (r->core[i].queued > r->core[best].queued)
            best = i;
    return best;
}

/* The line that a core runs next: the first of its own queue, or of the longest one if that is longer by more than
 * SLACK, as the VM evens its queues out. `own_is_enough`: a line on the core can go on instead. */
static uint32_t
take_next(struct replay *r, uint32_t core, bool own_is_enough)
{
    struct core *from = &r->core[core];
    uint32_t needed = from->queued > 0 || own_is_enough ? from->queued + SLACK : 0;
    if (r->n_ready > needed && r->n_ready > from->queued) {
        struct core *longest = &r->core[longest_queue(r)];
        from = longest->queued > needed ? longest : from;
    }
    if (from->queued == 0)
        return NOBODY;
    uint32_t line = from->head;
    from->head = r->line[line].link;
    from->queued--;
    r->n_ready--;
    return line;
}

/* The VM wakes a further scheduler when processes have queued up behind others for long enough. */
static void
call_idle(struct replay *r, uint32_t core)
{
    struct core *c = &r->core[core];
    int64_t ran = r->now - c->since;
    c->pressure = c->queued > 1 ? c->pressure + (double)ran * (c->queued - 1) : 0;
    if (c->pressure < r->costs->join || r->n_idle == 0)
        return;
    uint32_t other = r->idle[r->n_idle - 1], line = take_next(r, core, false);
    c->pressure = 0;
    take_idle(r, other);
    start(r, line, other, r->costs->start);
}

static void
leave_core(struct replay *r, uint32_t core)
{
    if (r->costs)
        call_idle(r, core);
    uint32_t next = take_next(r, core, false);
    if (next != NOBODY) {
        start(r, next, core, 0);
        return;
    }
    r->core[core].place = r->n_idle;
    r->idle[r->n_idle++] = core;
}

/* Returns false if nothing else is ready there. */
static bool
yield_core(struct replay *r, uint32_t line)
{
    uint32_t core = r->line[line].core;
    if (r->costs) {
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

static bool
costs_nothing(const struct replay *r, uint32_t m)
{
    return !r->costs || (r->plan->free && r->plan->free[m]);
}

/* Returns what sending costs the sender. */
static double
send(struct replay *r, uint32_t line, uint32_t m)
{
    uint32_t to = r->waiter[m], core = r->line[line].core;
    r->sent_on[m] = core;
    if (to != NOBODY && r->line[to].next == r->o->from[to] + 1) /* it was spawned, or has not run */
        r->line[to].core = core;
    bool wakes = to != NOBODY && take_turn(r, to) && be_ready(r, to);
    if (costs_nothing(r, m) || r->line[to != NOBODY ? to : r->o->receiver[m]].core == core)
        return 0;
    return r->costs->send + (wakes ? r->costs->wake : 0);
}

/* Executes the next operation. Returns false if the line left its core. */
static bool
step(struct replay *r, uint32_t line, double *cost)
{
    struct line *l = &r->line[line];
    const struct sb_op *op = &r->o->op[l->next++];
    *cost = 0;
    switch ((enum sb_op_kind)op->kind) {
    case SB_OP_SEND:
        *cost = send(r, line, op->arg);
        return true;
    case SB_OP_RECV:
        if (r->sent_on[op->arg] == NOT_SENT) {
            r->waiter[op->arg] = line;
            break;
        }
        if (!op->woken && !costs_nothing(r, op->arg) && r->sent_on[op->arg] != l->core)
            *cost = r->costs->receive;
        return true;
    case SB_OP_WAIT:
        l->waits = true;
        push(r, r->now + r->o->waits[op->arg], line);
        break;
    case SB_OP_YIELD:
        return !yield_core(r, line);
    }
    leave_core(r, l->core);
    return false;
}

/* Runs a line on its core while nothing else happens. Returns false when the root has ended. */
static bool
execute(struct replay *r, uint32_t line)
{
    double cost;
    while (r->line[line].next < r->o->from[line + 1]) {
        if (!step(r, line, &cost))
            return true;
        int64_t until = r->now + (int64_t)cost + work_of(r, line);
        if (r->heap.n > 0 && r->heap.at[0].at <= until) {
            push(r, until, line);
            return true;
        }
        r->now = until;
    }
    if (r->o->process[line] == r->o->root && --r->roots_left == 0)
        return false;
    give_turn(r, line);
    leave_core(r, r->line[line].core);
    return true;
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

static void
open(struct replay *r)
{
    uint64_t lines = r->o->n_lines + 1, people = r->o->n_processes + 1;
    r->line = zeroed(lines, sizeof *r->line);
    r->core = zeroed(r->cores, sizeof *r->core);
    r->idle = zeroed(r->cores, sizeof *r->idle);
    r->waiter = zeroed(r->o->n_messages, sizeof *r->waiter);
    r->sent_on = zeroed(r->o->n_messages, sizeof *r->sent_on);
    r->turns = zeroed(people, sizeof *r->turns);
    r->first = zeroed(people, sizeof *r->first);
    r->last = zeroed(people, sizeof *r->last);
    memset(r->sent_on, 0xff, r->o->n_messages * sizeof *r->sent_on);
    if (r->plan->copies)
        memcpy(r->turns, r->plan->copies, people * sizeof *r->turns);
    for (uint32_t i = 0; i < r->cores; i++) {
        r->idle[i] = r->cores - 1 - i;
        r->core[r->idle[i]].place = i;
    }
    r->n_idle = r->cores;
}

/* A line that begins with a wait needs no core for that. */
static void
begin(struct replay *r, uint32_t line)
{
    struct line *l = &r->line[line];
    const struct sb_op *op = &r->o->op[r->o->from[line]];
    l->next = r->o->from[line];
    r->roots_left += r->o->process[line] == r->o->root;
    bool waits = l->next < r->o->from[line + 1] && op->work_ns == 0;
    if (waits && op->kind == SB_OP_RECV) {
        r->waiter[op->arg] = line;
        l->next++;
    } else if (waits && op->kind == SB_OP_WAIT) {
        l->waits = true;
        l->next++;
        push(r, r->o->waits[op->arg], line);
    } else if (l->next < r->o->from[line + 1] || r->o->rest_ns[line] > 0 ||
               r->o->process[line] == r->o->root) {
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
    free(r->waiter);
    free(r->sent_on);
    free(r->turns);
    free(r->first);
    free(r->last);
    SB_VEC_FREE(&r->heap);
}

/* From the root to the process that it waits for, and so on: the last one whose message nobody sends. */
static void
find_stuck(const struct replay *r, struct sb_replay *out)
{
    uint32_t line = r->o->root;
    out->stuck = line;
    for (uint64_t i = 0; i <= r->o->n_lines && r->line[line].next > r->o->from[line]; i++) {
        const struct sb_op *op = &r->o->op[r->line[line].next - 1];
        if (op->kind != SB_OP_RECV || r->sent_on[op->arg] != NOT_SENT)
            break;
        out->stuck = r->o->process[line];
        line = out->stuck_for = r->o->sender[op->arg];
    }
}

struct sb_replay
sb_replay_run(const struct sb_replay_plan *plan, uint32_t cores)
{
    uint64_t most = plan->ops->n_lines + 1;
    struct replay r = {.o = plan->ops,
                       .plan = plan,
                       .costs = cores > 1 ? plan->costs : NULL,
                       .cores = cores < most ? cores : (uint32_t)most};
    struct sb_replay out = {0};
    bool runs = true;
    open(&r);
    for (uint32_t line = 1; line <= r.o->n_lines; line++)
        begin(&r, line);
    while (runs && r.heap.n > 0) {
        struct event e = pop(&r);
        r.now = e.at;
        if (r.line[e.line].waits) {
            r.line[e.line].waits = false;
            be_ready(&r, e.line);
        } else
            runs = execute(&r, e.line);
    }
    out.ns = r.now;
    out.full = r.full;
    if (runs)
        find_stuck(&r, &out);
    close(&r);
    return out;
}
