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
#include "why/account/account.h"
#include "profile/scan_row.h"
#include "profile/capacity.h"
#include "profile/left_out.h"
#include "why/program/phases.h"

const char *const sb_part_names[SB_PART_COUNT] = {
#define PART(id, name, words) name,
#include "why/account/account_parts.def"
};
const char *const sb_part_words[SB_PART_COUNT] = {
#define PART(id, name, words) words,
#include "why/account/account_parts.def"
};

enum { UNTRACED, STARTUP, PROGRAM, SHUTDOWN, GONE, PHASES };

struct lane { /* a normal scheduler */
    int64_t slices, collections;
    int64_t free_since;
};

struct now {                      /* of a node */
    int64_t last;                 /* up to which time is booked */
    int64_t until[PHASES];        /* end of each phase */
    int64_t busy, collecting;     /* lanes */
    int64_t running, running_ids; /* processes on lanes; the sum of their ids */
    int64_t dirty, sure;
    int64_t maybe; /* ready, or in an unknown state */
    bool left_out; /* some of its processes were not recorded: what its free schedulers did is unknown */
    unsigned phase;
    int64_t pending; /* outside, and not yet known for what */
};

struct person { /* a process */
    int64_t sure_since,
        sure_until; /* the last time that it was certainly ready; until: INT64_MAX if it still is */
    uint32_t lane;  /* it ran on last */
};

struct sb_accounting {
    const struct sb_profile *p;
    struct sb_accounts *out;
    struct lane *lane; /* by scheduler.id; 0: an unknown one */
    struct now *now;   /* by node row */
    struct person *person;
    bool *links; /* by port.id: the connection to another node */
};

/* ---- booking ---- */

static void
book_outside(struct sb_account *a, enum sb_outside of, int64_t ns)
{
    a->ns[SB_PART_OUTSIDE] += ns;
    a->outside_ns[of] += ns;
}

static void
settle(struct sb_accounting *x, uint32_t row, enum sb_outside of)
{
    book_outside(&x->out->node[row], of, x->now[row].pending);
    x->now[row].pending = 0;
}

static void
book_idle(struct sb_accounting *x, uint32_t row, int64_t ns)
{
    struct sb_account *a = &x->out->node[row];
    struct now *n = &x->now[row];
    if (n->left_out)
        a->ns[SB_PART_UNKNOWN] += ns;
    else if (n->sure > 0)
        a->ns[SB_PART_ELSEWHERE] += ns;
    else if (n->maybe > 0)
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
book_program(struct sb_accounting *x, uint32_t row, int64_t ns)
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
book_phase(struct sb_accounting *x, uint32_t row, int64_t ns)
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
book(struct sb_accounting *x, uint32_t row, int64_t at)
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
book_switch(struct sb_accounting *x, uint32_t row, const struct lane *lane, const struct person *p,
            int64_t at)
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
occupy(struct sb_accounting *x, uint32_t row, uint32_t lane, int64_t step, int64_t at)
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
run(struct sb_accounting *x, uint32_t row, uint32_t lane, int64_t id, int64_t at, bool begins)
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
collect(struct sb_accounting *x, uint32_t row, uint32_t lane, bool begins)
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

void
sb_accounting_change(struct sb_accounting *x, const struct sb_at_work_change *c)
{
    static const enum sb_outside outside[] = {SB_OUTSIDE_UNKNOWN, SB_OUTSIDE_TIMER, SB_OUTSIDE_NODE};
    if (c->node == 0 || c->what == SB_DOES_PERHAPS)
        return;
    uint32_t row = c->node - 1;
    struct now *n = &x->now[row];
    bool begins = c->step > 0;
    book(x, row, c->at);
    switch (c->what) {
    case SB_DOES_RUN:
        run(x, row, c->scheduler, c->id, c->at, begins);
        break;
    case SB_DOES_PORT:
        if (begins && n->pending > 0)
            settle(x, row, x->links[c->id] ? SB_OUTSIDE_NODE : SB_OUTSIDE_PORT);
        occupy(x, row, c->scheduler, c->step, c->at);
        break;
    case SB_DOES_COLLECT:
        collect(x, row, c->scheduler, begins);
        break;
    case SB_DOES_DIRTY:
    case SB_DOES_HANDOVER:
        n->dirty += c->step;
        break;
    case SB_DOES_SURELY:
        be_sure(n, &x->person[c->id], c->at, begins);
        break;
    case SB_DOES_LIKELY:
    case SB_DOES_LOST:
        n->maybe += c->step;
        break;
    case SB_DOES_WAKE:
        settle(x, row, outside[c->scheduler]);
        break;
    default:
        break;
    }
}

/* ---- before and after the sweep ---- */

static void
find_nodes(struct sb_accounting *x, struct sb_arena *a)
{
    const struct sb_phases *f = sb_phases_of(x->p);
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

/* Of a node without a slice nothing is known: running was not recorded there. */
static void
find_silent_nodes(struct sb_accounting *x, struct sb_arena *a)
{
    bool *ran = SB_NEW_N(a, bool, x->out->n_nodes + 1); /* by node row + 1 */
    SB_SCAN(s, x->p, process, id, slices);
    for (size_t i = 0; sb_scan_row(&s, &i); i++) {
        int64_t process = s.value[id][i];
        if (s.value[slices][i] > 0 && process >= 1 && (uint64_t)process <= x->out->n_processes)
            ran[x->out->node_of[process]] = true;
    }
    for (uint64_t i = 0; i < x->out->n_nodes; i++)
        if (!ran[i + 1])
            x->now[i].until[UNTRACED] = INT64_MAX;
}

/* The owner of such a port runs a function of inet_tcp_dist or another module for connections. */
static void
find_links(struct sb_accounting *x, struct sb_arena *a)
{
    uint64_t n = sb_profile_rows(x->p, SB_T_port);
    x->links = SB_NEW_N(a, bool, n + 1);
    SB_SCAN(s, x->p, port, id, owner);
    for (size_t i = 0; sb_scan_row(&s, &i); i++) {
        int64_t port = s.value[id][i], by = s.value[owner][i];
        if (port < 1 || (uint64_t)port > n || by < 1 || (uint64_t)by > x->out->n_processes)
            continue;
        struct sb_str module = sb_profile_text(x->p, SB_CELL(x->p, process, entry, (uint64_t)by - 1));
        x->links[port] = sb_str_ends(sb_str_cut(&module, ':'), SB_STR("_dist"));
    }
}

struct sb_accounting *
sb_accounting_begin(const struct sb_at_work *w, struct sb_arena *a, struct sb_accounts *out)
{
    struct sb_accounting *x = SB_NEW(a, struct sb_accounting);
    *x = (struct sb_accounting){.p = w->profile, .out = out};
    *out = (struct sb_accounts){.span_ns = sb_profile_span(w->profile),
                                .n_nodes = w->n_nodes,
                                .n_processes = w->n_processes,
                                .node_of = w->node_of};
    out->node = SB_NEW_N(a, struct sb_account, out->n_nodes + 1);
    out->for_process = SB_NEW_N(a, int64_t, out->n_processes + 1);
    x->lane = SB_NEW_N(a, struct lane, w->n_schedulers + 1);
    x->person = SB_NEW_N(a, struct person, out->n_processes + 1);
    for (uint64_t i = 1; i <= out->n_processes; i++)
        x->person[i].sure_until = -1;
    find_nodes(x, a);
    find_silent_nodes(x, a);
    find_links(x, a);
    return x;
}

void
sb_accounting_end(struct sb_accounting *x, struct sb_arena *a)
{
    for (uint32_t i = 0; i < x->out->n_nodes; i++) {
        book(x, i, x->out->span_ns);
        settle(x, i, SB_OUTSIDE_UNKNOWN);
    }
    sb_account_take_costs(x->p, x->out, a);
}
