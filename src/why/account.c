/*
 * At each moment a scheduler runs something, or is idle for the same reason as all other idle ones of its node:
 *
 *     processes were not recorded      unknown
 *     a process is certainly ready     elsewhere; once that process runs on the scheduler that it ran on before,
 *                                      the time since both were there was switching
 *     a process may be ready           unknown
 *     a process runs                   process
 *     a dirty scheduler runs one       outside: dirty
 *     nothing runs                     outside: decided by what ends it
 */
#include "why/account.h"
#include "profile/capacity.h"
#include "profile/derive.h"
#include "profile/left_out.h"
#include "profile/sweep.h"
#include "profile/timeline.h"
#include "why/account_costs.h"
#include "why/phases.h"
#include <stdlib.h>

const char *const sb_part_names[SB_PART_COUNT] = {
#define PART(id, name) name,
    SB_ACCOUNT_PARTS(PART)
#undef PART
};

enum what { RUN, PORT, COLLECT, DIRTY, SURE, MAYBE, LOST, WAKE }; /* SURE is a part of MAYBE */
/* a value: what, 20 bits for a scheduler, or what ended a wait, and the id of a process or port */
enum { WHAT_BITS = 4, LANE_BITS = 20, ID_SHIFT = WHAT_BITS + LANE_BITS };

enum { UNTRACED, STARTUP, PROGRAM, SHUTDOWN, GONE, PHASES };

struct lane {      /* a normal scheduler */
    bool is_known; /* a thread of the VM, which runs one process at a time */
    int64_t slices, collections;
    int64_t free_since;
};

struct now {                      /* of a node */
    int64_t last;                 /* up to which time is booked */
    int64_t until[PHASES];        /* end of each phase */
    int64_t busy, collecting;     /* lanes */
    int64_t running, running_ids; /* processes on lanes; the sum of their ids */
    int64_t dirty, sure, maybe, lost;
    bool left_out; /* some of its processes were not recorded: what its free schedulers did is unknown */
    unsigned phase;
    int64_t pending; /* outside, and not yet known for what */
};

struct person { /* a process */
    int64_t sure_since,
        sure_until; /* the last time that it was certainly ready; until: INT64_MAX if it still is */
    uint32_t lane;  /* it ran on last */
};

struct accounting {
    const struct sb_profile *p;
    struct sb_accounts *out;
    int64_t dirty_cpu, dirty_io, by_timeout;
    uint64_t n_lanes, n_ports;
    struct lane *lane; /* by scheduler.id; 0: an unknown one */
    uint32_t *node_of_port;
    struct now *now; /* by node row */
    struct person *person;
};

/* ---- spans ---- */

static uint64_t
value(enum what what, int64_t lane, int64_t id)
{
    return what | (uint64_t)lane << WHAT_BITS | (uint64_t)id << ID_SHIFT;
}

static bool
is_process(const struct accounting *c, int64_t id)
{
    return id >= 1 && (uint64_t)id <= c->out->n_processes && c->out->node_of[id] > 0;
}

static int64_t
lane_of(const struct accounting *c, int64_t scheduler)
{
    return scheduler >= 1 && (uint64_t)scheduler <= c->n_lanes && c->lane[scheduler].is_known ? scheduler : 0;
}

static bool
is_dirty(const struct accounting *c, int64_t kind)
{
    return kind != SB_NULL && (kind == c->dirty_cpu || kind == c->dirty_io);
}

static void
put_slice(struct sb_sweep *x, const int64_t *row)
{
    const struct accounting *c = x->ctx;
    int64_t from = row[0], to = sb_sweep_after(from, row[1]), lane = lane_of(c, row[5]);
    if (is_process(c, row[3]))
        sb_sweep_put(x, from, to, value(is_dirty(c, row[2]) ? DIRTY : RUN, lane, row[3]));
    else if (row[4] >= 1 && (uint64_t)row[4] <= c->n_ports && c->node_of_port[row[4]] > 0)
        sb_sweep_put(x, from, to, value(PORT, lane, row[4]));
}

static void
put_gc(struct sb_sweep *x, const int64_t *row)
{
    const struct accounting *c = x->ctx;
    if (is_process(c, row[2]) && lane_of(c, row[3]) > 0)
        sb_sweep_put(x, row[0], sb_sweep_after(row[0], row[1]), value(COLLECT, row[3], row[2]));
}

static enum sb_outside
ended_by(const struct accounting *c, int64_t process, int64_t cause, int64_t waker)
{
    if (cause != SB_NULL && cause == c->by_timeout)
        return SB_OUTSIDE_TIMER;
    return is_process(c, waker) && c->out->node_of[waker] != c->out->node_of[process] ? SB_OUTSIDE_NODE
                                                                                      : SB_OUTSIDE_UNKNOWN;
}

static void
put_gap(struct sb_sweep *x, const int64_t *row)
{
    const struct accounting *c = x->ctx;
    int64_t waited = sb_sweep_after(row[0], row[1]), ready = sb_sweep_after(waited, row[2]),
            to = sb_sweep_after(ready, row[3]), end = sb_sweep_after(to, row[4]), low = row[5],
            process = row[6];
    if (!is_process(c, process))
        return;
    if (row[1] > 0 && row[4] <= 0)
        sb_sweep_put_moment(x, waited, value(WAKE, ended_by(c, process, row[7], row[8]), process));
    sb_sweep_put(x, waited, ready, value(DIRTY, 0, process));
    sb_sweep_put(x, ready, to, value(MAYBE, 0, process));
    if (low > 0)
        sb_sweep_put(x, low < to - ready ? to - low : ready, to, value(SURE, 0, process));
    sb_sweep_put(x, to, end, value(LOST, 0, process));
}

static const struct sb_sweep_spans tables[] = {
    {SB_T_slice,
     {SB_C_slice__start, SB_C_slice__dur, SB_C_slice__kind, SB_C_slice__process, SB_C_slice__port,
      SB_C_slice__scheduler},
     1,
     6,
     put_slice},
    {SB_T_gc, {SB_C_gc__start, SB_C_gc__dur, SB_C_gc__process, SB_C_gc__scheduler}, 1, 4, put_gc},
    {SB_T_gap,
     {SB_C_gap__start, SB_C_gap__wait_ns, SB_C_gap__handover_ns, SB_C_gap__runnable_ns, SB_C_gap__unknown_ns,
      SB_C_gap__low_ns, SB_C_gap__process, SB_C_gap__cause, SB_C_gap__waker},
     4,
     9,
     put_gap},
};

/* ---- booking ---- */

static void
book_outside(struct sb_account *a, enum sb_outside of, int64_t ns)
{
    a->ns[SB_PART_OUTSIDE] += ns;
    a->outside_ns[of] += ns;
}

static void
settle(struct accounting *x, uint32_t row, enum sb_outside of)
{
    book_outside(&x->out->node[row], of, x->now[row].pending);
    x->now[row].pending = 0;
}

static void
book_idle(struct accounting *x, uint32_t row, int64_t ns)
{
    struct sb_account *a = &x->out->node[row];
    struct now *n = &x->now[row];
    if (n->left_out)
        a->ns[SB_PART_UNKNOWN] += ns;
    else if (n->sure > 0)
        a->ns[SB_PART_ELSEWHERE] += ns;
    else if (n->maybe > 0 || n->lost > 0)
        a->ns[SB_PART_UNKNOWN] += ns;
    else if (n->running > 0) {
        a->ns[SB_PART_PROCESS] += ns;
        if (n->running == 1)
            x->out->for_process[n->running_ids] += ns;
        else
            a->for_several_ns += ns;
    } else if (n->busy > 0)
        book_outside(a, SB_OUTSIDE_PORT, ns);
    else if (n->dirty > 0)
        book_outside(a, SB_OUTSIDE_DIRTY, ns);
    else
        n->pending += ns;
}

static void
book_program(struct accounting *x, uint32_t row, int64_t ns)
{
    struct sb_account *a = &x->out->node[row];
    struct now *n = &x->now[row];
    int64_t busy = n->busy < a->schedulers ? n->busy : a->schedulers,
            collecting = n->collecting < busy ? n->collecting : busy;
    a->ns[SB_PART_GC] += collecting * ns;
    a->ns[SB_PART_WORK] += (busy - collecting) * ns;
    if (busy < a->schedulers)
        book_idle(x, row, (a->schedulers - busy) * ns);
}

static void
book_phase(struct accounting *x, uint32_t row, int64_t ns)
{
    static const enum sb_account_part part[PHASES] = {[UNTRACED] = SB_PART_UNKNOWN,
                                                      [STARTUP] = SB_PART_STARTUP,
                                                      [SHUTDOWN] = SB_PART_SHUTDOWN,
                                                      [GONE] = SB_PART_UNKNOWN};
    if (x->now[row].phase == PROGRAM)
        book_program(x, row, ns);
    else
        x->out->node[row].ns[part[x->now[row].phase]] += x->out->node[row].schedulers * ns;
}

/* Books the time of a node up to `at`; a part of it in each phase that it touches. */
static void
book(struct accounting *x, uint32_t row, int64_t at)
{
    struct now *n = &x->now[row];
    while (n->last < at) {
        int64_t to = at < n->until[n->phase] ? at : n->until[n->phase];
        if (to > n->last)
            book_phase(x, row, to - n->last);
        n->last = to > n->last ? to : n->last;
        if (n->last < at)
            n->phase++;
    }
}

/* A process begins to run where it ran before: since it was ready and the scheduler was free, that was switching
 * and booked as `elsewhere`. */
static void
book_switch(struct accounting *x, uint32_t row, const struct lane *lane, const struct person *p, int64_t at)
{
    const struct now *n = &x->now[row];
    int64_t from = p->sure_since > lane->free_since ? p->sure_since : lane->free_since,
            begin = n->phase > 0 ? n->until[n->phase - 1] : 0;
    from = from > begin ? from : begin;
    if (p->sure_until < at || from >= at || n->phase != PROGRAM || x->out->node[row].schedulers == 0)
        return;
    struct sb_account *a = &x->out->node[row];
    int64_t ns = at - from < a->ns[SB_PART_ELSEWHERE] ? at - from : a->ns[SB_PART_ELSEWHERE];
    a->switches++;
    a->ns[SB_PART_SWITCHING] += ns;
    a->ns[SB_PART_ELSEWHERE] -= ns;
}

/* ---- changes ---- */

static void
occupy(struct accounting *x, uint32_t row, uint32_t lane, int64_t step, int64_t at)
{
    struct lane *l = &x->lane[lane];
    struct now *n = &x->now[row];
    int64_t before = l->slices;
    l->slices += step;
    bool one_each = lane == 0; /* without a scheduler each is on one of its own */
    n->busy += one_each ? step : (l->slices > 0) - (before > 0);
    n->collecting += one_each || l->collections == 0 ? 0 : (l->slices > 0) - (before > 0);
    if (l->slices == 0)
        l->free_since = at;
}

static void
run(struct accounting *x, uint32_t row, uint32_t lane, int64_t id, int64_t at, bool begins)
{
    struct person *p = &x->person[id];
    struct now *n = &x->now[row];
    if (begins && n->pending > 0)
        settle(x, row, SB_OUTSIDE_UNKNOWN);
    if (begins && lane > 0 && lane == p->lane && x->lane[lane].slices == 0)
        book_switch(x, row, &x->lane[lane], p, at);
    p->lane = lane;
    n->running += begins ? 1 : -1;
    n->running_ids += begins ? id : -id;
    occupy(x, row, lane, begins ? 1 : -1, at);
}

static void
collect(struct accounting *x, uint32_t row, uint32_t lane, bool begins)
{
    struct lane *l = &x->lane[lane];
    int64_t before = l->collections;
    l->collections += begins ? 1 : -1;
    if (l->slices > 0)
        x->now[row].collecting += (l->collections > 0) - (before > 0);
}

static void
be_sure(struct now *n, struct person *p, int64_t at, bool begins)
{
    n->sure += begins ? 1 : -1;
    if (!begins)
        p->sure_until = at;
    else {
        p->sure_since = p->sure_until == at ? p->sure_since : at; /* it may go on from the window before */
        p->sure_until = INT64_MAX;
    }
}

static void
change(void *ctx, int64_t at, uint64_t v, bool begins)
{
    struct accounting *x = ctx;
    enum what what = v & ((1 << WHAT_BITS) - 1);
    uint32_t lane = v >> WHAT_BITS & ((1 << LANE_BITS) - 1);
    int64_t id = (int64_t)(v >> ID_SHIFT), step = begins ? 1 : -1;
    uint32_t row = (what == PORT ? x->node_of_port[id] : x->out->node_of[id]) - 1;
    struct now *n = &x->now[row];
    book(x, row, at);
    switch (what) {
    case RUN:
        run(x, row, lane, id, at, begins);
        break;
    case PORT:
        if (begins && n->pending > 0)
            settle(x, row, SB_OUTSIDE_PORT);
        occupy(x, row, lane, step, at);
        break;
    case COLLECT:
        collect(x, row, lane, begins);
        break;
    case DIRTY:
        n->dirty += step;
        break;
    case SURE:
        be_sure(n, &x->person[id], at, begins);
        break;
    case MAYBE:
        n->maybe += step;
        break;
    case LOST:
        n->lost += step;
        break;
    case WAKE:
        settle(x, row, (enum sb_outside)lane);
        break;
    }
}

/* ---- before and after the sweep ---- */

static uint32_t
node_row(const struct accounting *x, int64_t node)
{
    return node >= 1 && (uint64_t)node <= x->out->n_nodes ? (uint32_t)node : 0;
}

static void
find_nodes(struct accounting *x, struct sb_arena *a)
{
    struct sb_phases *f = sb_phases_find(x->p, a);
    const struct sb_capacity *c = sb_capacities_find(x->p, a);
    const int64_t *left_out = sb_left_out_find(x->p, a);
    x->now = SB_NEW_N(a, struct now, x->out->n_nodes + 1);
    for (uint64_t i = 0; i < x->out->n_nodes; i++) {
        x->out->node[i].schedulers = c[i].traced ? c[i].schedulers : 0;
        x->now[i].left_out = left_out[i + 1] > 0;
        memcpy(x->now[i].until,
               (int64_t[PHASES]){f[i].known_ns, f[i].program_ns, f[i].shutdown_ns, f[i].end_ns, INT64_MAX},
               sizeof x->now[i].until);
    }
}

static int64_t *
read_column(const struct sb_profile *p, enum sb_tab t, unsigned col, struct sb_arena *a)
{
    uint64_t n = sb_profile_rows(p, t);
    int64_t *v = SB_NEW_N(a, int64_t, n + 1);
    if (n > 0)
        sb_profile_read(p, t, col, 0, n, v + 1);
    return v;
}

static void
find_places(struct accounting *x, struct sb_arena *a)
{
    x->n_lanes = sb_profile_rows(x->p, SB_T_scheduler);
    x->n_lanes = x->n_lanes < 1 << LANE_BITS ? x->n_lanes : (1 << LANE_BITS) - 1;
    x->lane = SB_NEW_N(a, struct lane, x->n_lanes + 1);
    int64_t unknown = sb_profile_find_text(x->p, SB_STR("unknown"));
    for (uint64_t i = 0; i < x->n_lanes; i++)
        x->lane[i + 1].is_known = sb_profile_cell(x->p, SB_T_scheduler, SB_C_scheduler__kind, i) != unknown &&
                                  sb_profile_cell(x->p, SB_T_scheduler, SB_C_scheduler__number, i) > 0;
    x->n_ports = sb_profile_rows(x->p, SB_T_port);
    x->node_of_port = SB_NEW_N(a, uint32_t, x->n_ports + 1);
    const int64_t *node = read_column(x->p, SB_T_port, SB_C_port__node, a);
    for (uint64_t i = 1; i <= x->n_ports; i++)
        x->node_of_port[i] = node_row(x, node[i]);
    x->person = SB_NEW_N(a, struct person, x->out->n_processes + 1);
    node = read_column(x->p, SB_T_process, SB_C_process__node, a);
    x->out->node_of = SB_NEW_N(a, uint32_t, x->out->n_processes + 1);
    for (uint64_t i = 1; i <= x->out->n_processes; i++) {
        x->person[i].sure_until = -1;
        x->out->node_of[i] = node_row(x, node[i]);
    }
}

/* Of a node without a slice nothing is known: running was not recorded there. */
static void
find_silent_nodes(struct accounting *x, struct sb_arena *a)
{
    bool *ran = SB_NEW_N(a, bool, x->out->n_nodes + 1); /* by node row + 1 */
    struct sb_scan s;
    sb_scan_open(&s, x->p, SB_T_slice);
    unsigned process = sb_scan_want(&s, SB_C_slice__process);
    while (sb_scan_next(&s))
        for (size_t i = 0; i < s.n; i++) {
            int64_t id = s.value[process][i];
            if (id >= 1 && (uint64_t)id <= x->out->n_processes)
                ran[x->out->node_of[id]] = true;
        }
    sb_scan_close(&s);
    for (uint64_t i = 0; i < x->out->n_nodes; i++)
        if (!ran[i + 1])
            x->now[i].until[UNTRACED] = INT64_MAX;
}

void
sb_account_find(const struct sb_profile *p, size_t at_once, struct sb_arena *a, struct sb_accounts *out)
{
    struct accounting x = {.p = p, .out = out};
    *out = (struct sb_accounts){.span_ns = sb_profile_span(p),
                                .n_nodes = sb_profile_rows(p, SB_T_node),
                                .n_processes = sb_profile_rows(p, SB_T_process)};
    out->node = SB_NEW_N(a, struct sb_account, out->n_nodes + 1);
    out->for_process = SB_NEW_N(a, int64_t, out->n_processes + 1);
    x.dirty_cpu = sb_profile_find_text(p, SB_STR("dirty_cpu"));
    x.dirty_io = sb_profile_find_text(p, SB_STR("dirty_io"));
    x.by_timeout = sb_profile_find_text(p, SB_STR("timeout"));
    find_nodes(&x, a);
    find_places(&x, a);
    find_silent_nodes(&x, a);
    struct sb_sweep sweep = {.profile = p,
                             .spans = tables,
                             .n_spans = sizeof tables / sizeof *tables,
                             .at_once = at_once,
                             .ctx = &x,
                             .change = change};
    sb_sweep_run(&sweep, 0, out->span_ns);
    for (uint32_t i = 0; i < out->n_nodes; i++) {
        book(&x, i, out->span_ns);
        settle(&x, i, SB_OUTSIDE_UNKNOWN);
    }
    sb_account_take_costs(p, out, a);
}

int64_t
sb_account_for(const struct sb_accounts *x, uint64_t node, uint64_t process)
{
    return process == 0                      ? x->node[node].for_several_ns
           : x->node_of[process] == node + 1 ? x->for_process[process]
                                             : 0;
}

/* ---- once a profile ---- */

struct kept {
    struct sb_arena arena;
    struct sb_accounts accounts;
};

static void *
make(const struct sb_profile *p, struct sb_err *e)
{
    (void)e;
    struct kept *k = sb_realloc_or_die(NULL, sizeof *k);
    sb_arena_init(&k->arena);
    sb_account_find(p, 0, &k->arena, &k->accounts);
    return k;
}

static void
close(void *value)
{
    struct kept *k = value;
    sb_arena_close(&k->arena);
    free(k);
}

const struct sb_accounts *
sb_accounts_of(const struct sb_profile *p, struct sb_err *e)
{
    static const struct sb_derived derived = {make, close};
    const struct kept *k = sb_profile_derive(p, &derived, e);
    return k ? &k->accounts : NULL;
}
