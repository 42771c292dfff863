#include "engine/calltree.h"
#include "base/err.h"

struct sb_calltree *
sb_calltree_open(void)
{
    struct sb_calltree *t = sb_realloc_or_die(NULL, sizeof *t);
    *t = (struct sb_calltree){0};
    *SB_PUSH(&t->node) = (struct sb_call_node){0};
    *SB_PUSH(&t->path) = (struct sb_call_frame){0};
    return t;
}

void
sb_calltree_close(struct sb_calltree *t)
{
    if (!t)
        return;
    for (size_t i = 0; i < t->node.n; i++)
        free(t->node.at[i].earlier);
    SB_VEC_FREE(&t->node);
    SB_VEC_FREE(&t->step);
    SB_VEC_FREE(&t->path);
    sb_map_close(&t->deep);
    sb_map_close(&t->step_of);
    sb_map_close(&t->called);
    free(t);
}

/* ---- activity: a bounded list of intervals, joined when it is full */

size_t
sb_calltree_intervals(const struct sb_call_node *n, struct sb_interval all[SB_CALLS_INTERVALS])
{
    size_t k = n->earlier ? n->earlier->n : 0;
    if (k > 0)
        memcpy(all, n->earlier->at, k * sizeof *all);
    if (n->latest.count > 0)
        all[k++] = n->latest;
    return k;
}

static void
join_intervals(struct sb_call_node *n)
{
    struct sb_interval all[SB_CALLS_INTERVALS];
    size_t k = sb_calltree_intervals(n, all);
    int64_t *join_ns = &n->earlier->join_ns;
    while (k == SB_CALLS_INTERVALS) {
        int64_t span = all[k - 1].end - all[0].start;
        *join_ns = *join_ns ? *join_ns * 2 : span / (SB_CALLS_INTERVALS * 16) + 1;
        size_t kept = 0;
        for (size_t i = 1; i < k; i++) {
            if (all[i].start - all[kept].end < *join_ns) {
                all[kept].end = all[i].end;
                all[kept].count += all[i].count;
            } else {
                all[++kept] = all[i];
            }
        }
        k = kept + 1;
    }
    n->latest = all[--k];
    n->earlier->n = (uint32_t)k;
    memcpy(n->earlier->at, all, k * sizeof *all);
}

static void
keep_latest(struct sb_call_node *n)
{
    struct sb_earlier_intervals *e = n->earlier;
    if (!e || e->n == e->cap) {
        uint32_t cap = e ? e->cap * 2 + 1 : 1; /* 1, 3, 7, 15 */
        n->earlier = sb_realloc_or_die(e, sizeof *e + cap * sizeof *e->at);
        if (!e)
            *n->earlier = (struct sb_earlier_intervals){0};
        e = n->earlier;
        e->cap = cap;
    }
    e->at[e->n++] = n->latest;
}

static void
was_active(struct sb_call_node *n, int64_t start, int64_t end)
{
    int64_t join_ns = n->earlier ? n->earlier->join_ns : 0;
    if (n->latest.count > 0 && start - n->latest.end < join_ns) {
        n->latest.end = end;
        n->latest.count++;
        return;
    }
    if (n->latest.count > 0)
        keep_latest(n);
    n->latest = (struct sb_interval){start, end, 1};
    if (n->earlier && n->earlier->n + 1 == SB_CALLS_INTERVALS)
        join_intervals(n);
}

/* ---- moving along the tree */

static struct sb_call_frame *
top(const struct sb_calltree *t)
{
    return &t->path.at[t->path.n - 1];
}

static void
charge(struct sb_calltree *t, int64_t at)
{
    if (t->path.n > 1 && at > t->since)
        top(t)->own_ns += at - t->since;
    t->since = at;
}

/* The further part of a long path, but for its end, goes into a map: each function is put there once while it
 * stays on the path, so finding one costs the same however long the path is. */
static void
deepen(struct sb_calltree *t, size_t near)
{
    bool is_new;
    for (; t->n_deep + near + 1 < t->path.n; t->n_deep++)
        *sb_map_put(&t->deep, t->path.at[t->n_deep + 1].fn, &is_new) = (uint32_t)t->n_deep + 1;
}

/* Where `fn` stands on the path, 0: nowhere. */
static size_t
on_path(struct sb_calltree *t, uint32_t fn)
{
    enum { NEAR = 32 };
    size_t i = t->path.n - 1;
    while (i > t->n_deep && t->path.at[i].fn != fn)
        i--;
    if (i > t->n_deep)
        return i;
    const uint32_t *deep = sb_map_get(&t->deep, fn);
    size_t found = deep ? *deep : 0;
    if (t->path.n - t->n_deep > 4 * NEAR)
        deepen(t, NEAR);
    return found;
}

static uint32_t
child_of(struct sb_calltree *t, uint32_t parent, uint32_t fn)
{
    for (uint32_t c = t->node.at[parent].child; c; c = t->node.at[c].sibling)
        if (t->node.at[c].fn == fn)
            return c;
    uint32_t c = (uint32_t)t->node.n;
    *SB_PUSH(&t->node) =
        (struct sb_call_node){.fn = fn, .parent = parent, .sibling = t->node.at[parent].child, .dummy = true};
    t->node.at[parent].child = c;
    return c;
}

static void
enter(struct sb_calltree *t, uint32_t node, int64_t at) /* a child of what runs */
{
    const struct sb_call_node *n = &t->node.at[node];
    *SB_PUSH(&t->path) = (struct sb_call_frame){.node = node, .fn = n->fn, .entered = at};
    t->n_folded += n->folded_from != 0;
}

static void
folded_from(struct sb_calltree *t, uint32_t from) /* of what runs */
{
    struct sb_call_node *n = &t->node.at[top(t)->node];
    t->n_folded += (from != 0);
    t->n_folded -= (n->folded_from != 0);
    n->folded_from = from & INT32_MAX;
}

/* Leaves nodes until that at `stop` runs; 0: nobody. */
static void
leave_until(struct sb_calltree *t, size_t stop, int64_t at, bool mark_tails)
{
    for (; t->path.n - 1 > stop; t->path.n--) {
        const struct sb_call_frame *f = top(t);
        struct sb_call_node *n = &t->node.at[f->node];
        was_active(n, f->entered, at);
        n->own_ns += f->own_ns;
        if (mark_tails)
            n->tail += f->folds + (t->path.n - 2 != stop);
        t->n_folded -= n->folded_from != 0;
        if (t->n_deep == t->path.n - 1) {
            sb_map_del(&t->deep, f->fn);
            t->n_deep--;
        }
    }
}

/* Goes down again into the part of the path that a fold cut off, up to `node`. */
static void
enter_path(struct sb_calltree *t, uint32_t node, int64_t at)
{
    size_t had = t->path.n, n = 0;
    for (uint32_t i = node; i != t->path.at[had - 1].node; i = t->node.at[i].parent)
        n++;
    SB_RESERVE(&t->path, n);
    for (uint32_t i = node; n > 0; i = t->node.at[i].parent) {
        const struct sb_call_node *c = &t->node.at[i];
        t->path.at[had + --n] = (struct sb_call_frame){.node = i, .fn = c->fn, .entered = at};
        t->n_folded += c->folded_from != 0;
        t->path.n++;
    }
}

/* ---- calls */

static struct sb_call_step *
step_of(struct sb_calltree *t, uint32_t from, uint32_t fn)
{
    uint32_t known = t->node.at[from].step;
    if (known && t->step.at[known - 1].fn == fn)
        return &t->step.at[known - 1];
    const uint32_t *slot = sb_map_get(&t->step_of, (uint64_t)from << 32 | fn);
    if (!slot)
        return NULL;
    t->node.at[from].step = *slot + 1;
    return &t->step.at[*slot];
}

static struct sb_call_step *
learn_step(struct sb_calltree *t, uint32_t from, uint32_t fn, uint32_t to, bool fold)
{
    bool is_new;
    *sb_map_put(&t->step_of, (uint64_t)from << 32 | fn, &is_new) = (uint32_t)t->step.n;
    *SB_PUSH(&t->step) = (struct sb_call_step){from, fn, to, fold, 0};
    return &t->step.at[t->step.n - 1];
}

/* One of the callees that were called last, 0 when it is none of them: it comes to stand first. */
static uint32_t
recent_callee(struct sb_calltree *t, uint32_t from, uint32_t fn)
{
    enum { LOOKED_AT = 8 };
    uint32_t *first = &t->node.at[from].child, *link = first;
    for (unsigned i = 0; i < LOOKED_AT && *link; i++, link = &t->node.at[*link].sibling) {
        uint32_t c = *link;
        if (t->node.at[c].fn != fn)
            continue;
        *link = t->node.at[c].sibling;
        t->node.at[c].sibling = *first;
        *first = c;
        return c;
    }
    return 0;
}

static void
count_call(struct sb_calltree *t)
{
    struct sb_call_node *n = &t->node.at[top(t)->node];
    bool is_new;
    n->calls++;
    if (n->dummy)
        sb_map_put(&t->called, n->fn, &is_new);
    n->dummy = false;
}

static void
take_fold(struct sb_calltree *t, int64_t at, size_t to)
{
    uint32_t from = top(t)->node;
    leave_until(t, to, at, false);
    top(t)->folds++;
    if (from != top(t)->node)
        folded_from(t, from);
}

static void
take_callee(struct sb_calltree *t, int64_t at, uint32_t to)
{
    enter(t, to, at);
    folded_from(t, 0);
}

/* A new callee needs no step: it stands first among them. */
static void
take_new(struct sb_calltree *t, int64_t at, uint32_t fn)
{
    uint32_t from = top(t)->node;
    size_t known = t->node.n, ancestor = on_path(t, fn);
    if (ancestor) {
        learn_step(t, from, fn, t->path.at[ancestor].node, true)->calls++;
        take_fold(t, at, ancestor);
        return;
    }
    uint32_t to = child_of(t, from, fn);
    if (t->node.n == known)
        learn_step(t, from, fn, to, false);
    take_callee(t, at, to);
}

static void
take_call(struct sb_calltree *t, int64_t at, uint32_t fn)
{
    uint32_t from = top(t)->node, to = recent_callee(t, from, fn);
    struct sb_call_step *s = to ? NULL : step_of(t, from, fn);
    if (s && s->fold) {
        s->calls++;
        take_fold(t, at, on_path(t, fn));
    } else if (to || s) {
        take_callee(t, at, to ? to : s->to);
    } else {
        take_new(t, at, fn);
    }
    count_call(t);
}

static void
come_back(struct sb_calltree *t) /* a call or return while suspended or collecting: an `in` or end was lost */
{
    if (t->n_pseudo) {
        leave_until(t, t->pseudo[0], t->since, false);
        t->n_pseudo = 0;
    }
}

static bool
is_lone_dummy(const struct sb_calltree *t) /* where a process was when its trace began */
{
    return t->path.n == 2 && t->node.at[top(t)->node].dummy;
}

/* Whether what runs may stand below a caller that is not on the path: one that is not traced, called by it,
 * or one that a fold cut off. Else the path is over. */
static bool
may_have_called(const struct sb_calltree *t, uint32_t cp)
{
    if (t->path.n == 1 || is_lone_dummy(t))
        return false;
    return t->n_folded > 0 || !sb_map_get(&t->called, cp);
}

void
sb_calltree_call(struct sb_calltree *t, int64_t at, uint32_t fn, bool has_cp, uint32_t cp)
{
    charge(t, at);
    come_back(t);
    t->callers_told |= has_cp;
    if (has_cp && cp && !on_path(t, cp) && !may_have_called(t, cp)) {
        leave_until(t, 0, at, false);
        enter(t, child_of(t, 0, cp), at);
    }
    bool tail = has_cp && t->path.n > 1 && top(t)->fn != cp;
    take_call(t, at, fn);
    if (tail)
        t->node.at[top(t)->node].tail++;
}

/* A return to what the path does not hold. A traced function must be meant, whatever the folding cut off; an
 * untraced one between two traced ones leaves its time to its caller, and at the bottom it is the only name
 * there is. */
static void
return_unseen(struct sb_calltree *t, int64_t at, uint32_t fn)
{
    if (is_lone_dummy(t))
        leave_until(t, 0, at, false);
    if (t->path.n == 1 || sb_map_get(&t->called, fn))
        enter(t, child_of(t, top(t)->node, fn), at);
}

/* `fn` in the part of the path that a fold into what runs cut off, 0: not there. */
static uint32_t
in_fold(const struct sb_calltree *t, uint32_t fn)
{
    uint32_t now = top(t)->node, i = t->node.at[now].folded_from;
    while (i && i != now && t->node.at[i].fn != fn)
        i = t->node.at[i].parent;
    return i == now ? 0 : i;
}

void
sb_calltree_return_to(struct sb_calltree *t, int64_t at, uint32_t fn)
{
    charge(t, at);
    come_back(t);
    size_t to = fn ? on_path(t, fn) : 0;
    if (to && to == t->path.n - 1 && top(t)->folds)
        top(t)->folds--;
    if (to || !fn) { /* what is on the path now runs again */
        leave_until(t, to, at, !t->callers_told);
        return;
    }
    uint32_t back = in_fold(t, fn);
    if (back) { /* out of the inner turn of a folded recursion, into the outer one */
        if (top(t)->folds)
            top(t)->folds--;
        enter_path(t, back, at);
        return;
    }
    if (t->path.n > 1)
        leave_until(t, t->path.n - 2, at, false);
    return_unseen(t, at, fn);
}

/* ---- suspend and garbage_collect */

void
sb_calltree_enter_pseudo(struct sb_calltree *t, int64_t at, uint32_t fn)
{
    charge(t, at);
    if (t->path.n == 1 || t->n_pseudo == sizeof t->pseudo / sizeof *t->pseudo || top(t)->fn == fn)
        return;
    t->pseudo[t->n_pseudo++] = (uint32_t)t->path.n - 1;
    uint32_t from = top(t)->node, to = recent_callee(t, from, fn);
    enter(t, to ? to : child_of(t, from, fn), at);
    count_call(t);
}

void
sb_calltree_leave_pseudo(struct sb_calltree *t, int64_t at, uint32_t fn)
{
    charge(t, at);
    if (t->n_pseudo && top(t)->fn == fn)
        leave_until(t, t->pseudo[--t->n_pseudo], at, false);
}

void
sb_calltree_end(struct sb_calltree *t, int64_t at)
{
    charge(t, at);
    t->n_pseudo = 0;
    leave_until(t, 0, at, false);
}

uint64_t *
sb_calltree_recursive(const struct sb_calltree *t)
{
    uint64_t *n = calloc(t->node.n, sizeof *n);
    if (!n)
        sb_out_of_memory(t->node.n * sizeof *n);
    for (size_t i = 0; i < t->step.n; i++)
        n[t->step.at[i].to] += t->step.at[i].calls;
    return n;
}
