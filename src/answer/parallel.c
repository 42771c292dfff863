/* Counts how many processes and ports are at work at each moment, by a sweep over slices and gaps. */
#include "answer/parallel.h"
#include "profile/capacity.h"
#include "profile/left_out.h"
#include "profile/sweep.h"

enum what { NORMAL, DIRTY, PORT, READY, SURE, HANDOVER, WHATS }; /* SURE is a part of READY */

/* The value of a change, from the lowest bit: what (3), the scheduler (20), the id of the process or port. */
enum { SCHEDULER_SHIFT = 3, MOST_SCHEDULERS = 1 << 20, ID_SHIFT = 23 };

struct at_node {
    int64_t schedulers; /* 0: unknown */
    int64_t now[WHATS];
};

struct at_scheduler {
    bool is_known; /* a thread of the VM, which runs one process at a time */
    int64_t processes, ports;
};

struct counts {
    const struct sb_profile *profile;
    struct sb_parallel *out;
    int64_t last; /* up to which time is counted */
    int64_t dirty_cpu, dirty_io;
    int64_t *node_of_process, *node_of_port; /* by id; a node.id, or 0 */
    uint64_t n_processes, n_ports, n_nodes;
    struct at_node *node;           /* by node.id; 0: unknown */
    struct at_scheduler *scheduler; /* by scheduler.id; 0: unknown */
    uint64_t n_schedulers;
    int64_t now[WHATS], held_up, sum;
};

/* ---- the starts and ends in a window ---- */

static void
put(struct sb_sweep *x, int64_t from, int64_t to, enum what what, int64_t id, int64_t scheduler)
{
    const struct counts *c = x->ctx;
    bool is_known = scheduler >= 1 && (uint64_t)scheduler <= c->n_schedulers && scheduler < MOST_SCHEDULERS;
    sb_sweep_put(x, from, to,
                 (uint64_t)id << ID_SHIFT | (is_known ? (uint64_t)scheduler << SCHEDULER_SHIFT : 0) | what);
}

static void
put_slice(struct sb_sweep *x, const int64_t *row)
{
    const struct counts *c = x->ctx;
    int64_t from = row[0], to = sb_sweep_after(from, row[1]), kind = row[2], process = row[3], port = row[4],
            scheduler = row[5];
    if (process >= 1 && (uint64_t)process <= c->n_processes)
        put(x, from, to, kind != SB_NULL && (kind == c->dirty_cpu || kind == c->dirty_io) ? DIRTY : NORMAL,
            process, scheduler);
    else if (port >= 1 && (uint64_t)port <= c->n_ports)
        put(x, from, to, PORT, port, scheduler);
}

static void
put_gap(struct sb_sweep *x, const int64_t *row)
{
    const struct counts *c = x->ctx;
    int64_t waited = sb_sweep_after(row[0], row[1]), ready = sb_sweep_after(waited, row[2]),
            to = sb_sweep_after(ready, row[3]), low = row[5], process = row[6];
    if (process < 1 || (uint64_t)process > c->n_processes)
        return;
    put(x, waited, ready, HANDOVER, process, 0);
    put(x, ready, to, READY, process, 0);
    if (low > 0)
        put(x, low < to - ready ? to - low : ready, to, SURE, process, 0);
}

static const struct sb_sweep_spans tables[] = {
    {SB_T_slice,
     {SB_C_slice__start, SB_C_slice__dur, SB_C_slice__kind, SB_C_slice__process, SB_C_slice__port,
      SB_C_slice__scheduler},
     1,
     6,
     put_slice},
    {SB_T_gap,
     {SB_C_gap__start, SB_C_gap__wait_ns, SB_C_gap__handover_ns, SB_C_gap__runnable_ns, SB_C_gap__unknown_ns,
      SB_C_gap__low_ns, SB_C_gap__process},
     4,
     7,
     put_gap},
};

/* ---- the sweep ---- */

static void
count(struct counts *x, int64_t ns)
{
    struct sb_parallel *s = x->out;
    int64_t processes = x->now[NORMAL] + x->now[DIRTY], at_work = processes + x->now[PORT];
    s->at_level_ns[at_work < SB_PARALLEL_LEVELS ? at_work : SB_PARALLEL_LEVELS - 1] += ns;
    s->work_ns += processes * ns;
    s->port_ns += x->now[PORT] * ns;
    s->ready_ns += x->now[READY] * ns;
    s->ready_low_ns += x->now[SURE] * ns;
    s->resting_ns += at_work + x->now[READY] + x->now[HANDOVER] == 0 ? ns : 0;
    s->dirty_only_ns += x->now[DIRTY] > 0 && x->now[DIRTY] == at_work ? ns : 0;
    if (at_work == 1 && x->now[SURE] == 0) {
        s->serial_ns += ns;
        s->alone_ns[processes == 1 ? x->sum : 0] += ns;
    }
    if (s->schedulers > 0) {
        s->held_up_ns += x->held_up > 0 ? ns : 0;
        s->few_ns += at_work + x->now[SURE] < s->schedulers ? ns : 0;
    }
}

static bool
is_held_up(const struct at_node *n)
{
    return n->now[SURE] > 0 && n->now[NORMAL] + n->now[PORT] < n->schedulers;
}

/* A process calls the driver of a port within its own slice: then the scheduler does one thing, not two. */
static int64_t
ports_beside(const struct at_scheduler *s)
{
    return s->processes > 0 ? 0 : s->ports;
}

static void
add(struct counts *x, struct at_node *n, enum what what, int64_t step)
{
    n->now[what] += step;
    x->now[what] += step;
}

static void
change(void *ctx, int64_t at, uint64_t value, bool begins)
{
    struct counts *x = ctx;
    enum what what = value & ((1 << SCHEDULER_SHIFT) - 1);
    int64_t id = (int64_t)(value >> ID_SHIFT), step = begins ? 1 : -1;
    struct at_scheduler *s = &x->scheduler[(value >> SCHEDULER_SHIFT) % MOST_SCHEDULERS];
    struct at_node *n = &x->node[what == PORT ? x->node_of_port[id] : x->node_of_process[id]];
    int64_t ports = ports_beside(s);
    if (at > x->last)
        count(x, at - x->last);
    x->last = at;
    x->held_up -= is_held_up(n);
    if (what == PORT)
        s->ports += step;
    else
        add(x, n, what, step);
    if (s->is_known && what != PORT)
        s->processes += step;
    add(x, n, PORT, ports_beside(s) - ports);
    x->held_up += is_held_up(n);
    if (what == NORMAL || what == DIRTY)
        x->sum += step * id; /* with one at work, the sum is its id */
}

/* ---- nodes of processes and ports ---- */

int64_t
sb_parallel_schedulers(const struct sb_profile *p)
{
    struct sb_capacity c;
    sb_capacity_find(p, &c);
    return c.able;
}

static int64_t *
read_nodes(struct counts *x, enum sb_tab t, unsigned col, uint64_t n, struct sb_arena *a)
{
    int64_t *of = SB_NEW_N(a, int64_t, n + 1);
    if (n > 0 && x->n_nodes > 1)
        sb_profile_read(x->profile, t, col, 0, n, of + 1);
    for (uint64_t i = 1; i <= n; i++)
        of[i] = x->n_nodes == 1 ? 1 : of[i] >= 1 && (uint64_t)of[i] <= x->n_nodes ? of[i] : 0;
    return of;
}

static void
find_schedulers(struct counts *x, struct sb_arena *a)
{
    const struct sb_profile *p = x->profile;
    int64_t unknown = sb_profile_find_text(p, SB_STR("unknown"));
    x->n_schedulers = sb_profile_rows(p, SB_T_scheduler);
    x->scheduler = SB_NEW_N(a, struct at_scheduler, x->n_schedulers + 1);
    for (uint64_t i = 0; i < x->n_schedulers; i++)
        x->scheduler[i + 1].is_known =
            sb_profile_cell(p, SB_T_scheduler, SB_C_scheduler__kind, i) != unknown &&
            sb_profile_cell(p, SB_T_scheduler, SB_C_scheduler__number, i) > 0;
}

static void
find_nodes(struct counts *x, struct sb_arena *a)
{
    const struct sb_profile *p = x->profile;
    x->n_processes = sb_profile_rows(p, SB_T_process);
    x->n_ports = sb_profile_rows(p, SB_T_port);
    x->n_nodes = sb_profile_rows(p, SB_T_node);
    x->node = SB_NEW_N(a, struct at_node, x->n_nodes + 1);
    const struct sb_capacity *c = sb_capacities_find(p, a);
    for (uint64_t i = 0; i < x->n_nodes; i++)
        x->node[i + 1].schedulers = c[i].able;
    x->node_of_process = read_nodes(x, SB_T_process, SB_C_process__node, x->n_processes, a);
    x->node_of_port = read_nodes(x, SB_T_port, SB_C_port__node, x->n_ports, a);
    x->dirty_cpu = sb_profile_find_text(p, SB_STR("dirty_cpu"));
    x->dirty_io = sb_profile_find_text(p, SB_STR("dirty_io"));
}

void
sb_parallel_find(const struct sb_profile *p, int64_t t0, int64_t t1, size_t at_once, struct sb_arena *a,
                 struct sb_parallel *out)
{
    struct counts x = {.profile = p, .out = out, .last = t0};
    struct sb_sweep sweep = {.profile = p,
                             .spans = tables,
                             .n_spans = sizeof tables / sizeof *tables,
                             .at_once = at_once,
                             .ctx = &x,
                             .change = change};
    *out = (struct sb_parallel){.span_ns = t1 - t0,
                                .schedulers = sb_parallel_schedulers(p),
                                .left_out = sb_left_out_find(p, a)[0],
                                .n_ids = sb_profile_rows(p, SB_T_process) + 1};
    out->alone_ns = SB_NEW_N(a, int64_t, out->n_ids);
    find_nodes(&x, a);
    find_schedulers(&x, a);
    sb_sweep_run(&sweep, t0, t1);
    if (t1 > x.last)
        count(&x, t1 - x.last);
    if (out->schedulers == 0 || out->left_out > 0)
        out->held_up_ns = out->few_ns = SB_NULL;
    out->alone_ns[0] = 0; /* of ports */
}

int64_t
sb_parallel_most_alone(const struct sb_parallel *s, int64_t *ns)
{
    int64_t who = 0;
    *ns = 0;
    for (uint64_t i = 1; i < s->n_ids; i++)
        if (s->alone_ns[i] > *ns) {
            *ns = s->alone_ns[i];
            who = (int64_t)i;
        }
    return who;
}
