#include "why/run/at_work.h"
#include "profile/sweep.h"

/* A value of the sweep: what, 20 bits for a scheduler or for what ended a wait, whether a slice ends in a sleep, and
 * the id of a process or port. */
enum { WHAT_BITS = 4, LANE_BITS = 20, SLEEP_BIT = WHAT_BITS + LANE_BITS, ID_SHIFT };

/* ---- spans ---- */

static bool
is_process(const struct sb_at_work *c, int64_t id)
{
    return id >= 1 && (uint64_t)id <= c->n_processes;
}

static uint64_t
value(enum sb_does what, int64_t lane, int64_t id)
{
    return what | (uint64_t)lane << WHAT_BITS | (uint64_t)id << ID_SHIFT;
}

static void
put(struct sb_sweep *x, int64_t from, int64_t to, uint64_t v)
{
    const struct sb_at_work *c = x->ctx;
    if (from < to && !(c->leaves_out >> (v & ((1 << WHAT_BITS) - 1)) & 1))
        sb_sweep_put(x, from, to, v);
}

static int64_t
lane_of(const struct sb_at_work *c, int64_t scheduler)
{
    return scheduler >= 1 && (uint64_t)scheduler <= c->n_schedulers && scheduler < 1 << LANE_BITS &&
                   c->is_thread[scheduler]
               ? scheduler
               : 0;
}

static void
put_slice(struct sb_sweep *x, const int64_t *row)
{
    const struct sb_at_work *c = x->ctx;
    int64_t from = row[0], to = sb_sweep_after(from, row[1]), kind = row[2], process = row[3], port = row[4],
            lane = lane_of(c, row[5]), out = row[6];
    bool sleeps = out > 0 && (out == c->sleeps[0] || out == c->sleeps[1]);
    bool dirty = kind != SB_NULL && (kind == c->dirty_cpu || kind == c->dirty_io);
    if (is_process(c, process))
        put(x, from, to,
            value(dirty ? SB_DOES_DIRTY : SB_DOES_RUN, lane, process) | (uint64_t)sleeps << SLEEP_BIT);
    else if (port >= 1 && (uint64_t)port <= c->n_ports)
        put(x, from, to, value(SB_DOES_PORT, lane, port));
}

static void
put_gc(struct sb_sweep *x, const int64_t *row)
{
    const struct sb_at_work *c = x->ctx;
    int64_t lane = lane_of(c, row[3]);
    if (is_process(c, row[2]) && lane > 0)
        put(x, row[0], sb_sweep_after(row[0], row[1]), value(SB_DOES_COLLECT, lane, row[2]));
}

static int64_t
ended_by(const struct sb_at_work *c, int64_t process, int64_t cause, int64_t waker)
{
    if (cause != SB_NULL && cause == c->by_timeout)
        return SB_ENDED_BY_TIMER;
    if (cause != SB_NULL && cause == c->by_busy)
        return SB_ENDED_BY_NODE;
    return is_process(c, waker) && c->node_of[waker] > 0 && c->node_of[waker] != c->node_of[process]
               ? SB_ENDED_BY_NODE
               : SB_ENDED_UNKNOWN;
}

static void
put_gap(struct sb_sweep *x, const int64_t *row)
{
    const struct sb_at_work *c = x->ctx;
    int64_t waited = sb_sweep_after(row[0], row[1]), ready = sb_sweep_after(waited, row[2]),
            to = sb_sweep_after(ready, row[3]), end = sb_sweep_after(to, row[4]), low = row[5], high = row[6],
            process = row[7];
    if (!is_process(c, process))
        return;
    if (row[1] > 0 && row[4] <= 0 && !(c->leaves_out >> SB_DOES_WAKE & 1))
        sb_sweep_put_moment(x, waited, value(SB_DOES_WAKE, ended_by(c, process, row[8], row[9]), process));
    put(x, waited, ready, value(SB_DOES_HANDOVER, 0, process));
    int64_t sure = low <= 0 ? to : low < to - ready ? to - low : ready;
    int64_t first = high <= 0 ? end : high < end - row[0] ? end - high : row[0];
    put(x, sure, to, value(SB_DOES_SURELY, 0, process));
    put(x, ready, sure, value(SB_DOES_LIKELY, 0, process));
    put(x, first, ready, value(SB_DOES_PERHAPS, 0, process));
    put(x, first > to ? first : to, end, value(SB_DOES_PERHAPS, 0, process));
    put(x, to, end, value(SB_DOES_LOST, 0, process));
}

static const struct sb_sweep_spans tables[] = {
    {SB_T_slice,
     {SB_C_slice__start, SB_C_slice__dur, SB_C_slice__kind, SB_C_slice__process, SB_C_slice__port,
      SB_C_slice__scheduler, SB_C_slice__out_function},
     1,
     7,
     put_slice},
    {SB_T_gap,
     {SB_C_gap__start, SB_C_gap__wait_ns, SB_C_gap__handover_ns, SB_C_gap__runnable_ns, SB_C_gap__unknown_ns,
      SB_C_gap__low_ns, SB_C_gap__high_ns, SB_C_gap__process, SB_C_gap__cause, SB_C_gap__waker},
     4,
     10,
     put_gap},
    {SB_T_gc, {SB_C_gc__start, SB_C_gc__dur, SB_C_gc__process, SB_C_gc__scheduler}, 1, 4, put_gc},
};

/* ---- the sweep ---- */

static void
change(void *ctx, int64_t at, uint64_t v, bool begins)
{
    struct sb_at_work *x = ctx;
    struct sb_at_work_change c = {.at = at,
                                  .step = begins ? 1 : -1,
                                  .what = (enum sb_does)(v & ((1 << WHAT_BITS) - 1)),
                                  .id = (int64_t)(v >> ID_SHIFT),
                                  .scheduler = v >> WHAT_BITS & ((1 << LANE_BITS) - 1)};
    if (c.what == SB_DOES_RUN && !begins)
        x->is_asleep[c.id] = v >> SLEEP_BIT & 1;
    if (c.what == SB_DOES_WAKE && c.scheduler == SB_ENDED_UNKNOWN && x->is_asleep[c.id])
        c.scheduler = SB_ENDED_BY_TIMER;
    c.node = c.what == SB_DOES_PORT ? x->node_of_port[c.id] : x->node_of[c.id];
    x->change(x->ctx, &c);
}

void
sb_at_work_sweep(struct sb_at_work *x, int64_t t0, int64_t t1, size_t at_once)
{
    bool collects = !(x->leaves_out >> SB_DOES_COLLECT & 1);
    struct sb_sweep sweep = {.profile = x->profile,
                             .spans = tables,
                             .n_spans = collects ? 3 : 2,
                             .is_told = x->is_told,
                             .at_once = at_once,
                             .ctx = x,
                             .change = change};
    sb_sweep_run(&sweep, t0, t1);
}

static uint32_t *
read_nodes(const struct sb_at_work *x, enum sb_tab t, unsigned column, struct sb_arena *a)
{
    uint64_t n = sb_profile_rows(x->profile, t);
    uint32_t *of = SB_NEW_N(a, uint32_t, n + 1);
    int64_t *node = SB_NEW_N(a, int64_t, n + 1);
    if (n > 0)
        sb_profile_read(x->profile, t, column, 0, n, node + 1);
    for (uint64_t i = 1; i <= n; i++)
        of[i] = x->n_nodes == 1 ? 1 : node[i] >= 1 && (uint64_t)node[i] <= x->n_nodes ? (uint32_t)node[i] : 0;
    return of;
}

void
sb_at_work_open(struct sb_at_work *x, const struct sb_profile *p, struct sb_arena *a)
{
    int64_t unknown = sb_profile_find_text(p, SB_STR("unknown"));
    *x = (struct sb_at_work){.profile = p,
                             .n_processes = sb_profile_rows(p, SB_T_process),
                             .n_ports = sb_profile_rows(p, SB_T_port),
                             .n_nodes = sb_profile_rows(p, SB_T_node),
                             .n_schedulers = sb_profile_rows(p, SB_T_scheduler),
                             .dirty_cpu = sb_profile_find_text(p, SB_STR("dirty_cpu")),
                             .dirty_io = sb_profile_find_text(p, SB_STR("dirty_io")),
                             .by_timeout = sb_profile_find_text(p, SB_STR("timeout")),
                             .by_busy = sb_profile_find_text(p, SB_STR("busy"))};
    x->node_of = read_nodes(x, SB_T_process, SB_C_process__node, a);
    x->node_of_port = read_nodes(x, SB_T_port, SB_C_port__node, a);
    sb_sleeps_find(p, x->sleeps);
    x->is_asleep = SB_NEW_N(a, bool, x->n_processes + 1);
    x->is_thread = SB_NEW_N(a, bool, x->n_schedulers + 1);
    x->thread = SB_NEW_N(a, struct sb_at_work_thread, x->n_schedulers + 1);
    for (uint64_t i = 0; i < x->n_schedulers; i++)
        x->is_thread[i + 1] =
            SB_CELL(p, scheduler, kind, i) != unknown && SB_CELL(p, scheduler, number, i) > 0;
}

int64_t
sb_at_work_ports(struct sb_at_work *x, const struct sb_at_work_change *c)
{
    struct sb_at_work_thread *t = &x->thread[c->scheduler];
    int64_t before = t->processes > 0 ? 0 : t->ports;
    if (c->what == SB_DOES_PORT)
        t->ports += c->step;
    else if (c->scheduler > 0 && (c->what == SB_DOES_RUN || c->what == SB_DOES_DIRTY))
        t->processes += c->step;
    return (t->processes > 0 ? 0 : t->ports) - before;
}
