#include "why/predict/ops.h"
#include "profile/scan_row.h"
#include "why/account/critical.h"
#include "why/account/whole.h"
#include "why/run/exit_signals.h"
#include "why/predict/ops_build.h"

/* The part of a node's busy time that its threads spent on a CPU. */
static double
on_cpu(const struct sb_accounts *x, uint64_t id)
{
    uint32_t node = x->node_of[id];
    if (node == 0)
        return 1;
    const struct sb_account *a = &x->node[node - 1];
    double work = (double)(a->ns[SB_PART_WORK] + a->ns[SB_PART_GC] + a->ns[SB_PART_TRACING]);
    return work > 0 ? work / (work + (double)a->taken_ns) : 1;
}

/* ---- operations at moments ---- */

static void
put(struct sb_ops_build *b, int64_t at, enum sb_op_kind kind, uint32_t arg, bool woken)
{
    if (at < b->o->end_ns)
        *SB_PUSH(&b->own) =
            (struct sb_op){.at = at > 0 ? at : 0, .arg = arg, .kind = (uint8_t)kind, .woken = woken};
}

static void
put_long(struct sb_ops_build *b, int64_t at, enum sb_op_kind kind, int64_t ns)
{
    if (ns <= 0)
        return;
    *SB_PUSH(&b->waits) = ns;
    put(b, at, kind, (uint32_t)b->waits.n - 1, false);
}

static void
put_wait(struct sb_ops_build *b, int64_t at, int64_t ns)
{
    put_long(b, at, SB_OP_WAIT, ns);
}

/* The wait of a gap that no process of the trace ended. */
static void
put_idle(struct sb_ops_build *b, const struct sb_history_gap *g)
{
    size_t n = b->own.n;
    put_wait(b, g->start, g->waited - g->start);
    if (b->own.n > n) {
        b->own.at[n].is_idle = true;
        b->own.at[n].unexplained = sb_history_is_unexplained(&b->h, g);
    }
}

/* The process may have waited, or not. */
static void
put_unknown(struct sb_ops_build *b, int64_t at, int64_t ns)
{
    size_t n = b->own.n;
    put_wait(b, at, ns);
    if (b->own.n > n)
        b->own.at[n].unexplained = true;
}

/* `to` needs at `needed` what `from` did at `made`. Returns false if that is not in the trace. */
static bool
put_edge(struct sb_ops_build *b, int64_t from, int64_t made, int64_t to, int64_t needed)
{
    const uint64_t *slices = b->h.slices_from;
    if (from < 1 || from == to || made >= b->o->end_ns || needed >= b->o->end_ns ||
        slices[from] == slices[from + 1] || b->h.slice[slices[from]].start > made)
        return false;
    *SB_PUSH(&b->edge) = (struct sb_ops_edge){made, needed, (uint32_t)from, (uint32_t)to};
    return true;
}

/* The same for what ends a wait or begins a process. */
static bool
put_wake(struct sb_ops_build *b, int64_t from, int64_t made, int64_t to, int64_t needed)
{
    if (!put_edge(b, from, made, to, needed))
        return false;
    put(b, needed, SB_OP_RECV, (uint32_t)b->edge.n - 1, true);
    return true;
}

static void
put_gap(struct sb_ops_build *b, int64_t process, const struct sb_history_gap *g)
{
    bool woken = g->cause == SB_GAP_MESSAGE || g->cause == SB_GAP_EXIT || g->cause == SB_GAP_SIGNAL;
    bool has_edge = woken && put_wake(b, g->waker, g->waited, process, g->start);
    if (!has_edge)
        put_idle(b, g);
    put_wait(b, g->start, g->handed - g->waited);
    put_unknown(b, g->start, g->end - g->ready);
    if (!has_edge && g->waited == g->start && g->handed == g->waited && g->end == g->ready)
        put(b, g->start, SB_OP_YIELD, 0, false);
}

/* The way to a dirty CPU scheduler, or back from one, is a wait for a thread, which a replay finds itself. */
static bool
is_dirty_way(const struct sb_ops_build *b, int64_t process, const struct sb_history_gap *g)
{
    if (g->cause != SB_GAP_HANDOVER)
        return false;
    const struct sb_history_slice *end = b->h.slice + b->h.slices_from[process + 1],
                                  *before = sb_history_slice(&b->h, process, g->start),
                                  *after = before ? before + 1 : b->h.slice + b->h.slices_from[process];
    return (before && before->dirty_cpu) || (after < end && after->dirty_cpu);
}

/* A process that was spawned in the trace needs its parent; one that existed before begins when it was first seen. */
static void
put_birth(struct sb_ops_build *b, int64_t id, int64_t born, int64_t parent)
{
    uint64_t slice = b->h.slices_from[id], gap = b->h.gaps_from[id];
    if (born != SB_NULL && sb_history_process(&b->h, parent) > 0 && put_wake(b, parent, born, id, born))
        return;
    bool has_gap = gap < b->h.gaps_from[id + 1] && b->h.gap[gap].start <= b->h.slice[slice].start;
    put_unknown(b, 0, has_gap ? b->h.gap[gap].start : b->h.slice[slice].start);
}

#define TOO_LONG 4e18 /* ns: check_range refuses the profile */

static void
put_dirty(struct sb_ops_build *b, int64_t id, const struct sb_history_slice *s)
{
    int64_t ns = s->end - s->start;
    if (!s->dirty_cpu) {
        put_wait(b, s->start, ns);
        return;
    }
    double cpu_ns = on_cpu(&sb_whole_of(b->p)->accounts, (uint64_t)id) * (double)ns;
    ns = cpu_ns < TOO_LONG ? (int64_t)cpu_ns : (int64_t)TOO_LONG;
    b->o->dirty_ns += s->start < b->o->end_ns && ns > 0 ? ns : 0;
    put_long(b, s->start, SB_OP_DIRTY, ns);
}

static void
put_process(struct sb_ops_build *b, int64_t id, int64_t born, int64_t parent)
{
    uint64_t first = b->h.slices_from[id], end = b->h.slices_from[id + 1];
    b->own_from[id] = b->own.n;
    if (first == end)
        return;
    put_birth(b, id, born, parent);
    for (uint64_t i = b->h.gaps_from[id]; i < b->h.gaps_from[id + 1]; i++)
        if (b->h.gap[i].cause != SB_GAP_SPAWN && (born == SB_NULL || b->h.gap[i].start >= born) &&
            !is_dirty_way(b, id, &b->h.gap[i]))
            put_gap(b, id, &b->h.gap[i]);
    for (uint64_t i = first; i < end; i++)
        if (b->h.slice[i].dirty)
            put_dirty(b, id, &b->h.slice[i]);
}

static void
put_processes(struct sb_ops_build *b)
{
    SB_SCAN(s, b->h.p, process, start, parent);
    for (size_t i = 0; sb_scan_row(&s, &i); i++)
        put_process(b, (int64_t)s.row[i] + 1, s.value[start][i], s.value[parent][i]);
    b->own_from[b->h.n_processes + 1] = b->own.n;
    b->n_wakes = b->edge.n;
}

/* The VM sends 'DOWN' and 'EXIT' when the process that they name exits; one that lives on sent an exit signal, which is
 * an edge if it ended a wait. */
static void
put_down(struct sb_ops_build *b, const struct sb_history_message *m)
{
    int64_t at = m->down > 0 ? SB_CELL(b->h.p, process, end, (uint64_t)m->down - 1) : SB_NULL;
    if (at != SB_NULL && m->receiver > 0 && m->received != SB_NULL && at <= m->received)
        put_edge(b, m->down, at, m->receiver, m->received);
}

static void
put_message(void *ctx, const struct sb_history_message *m)
{
    struct sb_ops_build *b = ctx;
    if (m->sent == SB_NULL)
        put_down(b, m);
    else if (m->sender > 0 && m->receiver > 0 && m->received != SB_NULL)
        put_edge(b, m->sender, m->sent, m->receiver, m->received > m->sent ? m->received : m->sent);
}

/* ---- the whole run ---- */

/* The run ends with the last step of the critical path that is of a process. Without one it has no root. */
static void
find_end(struct sb_ops *o, const struct sb_history *h)
{
    struct sb_critical c = sb_critical_find(h);
    o->end_ns = sb_profile_span(h->p);
    for (size_t i = c.n; i-- > 0 && o->root == 0;)
        if (c.at[i].process != 0)
            o->root = c.at[i].process;
        else
            o->end_ns = c.at[i].start;
    free(c.at);
}

static double
meta_number(const struct sb_profile *p, struct sb_str key)
{
    uint64_t n;
    return sb_str_to_u64(sb_profile_meta(p, key), &n) ? (double)n : 0;
}

/*
 * What tracing cost a process: the measured cost of each class of events times its events, at most four fifths of its
 * time on a CPU. An event takes its time stamp when it begins, so the event that ends a slice costs after the slice:
 * of the two events of a slice one is in it.
 */
static void
find_scale(struct sb_ops *o, const struct sb_profile *p, const struct sb_accounts *x)
{
    static const unsigned col[] = {SB_C_process__sends,  SB_C_process__receives, SB_C_process__timeouts,
                                   SB_C_process__slices, SB_C_process__gc_count, SB_C_process__run_ns};
    enum { SENDS, RECEIVES, TIMEOUTS, SLICES, GC, RUN };
    double message = meta_number(p, SB_STR("cost_ns_x100_messages")) / 100,
           running = meta_number(p, SB_STR("cost_ns_x100_running")) / 100,
           gc = meta_number(p, SB_STR("cost_ns_x100_gc")) / 100;
    struct sb_scan s;
    sb_scan_open_columns(&s, p, SB_T_process, col, sizeof col / sizeof *col);
    for (size_t i = 0; sb_scan_row(&s, &i); i++) {
        double n[RUN + 1];
        for (unsigned c = 0; c <= RUN; c++)
            n[c] = s.value[c][i] > 0 ? (double)s.value[c][i] : 0;
        double cost = message * (n[SENDS] + n[RECEIVES] + n[TIMEOUTS]) + running * n[SLICES] + 2 * gc * n[GC],
               cpu = on_cpu(x, s.row[i] + 1), left = cpu - (n[RUN] > 0 ? cost / n[RUN] : 0);
        o->scale[s.row[i] + 1] = left > cpu / 5 ? left : cpu / 5;
    }
}

/* The sums of all times must be numbers. */
static bool
check_range(const struct sb_ops_build *b, struct sb_err *e)
{
    double sum = (double)b->o->end_ns * (double)(b->o->n_lines + 1);
    for (size_t i = 0; i < b->waits.n; i++)
        sum += (double)b->waits.at[i];
    for (uint64_t id = 1; id <= b->h.n_processes; id++)
        for (uint64_t i = b->h.slices_from[id]; i < b->h.slices_from[id + 1]; i++)
            sum += (double)b->h.slice[i].end - (double)b->h.slice[i].start;
    return (sum < TOO_LONG && b->own.n + 2 * b->edge.n - b->n_wakes < UINT32_MAX / 4 &&
            b->h.n_processes < UINT32_MAX / 4) ||
           sb_err_set(e, SB_ERR_LIMIT, "the times of the profile are too large for a replay");
}

static bool
put_rows(struct sb_ops_build *b, struct sb_err *e)
{
    SB_TRY(sb_history_read_all(&b->h, b->p, e));
    sb_exit_signals_find(&b->h);
    find_end(b->o, &b->h);
    put_processes(b);
    sb_history_messages(&b->h, 0, SB_NULL, put_message, b);
    return check_range(b, e);
}

static void
find_cores(struct sb_ops *o, const struct sb_profile *p, const struct sb_accounts *x)
{
    enum { MOST_CORES = 1 << 16 };
    int64_t cores = x->n_nodes == 1 ? SB_CELL(p, node, cores, 0) : SB_NULL;
    o->cores = cores > 0 && cores <= MOST_CORES ? (uint32_t)cores : 0;
}

bool
sb_ops_build(struct sb_ops *o, const struct sb_profile *p, struct sb_err *e)
{
    struct sb_whole_ahead ahead = sb_whole_begin(p);
    struct sb_ops_build b = {.o = o, .p = p};
    *o = (struct sb_ops){.n_lines = sb_profile_rows(p, SB_T_process)};
    o->n_processes = o->n_lines;
    b.own_from = sb_zeroed_or_die(o->n_lines + 2, sizeof *b.own_from);
    bool ok = put_rows(&b, e);
    o->waits = b.waits.at;
    sb_whole_wait(&ahead);
    if (ok) {
        const struct sb_accounts *x = &sb_whole_of(p)->accounts;
        find_cores(o, p, x);
        o->scale = sb_realloc_or_die(NULL, sb_mul_or_die(o->n_lines + 1, sizeof *o->scale));
        find_scale(o, p, x);
        sb_history_close_gaps(&b.h);
        sb_ops_write(&b);
    }
    free(b.own_from);
    SB_VEC_FREE(&b.own);
    SB_VEC_FREE(&b.edge);
    sb_history_close(&b.h);
    if (!ok)
        sb_ops_close(o);
    return ok;
}

void
sb_ops_close(struct sb_ops *o)
{
    free(o->from);
    free(o->op);
    free(o->at);
    free(o->rest_ns);
    free(o->process);
    free(o->scale);
    free(o->waits);
    free(o->sender);
    free(o->receiver);
    *o = (struct sb_ops){0};
}
