#include "why/account/critical.h"
#include "base/vec.h"
#include "profile/derive.h"
#include "why/run/exit_signals.h"
#include "why/program/phases.h"

const char *const sb_critical_names[SB_CRITICAL_N] = {
#define KIND(id, name) name,
    SB_CRITICAL_KINDS(KIND)
#undef KIND
};

struct path {
    const struct sb_history *h;
    SB_VEC(struct sb_critical_step) step; /* the last one first */
    int64_t at, process;                  /* the path is known from here on */
    uint64_t looked;                      /* how many processes were looked at for the work behind a sleep */
    bool is_ended;
};

/* A step back to `from`; 0: `function` or `peer` is unknown. */
static void
step(struct path *x, enum sb_critical_kind kind, int64_t from, int64_t function, int64_t peer)
{
    from = from > 0 ? from : 0;
    *SB_PUSH(&x->step) = (struct sb_critical_step){
        from,           x->at - from, function ? function : SB_NULL, (uint32_t)x->process,
        (uint32_t)peer, (uint8_t)kind};
    x->at = from;
}

/* ---- within a slice ---- */

/* Back to the start of the slice, with the collections in it as steps of their own. */
static void
leave_slice(struct path *x, const struct sb_history_slice *s)
{
    while (x->at > s->start) {
        const struct sb_history_collection *c = sb_history_collection(x->h, x->process, x->at);
        int64_t from = s->start;
        enum sb_critical_kind kind = s->dirty ? SB_CRITICAL_DIRTY : SB_CRITICAL_RUN;
        if (c && c->end >= x->at) {
            from = c->start > from ? c->start : from;
            kind = SB_CRITICAL_GC;
        } else if (c && c->end > from)
            from = c->end;
        step(x, kind, from, s->in, 0);
    }
}

/* ---- to another process ---- */

/* The path goes on with a process that sent something, ended or spawned another one at this moment; false: its
 * work until then is not in the trace. */
static bool
jump(struct path *x, int64_t to)
{
    const struct sb_history_slice *s = to > 0 && to != x->process ? sb_history_slice(x->h, to, x->at) : NULL;
    if (!s)
        return false;
    step(x, SB_CRITICAL_MESSAGE, s->end < x->at ? s->end : x->at, 0, to);
    x->process = to;
    return true;
}

static int64_t
parent_of(const struct path *x, int64_t process)
{
    int64_t parent = SB_CELL(x->h->p, process, parent, (uint64_t)process - 1);
    return parent >= 1 && (uint64_t)parent <= x->h->n_processes ? parent : 0;
}

/* ---- within a gap ---- */

/* When the second wait before this one began, if both ended by a timeout in the same function as well and were longer
 * than the work between: the process looks now and then whether something has happened. SB_NULL: it does not. */
static int64_t
looks_since(const struct path *x, const struct sb_history_gap *g)
{
    const struct sb_history_gap *first = x->h->gap + x->h->gaps_from[x->process];
    const struct sb_history_slice *s = sb_history_slice(x->h, x->process, g->start);
    for (int i = 0; s && i < 2; i++, g--) {
        const struct sb_history_slice *before = sb_history_slice(x->h, x->process, s->start);
        if (g == first || g[-1].cause != SB_GAP_TIMEOUT || !before || before->out != s->out ||
            g->start - g[-1].end > g[-1].waited - g[-1].start)
            return SB_NULL;
        s = before;
    }
    return s ? g->start : SB_NULL;
}

/* The last slice of a process, if it ended in a gap of another one, and if the process was at work for half of the
 * time from `since` until then; NULL: it was not. */
static const struct sb_history_slice *
last_work(const struct path *x, int64_t process, const struct sb_history_gap *g, int64_t since)
{
    const struct sb_history_slice *first = x->h->slice + x->h->slices_from[process],
                                  *last = sb_history_slice(x->h, process, g->waited), *s = last;
    int64_t work = 0;
    if (!last || last->end <= g->start || last->end > g->waited)
        return NULL;
    for (; s >= first && s->end > since; s--)
        work += s->end - (s->start > since ? s->start : since);
    return 2 * work > last->end - since ? last : NULL;
}

/* A process that looks now and then waits for the process of the program that worked until then; false: there is none.
 * All processes are looked at each time, so that is not done without end. */
static bool
jump_to_work(struct path *x, const struct sb_history_gap *g, int64_t function)
{
    enum { MOST = 1 << 24 };
    const struct sb_program *part = sb_program_of(x->h->p);
    const struct sb_history_slice *last = NULL;
    int64_t to = 0;
    int64_t since = looks_since(x, g);
    if (part->from_ns == SB_NULL || since == SB_NULL || x->looked > MOST)
        return false;
    x->looked += x->h->n_processes;
    for (uint64_t id = 1; id <= x->h->n_processes; id++) {
        const struct sb_history_slice *s =
            part->has[id] && (int64_t)id != x->process ? last_work(x, (int64_t)id, g, since) : NULL;
        if (s && (!last || s->end > last->end)) {
            last = s;
            to = (int64_t)id;
        }
    }
    if (!last)
        return false;
    step(x, SB_CRITICAL_TIMER, last->end, function, to);
    x->process = to;
    return true;
}

static void
leave_wait(struct path *x, const struct sb_history_gap *g)
{
    const struct sb_history_slice *s = sb_history_slice(x->h, x->process, x->at);
    bool woken = g->cause == SB_GAP_MESSAGE || g->cause == SB_GAP_EXIT || g->cause == SB_GAP_SIGNAL ||
                 g->cause == SB_GAP_SPAWN;
    if (x->at == g->waited && woken && jump(x, g->waker))
        return;
    if (x->at == g->waited && g->cause == SB_GAP_TIMEOUT && jump_to_work(x, g, s ? s->out : 0))
        return;
    step(x,
         g->cause == SB_GAP_TIMEOUT           ? SB_CRITICAL_TIMER
         : sb_history_port_ran(x->h, x->at)   ? SB_CRITICAL_PORT
         : sb_history_is_unexplained(x->h, g) ? SB_CRITICAL_UNKNOWN
                                              : SB_CRITICAL_OUTSIDE,
         g->start, s ? s->out : 0, 0);
    x->step.at[x->step.n - 1].interrupted = g->interrupted;
}

static void
leave_gap(struct path *x, const struct sb_history_gap *g)
{
    if (x->at > g->ready)
        step(x, SB_CRITICAL_UNKNOWN, g->ready, 0, 0);
    else if (x->at > g->handed)
        step(x, SB_CRITICAL_QUEUE, g->handed, 0, g->cause == SB_GAP_SPAWN ? parent_of(x, x->process) : 0);
    else if (x->at > g->waited)
        step(x, SB_CRITICAL_DIRTY, g->waited, 0, 0);
    else
        leave_wait(x, g);
}

/* ---- the path ---- */

/* Nothing of the process is known before: its life begins, or the trace does. */
static void
leave_life(struct path *x)
{
    int64_t start = SB_CELL(x->h->p, process, start, (uint64_t)x->process - 1);
    if (start != SB_NULL && start < x->at)
        step(x, SB_CRITICAL_UNKNOWN, start, 0, 0);
    if (start == SB_NULL || x->at == 0 || !jump(x, parent_of(x, x->process)))
        step(x, SB_CRITICAL_UNKNOWN, 0, 0, 0);
}

static void
leave(struct path *x)
{
    const struct sb_history_slice *s = sb_history_slice(x->h, x->process, x->at);
    const struct sb_history_gap *g = sb_history_gap(x->h, x->process, x->at);
    if (s && x->at <= s->end)
        leave_slice(x, s);
    else if (g && (!s || g->end > s->end || g->start >= s->end) && x->at <= g->end)
        leave_gap(x, g);
    else if (s || g) { /* a time that no row covers */
        int64_t known = s && (!g || s->end > g->end) ? s->end : g->end;
        step(x, SB_CRITICAL_UNKNOWN, known, 0, 0);
    } else
        leave_life(x);
}

struct shutdown {
    int64_t at, by; /* SB_NULL: several nodes were traced, or it did not shut down; process.id of init */
    bool any;       /* node shut down */
};

static struct shutdown
find_shutdown(const struct sb_profile *p)
{
    struct shutdown found = {SB_NULL, 0, false};
    int64_t nodes = 0;
    const struct sb_phases *f = sb_phases_of(p);
    for (uint64_t i = 0; i < sb_profile_rows(p, SB_T_node); i++)
        if (SB_CELL(p, node, trace_start, i) != SB_NULL) {
            bool stopped = f[i].shutdown_ns < f[i].end_ns;
            found = (struct shutdown){stopped && nodes == 0 ? f[i].shutdown_ns : SB_NULL, f[i].init,
                                      found.any || stopped};
            nodes++;
        }
    return found;
}

/* A process of the program that was there when it began has asked `init` to stop the node, so the program ends there.
 * What an operator or a signal stops ends at no point of the program. */
static bool
stops_node(const struct path *x, int64_t init)
{
    const struct sb_history_gap *g = init > 0 ? sb_history_gap(x->h, init, x->at) : NULL;
    if (!g || g->cause != SB_GAP_MESSAGE || g->waker == 0)
        return false;
    int64_t start = SB_CELL(x->h->p, process, start, (uint64_t)g->waker - 1);
    const struct sb_program *part = sb_program_of(x->h->p);
    return part->from_ns != SB_NULL && part->has[g->waker] && (start == SB_NULL || start <= part->from_ns);
}

/* The process stopped the VM, although others may run a little longer. */
static bool
halts(const struct path *x, const struct sb_history_slice *s)
{
    return s && s->out > 0 && sb_str_starts(sb_profile_text(x->h->p, s->out), SB_STR("erlang:halt/"));
}

static bool
has_ended(const struct path *x, int64_t process)
{
    return SB_CELL(x->h->p, process, end, (uint64_t)process - 1) != SB_NULL;
}

/* Some process of the program lives on, as where a server starts a process for each connection. */
static bool
goes_on(const struct path *x)
{
    const struct sb_program *part = sb_program_of(x->h->p);
    for (uint64_t id = 1; part->from_ns != SB_NULL && id <= x->h->n_processes; id++)
        if (part->has[id] && !has_ended(x, (int64_t)id))
            return true;
    return false;
}

/* The path ends with the process that halted the VM, or else with the one that ran last. */
static void
begin_with_last(struct path *x)
{
    int64_t last = -1, until;
    bool halted = false;
    for (uint64_t id = 1; id <= x->h->n_processes; id++) {
        const struct sb_history_slice *s = sb_history_slice(x->h, (int64_t)id, x->at);
        bool halt = halts(x, s);
        until = !s ? -1 : s->end < x->at ? s->end : x->at;
        if (halt < halted || (halt == halted && until <= last))
            continue;
        halted = halt;
        last = until;
        x->process = (int64_t)id;
    }
    x->is_ended = halted || (x->process > 0 && has_ended(x, x->process) && !goes_on(x));
    if (last < x->at) {
        int64_t process = x->process;
        x->process = 0; /* nothing is known of the program after that */
        step(x, halted ? SB_CRITICAL_SHUTDOWN : SB_CRITICAL_UNKNOWN, last, 0, 0);
        x->process = process;
    }
}

static void
begin(struct path *x)
{
    struct shutdown s = find_shutdown(x->h->p);
    if (s.at != SB_NULL && s.at > 0 && s.at < x->at)
        step(x, SB_CRITICAL_SHUTDOWN, s.at, 0, 0);
    if (s.at != SB_NULL && stops_node(x, s.by))
        x->process = s.by;
    else
        begin_with_last(x);
    x->is_ended |= s.any;
}

static void
follow(struct path *x, int64_t span_ns)
{
    x->at = span_ns;
    if (span_ns > 0)
        begin(x);
    while (x->at > 0)
        leave(x);
    for (size_t i = 0, k = x->step.n; i + 1 < k; i++) {
        struct sb_critical_step first = x->step.at[i];
        x->step.at[i] = x->step.at[--k];
        x->step.at[k] = first;
    }
}

struct sb_critical
sb_critical_find(const struct sb_history *h)
{
    struct path x = {.h = h};
    follow(&x, sb_profile_span(h->p));
    return (struct sb_critical){x.step.at, x.step.n, x.is_ended};
}

/* ---- once a profile ---- */

static bool
make(void *value, const struct sb_profile *p, struct sb_arena *a, struct sb_err *e)
{
    (void)a;
    struct sb_history h;
    SB_TRY(sb_history_read_all(&h, p, e));
    sb_exit_signals_find(&h);
    *(struct sb_critical *)value = sb_critical_find(&h);
    sb_history_close(&h);
    return true;
}

static void
close(void *value)
{
    struct sb_critical *c = value;
    free(c->at);
}

const struct sb_critical *
sb_critical_of(const struct sb_profile *p, struct sb_err *e)
{
    static const struct sb_derived derived = {sizeof(struct sb_critical), make, close};
    return sb_profile_derive(p, &derived, e);
}

void *
sb_critical_rows(const struct sb_computation *c, struct sb_err *e)
{
    const struct sb_critical *path = sb_critical_of(c->profile, e);
    if (!path)
        return NULL;
    struct sb_critical_rows *r = SB_NEW(c->arena, struct sb_critical_rows);
    *r = (struct sb_critical_rows){.p = c->profile, .path = path};
    return r;
}
