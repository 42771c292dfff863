/*
 * Calls: the events of a process build its calling-context tree (calltree.h). When the process ends, the tree
 * is written as rows and freed. Sums over processes (table function) are made from the rows when the profile
 * is written.
 */
#include "engine/pass/call_activity.h"
#include "engine/pass/calltree.h"
#include "engine/pass/pass.h"
#include "engine/input/merge_rows.h"

static sb_pass_fn on_call, on_return_to, on_out, on_in, on_gc_start, on_gc_end, on_ended;
static void finish(struct sb_part *x, struct sb_proc *p);
static bool has_many(const struct sb_part *x, const struct sb_proc *p, size_t *rows);
static void drop(struct sb_proc *p);

static const struct sb_on on[] = {
    {SB_EV_call, SB_OWN, on_call},
    {SB_EV_return_to, SB_OWN, on_return_to},
    {SB_EV_out, SB_OWN, on_out},
    {SB_EV_in, SB_OWN, on_in},
    {SB_EV_gc_minor_start, SB_OWN, on_gc_start},
    {SB_EV_gc_major_start, SB_OWN, on_gc_start},
    {SB_EV_gc_start, SB_OWN, on_gc_start},
    {SB_EV_gc_minor_end, SB_OWN, on_gc_end},
    {SB_EV_gc_major_end, SB_OWN, on_gc_end},
    {SB_EV_gc_end, SB_OWN, on_gc_end},
    {SB_EV_exit, SB_OWN, on_ended},
};

const struct sb_pass sb_pass_calls = {"calls", "calling-context trees", SB_ON_N(on), finish, drop, has_many};

static void
on_call(struct sb_part *x, struct sb_proc *p, const struct sb_event *ev)
{
    if (x->run->stored)
        return; /* in a merge, calls only help to judge gaps; their rows are copied */
    if (!p->calls)
        p->calls = sb_calltree_open();
    sb_calltree_call(p->calls, ev->at_ns, ev->call.mfa, ev->flags & SB_EVF_HAS_CP, ev->call.cp);
}

static void
on_return_to(struct sb_part *x, struct sb_proc *p, const struct sb_event *ev)
{
    if (x->run->stored)
        return;
    if (!p->calls)
        p->calls = sb_calltree_open();
    sb_calltree_return_to(p->calls, ev->at_ns, ev->return_to.mfa);
}

static void
on_out(struct sb_part *x, struct sb_proc *p, const struct sb_event *ev)
{
    if (p->calls)
        sb_calltree_enter_pseudo(p->calls, ev->at_ns, x->run->words.of[SB_W_suspend]);
}

static void
on_in(struct sb_part *x, struct sb_proc *p, const struct sb_event *ev)
{
    if (p->calls)
        sb_calltree_leave_pseudo(p->calls, ev->at_ns, x->run->words.of[SB_W_suspend]);
}

static void
on_gc_start(struct sb_part *x, struct sb_proc *p, const struct sb_event *ev)
{
    if (p->calls)
        sb_calltree_enter_pseudo(p->calls, ev->at_ns, x->run->words.of[SB_W_garbage_collect]);
}

static void
on_gc_end(struct sb_part *x, struct sb_proc *p, const struct sb_event *ev)
{
    if (p->calls)
        sb_calltree_leave_pseudo(p->calls, ev->at_ns, x->run->words.of[SB_W_garbage_collect]);
}

/* ---- rows of a tree */

/* Returns the time of each node including its callees. A caller's node has a lower index than its
 * callees', so one backward walk suffices. */
static int64_t *
accumulate(const struct sb_calltree *t)
{
    int64_t *acc = sb_realloc_or_die(NULL, sb_mul_or_die(t->node.n, sizeof *acc));
    for (size_t i = 0; i < t->node.n; i++)
        acc[i] = t->node.at[i].own_ns;
    for (size_t i = t->node.n - 1; i > 0; i--)
        acc[t->node.at[i].parent] += acc[i];
    return acc;
}

/* Returns the function's total time in this process at its first node, NULL at others and for code whose
 * calls were not seen. */
static int64_t
function_acc(const struct sb_calltree *t, uint8_t *counted, const struct sb_call_node *n)
{
    const struct sb_call_function *f = &t->function.at[n->function];
    bool first = !counted[n->function] && f->calls > 0;
    counted[n->function] = 1;
    return first ? f->acc_ns : SB_NULL;
}

static void
node_rows(struct sb_part *x, const struct sb_proc *p, const int64_t *acc, int64_t at)
{
    const struct sb_calltree *t = p->calls;
    struct sb_rows *rows = &x->rows[SB_T_call_node];
    uint8_t *counted = sb_zeroed_or_die(t->function.n, sizeof *counted);
    for (size_t i = 1; i < t->node.n; i++) {
        const struct sb_call_node *n = &t->node.at[i];
        struct sb_call_node_row *row = sb_row_put(x, SB_T_call_node, at, p);
        row->id = 0; /* assigned when it is written; `parent` holds the distance to the parent's row */
        row->parent = n->parent ? sb_cell(rows, (int64_t)(i - n->parent)) : 0;
        row->process = p->id;
        row->mfa = n->fn;
        row->calls = sb_cell(rows, (int64_t)n->calls);
        row->own_ns = sb_cell(rows, n->own_ns);
        row->acc_ns = sb_cell(rows, acc[i]);
        row->recursive = sb_cell(rows, (int64_t)n->recursive);
        row->first = sb_rel(x->run, n->first);
        row->last = sb_rel(x->run, n->last);
        row->tail = sb_cell(rows, (int64_t)n->tail);
        row->function_acc_ns = sb_cell(rows, function_acc(t, counted, n));
    }
    free(counted);
}

static void
activation_rows(struct sb_part *x, const struct sb_proc *p, int64_t at)
{
    struct sb_rows *rows = &x->rows[SB_T_activation];
    for (size_t i = 1; i < p->calls->function.n; i++) {
        const struct sb_call_function *f = &p->calls->function.at[i];
        struct sb_interval active[SB_CALLS_INTERVALS];
        size_t n_active = sb_call_activity(f, active);
        for (size_t k = 0; k < n_active; k++) {
            struct sb_activation_row *row = sb_row_put(x, SB_T_activation, at, p);
            row->process = p->id;
            row->start = sb_rel(x->run, active[k].start);
            row->dur = sb_cell(rows, active[k].end - active[k].start);
            row->mfa = f->name;
            row->count = sb_cell(rows, (int64_t)active[k].count);
            row->busy_ns = sb_cell(rows, active[k].busy_ns);
        }
    }
}

static void
edge_rows(struct sb_part *x, const struct sb_proc *p, int64_t at)
{
    const struct sb_calltree *t = p->calls;
    struct sb_rows *rows = &x->rows[SB_T_call_edge];
    for (size_t i = 1; i < t->edge.n; i++) {
        const struct sb_call_edge *e = &t->edge.at[i];
        if (e->calls == 0)
            continue;
        struct sb_call_edge_row *row = sb_row_put(x, SB_T_call_edge, at, p);
        row->process = p->id;
        row->caller = t->function.at[e->caller].name;
        row->callee = t->function.at[e->callee].name;
        row->calls = sb_cell(rows, (int64_t)e->calls);
        row->own_ns = sb_cell(rows, e->own_ns);
        row->acc_ns = sb_cell(rows, e->acc_ns);
        row->outer_ns = sb_cell(rows, e->outer_ns);
    }
}

static void
close_tree(struct sb_part *x, struct sb_proc *p, int64_t at)
{
    if (x->run->stored)
        sb_merge_rows_calls(x, p, at);
    if (!p->calls)
        return;
    sb_calltree_end(p->calls, at);
    int64_t *acc = accumulate(p->calls);
    node_rows(x, p, acc, at);
    activation_rows(x, p, at);
    edge_rows(x, p, at);
    free(acc);
    sb_calltree_close(p->calls);
    p->calls = NULL;
}

static void
on_ended(struct sb_part *x, struct sb_proc *p, const struct sb_event *ev)
{
    close_tree(x, p, ev->at_ns);
}

static void
finish(struct sb_part *x, struct sb_proc *p)
{
    close_tree(x, p, sb_node_end(x->run, sb_actor_node(p->actor)));
}

static bool
has_many(const struct sb_part *x, const struct sb_proc *p, size_t *rows)
{
    *rows += p->calls ? p->calls->node.n - 1 : 0;
    return p->calls || (x->run->stored && sb_merge_rows_has_calls(x->run, p, rows));
}

static void
drop(struct sb_proc *p)
{
    sb_calltree_close(p->calls);
    p->calls = NULL;
}
