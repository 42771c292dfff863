#include "engine/calltree.h"
#include "base/err.h"

struct sb_calltree *
sb_calltree_open(void)
{
    struct sb_calltree *t = sb_realloc_or_die(NULL, sizeof *t);
    *t = (struct sb_calltree){0};
    *SB_PUSH(&t->node) = (struct sb_call_node){0};
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

static void
charge(struct sb_calltree *t, int64_t at)
{
    if (t->now && at > t->since)
        t->node.at[t->now].own_ns += at - t->since;
    t->since = at;
}

static uint32_t
on_path(const struct sb_calltree *t, uint32_t from, uint32_t fn)
{
    while (from && t->node.at[from].fn != fn)
        from = t->node.at[from].parent;
    return from;
}

static uint32_t
child_of(struct sb_calltree *t, uint32_t parent, uint32_t fn)
{
    for (uint32_t c = t->node.at[parent].child; c; c = t->node.at[c].sibling)
        if (t->node.at[c].fn == fn)
            return c;
    uint32_t c = (uint32_t)t->node.n;
    *SB_PUSH(&t->node) = (struct sb_call_node){
        .fn = fn, .parent = parent, .sibling = t->node.at[parent].child, .dummy = true};
    t->node.at[parent].child = c;
    return c;
}

/* Goes down to a node whose parent runs now, or to the parent itself's child again. */
static void
enter(struct sb_calltree *t, uint32_t node, int64_t at)
{
    t->node.at[node].entered = at;
    t->node.at[node].folds = 0;
    t->now = node;
}

/* Leaves nodes until `stop` runs (an ancestor, or 0 for the empty path). */
static void
leave_until(struct sb_calltree *t, uint32_t stop, int64_t at, bool mark_tails)
{
    while (t->now && t->now != stop) {
        struct sb_call_node *n = &t->node.at[t->now];
        was_active(n, n->entered, at);
        if (mark_tails)
            n->tail += n->folds + (n->parent != stop);
        t->now = n->parent;
    }
}

/* Goes down again into the part of the path that a fold cut off, up to `node`. */
static void
enter_path(struct sb_calltree *t, uint32_t node, int64_t at)
{
    uint32_t path[64];
    unsigned n = 0;
    for (uint32_t i = node; i != t->now && n < 64; i = t->node.at[i].parent)
        path[n++] = i;
    while (n)
        enter(t, path[--n], at);
}

/* ---- calls */

/* Where calling `fn` leads, if it is not found at once. A new callee needs no step: it stands first. */
static uint32_t
callee_of(struct sb_calltree *t, uint32_t fn, bool may_fold, bool *fold)
{
    uint64_t key = (uint64_t)t->now << 32 | fn;
    uint32_t *slot = sb_map_get(&t->step_of, key), ancestor = 0;
    *fold = false;
    if (!slot) {
        size_t nodes = t->node.n;
        ancestor = may_fold ? on_path(t, t->now, fn) : 0;
        uint32_t to = ancestor ? ancestor : child_of(t, t->now, fn);
        if (t->node.n > nodes)
            return to;
        bool is_new;
        slot = sb_map_put(&t->step_of, key, &is_new);
        *slot = (uint32_t)t->step.n;
        *SB_PUSH(&t->step) = (struct sb_call_step){t->now, fn, to, ancestor != 0, 0};
    }
    struct sb_call_step *s = &t->step.at[*slot];
    s->calls++;
    *fold = s->fold;
    return s->to;
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
    struct sb_call_node *n = &t->node.at[t->now];
    bool is_new;
    n->calls++;
    if (n->dummy)
        sb_map_put(&t->called, n->fn, &is_new);
    n->dummy = false;
}

static void
take_fold(struct sb_calltree *t, int64_t at, uint32_t to)
{
    uint32_t from = t->now;
    leave_until(t, to, at, false);
    struct sb_call_node *n = &t->node.at[to];
    n->recursive++;
    n->folds++;
    if (from != to)
        n->folded_from = from;
}

static void
take_call(struct sb_calltree *t, int64_t at, uint32_t fn)
{
    bool fold = false;
    uint32_t to = recent_callee(t, t->now, fn);
    if (!to)
        to = callee_of(t, fn, true, &fold);
    if (fold) {
        take_fold(t, at, to);
    } else {
        enter(t, to, at);
        t->node.at[t->now].folded_from = 0;
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
    return t->now && t->node.at[t->now].dummy && t->node.at[t->now].parent == 0;
}

/* Whether what runs may stand below a caller that is not on the path: one that is not traced, called by it, or one
 * that a fold cut off. Else the path is over. */
static bool
may_have_called(const struct sb_calltree *t, uint32_t cp)
{
    if (!t->now || is_lone_dummy(t))
        return false;
    bool folded = false;
    for (uint32_t i = t->now; i && !folded; i = t->node.at[i].parent)
        folded = t->node.at[i].folded_from != 0;
    return folded || !sb_map_get(&t->called, cp);
}

void
sb_calltree_call(struct sb_calltree *t, int64_t at, uint32_t fn, bool has_cp, uint32_t cp)
{
    charge(t, at);
    come_back(t);
    t->callers_told |= has_cp;
    if (has_cp && cp && !on_path(t, t->now, cp) && !may_have_called(t, cp)) {
        leave_until(t, 0, at, false);
        enter(t, child_of(t, 0, cp), at);
    }
    bool tail = has_cp && t->now && t->node.at[t->now].fn != cp;
    take_call(t, at, fn);
    if (tail)
        t->node.at[t->now].tail++;
}

/* A return to what the path does not hold. A traced function must be meant, whatever the folding cut off; an
 * untraced one between two traced ones leaves its time to its caller, and at the bottom it is the only name
 * there is. */
static void
return_unseen(struct sb_calltree *t, int64_t at, uint32_t fn)
{
    if (is_lone_dummy(t))
        leave_until(t, 0, at, false);
    if (!t->now || sb_map_get(&t->called, fn))
        enter(t, child_of(t, t->now, fn), at);
}

void
sb_calltree_return_to(struct sb_calltree *t, int64_t at, uint32_t fn)
{
    charge(t, at);
    come_back(t);
    uint32_t now = t->now, to = fn ? on_path(t, now, fn) : 0;
    if (to && to == now && t->node.at[now].folds)
        t->node.at[now].folds--;
    if (to || !fn) { /* what is on the path now runs again */
        leave_until(t, to, at, !t->callers_told);
        return;
    }
    uint32_t cut = t->node.at[now].folded_from, back = cut ? on_path(t, cut, fn) : 0;
    if (back) { /* out of the inner turn of a folded recursion, into the outer one */
        if (t->node.at[now].folds)
            t->node.at[now].folds--;
        enter_path(t, back, at);
        return;
    }
    if (now)
        leave_until(t, t->node.at[now].parent, at, false);
    return_unseen(t, at, fn);
}

/* ---- suspend and garbage_collect */

void
sb_calltree_enter_pseudo(struct sb_calltree *t, int64_t at, uint32_t fn)
{
    charge(t, at);
    if (!t->now || t->n_pseudo == sizeof t->pseudo / sizeof *t->pseudo || t->node.at[t->now].fn == fn)
        return;
    t->pseudo[t->n_pseudo++] = t->now;
    bool fold;
    uint32_t to = recent_callee(t, t->now, fn);
    enter(t, to ? to : callee_of(t, fn, false, &fold), at);
    count_call(t);
}

void
sb_calltree_leave_pseudo(struct sb_calltree *t, int64_t at, uint32_t fn)
{
    charge(t, at);
    if (t->n_pseudo && t->node.at[t->now].fn == fn)
        leave_until(t, t->pseudo[--t->n_pseudo], at, false);
}

void
sb_calltree_end(struct sb_calltree *t, int64_t at)
{
    charge(t, at);
    t->n_pseudo = 0;
    leave_until(t, 0, at, false);
}
