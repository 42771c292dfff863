#include "engine/pass/call_stack.h"
#include "engine/pass/call_activity.h"

/* ---- functions, edges, nodes */

static uint32_t
put_function(struct sb_calltree *t, uint32_t name)
{
    uint32_t slot = sb_map_place(&t->function_of, name, t->function.n);
    if (slot == t->function.n)
        *SB_PUSH_FEW(&t->function) = (struct sb_call_function){.name = name};
    return slot;
}

bool
sb_call_is_traced(const struct sb_calltree *t, uint32_t name)
{
    const uint32_t *f = sb_map_get(&t->function_of, name);
    return f && t->function.at[*f].calls > 0;
}

static uint32_t
edge_of(struct sb_calltree *t, uint32_t caller, uint32_t callee)
{
    uint32_t slot = sb_map_place(&t->edge_of, (uint64_t)caller << 32 | callee, t->edge.n);
    if (slot == t->edge.n)
        *SB_PUSH_FEW(&t->edge) = (struct sb_call_edge){.caller = caller, .callee = callee};
    return slot;
}

static uint32_t
child_of(struct sb_calltree *t, uint32_t parent, uint32_t fn)
{
    for (uint32_t c = t->node.at[parent].child; c; c = t->node.at[c].sibling)
        if (t->node.at[c].fn == fn)
            return c;
    uint32_t c = (uint32_t)t->node.n, function = put_function(t, fn);
    uint32_t edge = parent ? edge_of(t, t->node.at[parent].function, function) : 0;
    *SB_PUSH_FEW(&t->node) = (struct sb_call_node){.fn = fn,
                                                   .function = function,
                                                   .parent = parent,
                                                   .edge = edge,
                                                   .sibling = t->node.at[parent].child,
                                                   .first = INT64_MAX,
                                                   .last = INT64_MIN};
    t->node.at[parent].child = c;
    return c;
}

uint32_t
sb_call_root(struct sb_calltree *t, uint32_t name)
{
    return child_of(t, 0, name);
}

static void
touch(struct sb_call_node *n, int64_t at)
{
    n->first = at < n->first ? at : n->first;
    n->last = at > n->last ? at : n->last;
}

/* ---- time */

void
sb_call_charge(struct sb_calltree *t, int64_t at)
{
    int64_t d = at > t->since ? at - t->since : 0;
    t->since = at;
    if (t->run) {
        const struct sb_call_frame *f = &t->frame.at[t->run - 1];
        struct sb_call_node *n = &t->node.at[f->node];
        n->own_ns += d;
        t->edge.at[f->repeats ? t->function.at[n->function].self : f->edge].own_ns += d;
    } else if (t->bottom) {
        struct sb_call_node *n = &t->node.at[t->bottom];
        n->own_ns += d;
        t->function.at[n->function].acc_ns += d;
        touch(n, at);
    }
}

static void
open_edge(struct sb_calltree *t, uint32_t edge, int64_t at)
{
    struct sb_call_edge *e = &t->edge.at[edge];
    if (e->open++ == 0)
        e->since = at;
}

static void
close_edge(struct sb_calltree *t, uint32_t edge, int64_t at)
{
    struct sb_call_edge *e = &t->edge.at[edge];
    if (--e->open == 0 && at > e->since)
        e->acc_ns += at - e->since;
}

static void
close_function(struct sb_calltree *t, struct sb_call_function *f, int64_t at)
{
    if (--f->open > 0)
        return;
    int64_t end = at > f->since ? at : f->since;
    f->acc_ns += end - f->since;
    t->edge.at[f->via].outer_ns += end - f->since;
    sb_call_was_active(f, f->since, end);
}

/* ---- frames */

static void
put_frame(struct sb_calltree *t, int64_t at, struct sb_call_frame frame)
{
    struct sb_call_node *n = &t->node.at[frame.node];
    struct sb_call_function *f = &t->function.at[n->function];
    touch(n, at);
    if (f->open++ == 0) {
        f->since = at;
        f->via = frame.edge;
    }
    open_edge(t, frame.edge, at);
    *SB_PUSH_FEW(&t->frame) = frame;
    t->run = t->frame.n;
}

static void
drop_frame(struct sb_calltree *t, const struct sb_call_frame *f, int64_t at)
{
    struct sb_call_node *n = &t->node.at[f->node];
    if (f->repeats)
        close_edge(t, t->function.at[n->function].self, at);
    close_edge(t, f->edge, at);
    close_function(t, &t->function.at[n->function], at);
}

/* Returns the root that stands for the untraced caller of this function. The root gets its name when the
 * function returns to it. */
static uint32_t
root_for(struct sb_calltree *t, uint32_t fn)
{
    uint32_t f = put_function(t, fn);
    if (!t->function.at[f].root) {
        t->function.at[f].root = (uint32_t)t->node.n;
        *SB_PUSH_FEW(&t->node) = (struct sb_call_node){.first = INT64_MAX, .last = INT64_MIN};
    }
    return t->function.at[f].root;
}

/* Moves the sums of edge 0 to the edge from the caller, which the return at the bottom of the stack
 * reveals. */
static void
name_caller(struct sb_calltree *t, int64_t at, uint32_t name)
{
    struct sb_call_edge e = t->edge.at[0];
    t->edge.at[0] = (struct sb_call_edge){0}; /* without calls if the call of the frame was not seen */
    if (e.calls == 0)
        return;
    uint32_t function = e.callee, root = t->function.at[function].root;
    touch(&t->node.at[root], at);
    touch(&t->node.at[root], at);
    if (root == 0) {
        name = 0; /* known to have no caller */
    } else if (name && t->node.at[root].fn == 0) {
        t->node.at[root].function = put_function(t, name);
        t->node.at[root].fn = name;
    } else if (name && t->node.at[root].fn != name) {
        root = sb_call_root(t, name);
        t->function.at[function].root = root;
    }
    uint32_t edge = edge_of(t, name ? put_function(t, name) : t->node.at[root].function, function);
    struct sb_call_edge *to = &t->edge.at[edge];
    to->calls += e.calls;
    to->own_ns += e.own_ns;
    to->acc_ns += e.acc_ns;
    to->outer_ns += e.outer_ns;
}

void
sb_call_leave(struct sb_calltree *t, int64_t at, size_t keep, uint32_t to, bool mark_tails)
{
    for (size_t i = t->frame.n; i-- > keep;) {
        const struct sb_call_frame *f = &t->frame.at[i];
        struct sb_call_node *n = &t->node.at[f->node];
        touch(n, at);
        if (mark_tails && !f->many)
            n->tail += f->repeats + f->dropped + (i != keep);
        drop_frame(t, f, at);
    }
    t->frame.n = t->run = keep;
    t->squeezed = t->squeezed < keep ? t->squeezed : keep;
    if (keep == 0)
        name_caller(t, at, to);
}

/* A squeeze dropped frames between the kept ones, so only the running function is known. */
static void
back_in_squeezed(struct sb_calltree *t, int64_t at, size_t i)
{
    sb_call_leave(t, at, t->squeezed, 0, false);
    t->run = i + 1;
    for (size_t k = 0; k < t->squeezed; k++) {
        struct sb_call_frame *f = &t->frame.at[k];
        if (f->repeats)
            close_edge(t, t->function.at[t->node.at[f->node].function].self, at);
        f->many |= f->dropped > 0;
        f->repeats = f->dropped = 0; /* they return one by one, so these were no tail calls */
    }
}

void
sb_call_back_in(struct sb_calltree *t, int64_t at, size_t i, bool mark_tails)
{
    size_t keep = i + 1;
    while (keep < t->frame.n && t->frame.at[keep].tail)
        keep++; /* frames entered by tail calls return together with it */
    if (i < t->squeezed && (t->frame.at[i].dropped || t->frame.at[i].many))
        back_in_squeezed(t, at, i);
    else
        sb_call_leave(t, at, keep, 0, mark_tails);
    t->run = i + 1;
    t->over = 0;
}

void
sb_call_keep_repeats(struct sb_calltree *t, int64_t at, uint32_t n)
{
    struct sb_call_frame *f = &t->frame.at[t->run - 1];
    if (f->repeats > 0 && n == 0)
        close_edge(t, t->function.at[t->node.at[f->node].function].self, at);
    f->repeats = n < f->repeats ? n : f->repeats;
    t->over = 0;
}

size_t
sb_call_find(const struct sb_calltree *t, uint32_t name, size_t end)
{
    enum { NEAR = 8 };
    size_t i = end;
    while (i > 0 && end - i < NEAR)
        if (sb_call_name(t, --i) == name)
            return i;
    const uint32_t *f = i > 0 ? sb_map_get(&t->function_of, name) : NULL;
    if (!f || t->function.at[*f].open == 0)
        return SIZE_MAX;
    while (i > 0)
        if (sb_call_name(t, --i) == name)
            return i;
    return SIZE_MAX;
}

size_t
sb_call_level(const struct sb_calltree *t)
{
    size_t i = t->frame.n;
    while (i > 0 && t->frame.at[--i].tail)
        ;
    return i;
}

/* ---- a growing stack: repeated frames in its lower half are dropped, as in a loop of tail calls whose
 * callers are unknown */

static bool
is_repeated(const struct sb_calltree *t, size_t kept, const struct sb_call_frame *f, struct sb_map *place)
{
    bool is_new;
    uint32_t *at = sb_map_put(place, f->edge, &is_new);
    if (is_new) {
        *at = (uint32_t)kept;
        return false;
    }
    t->frame.at[*at].dropped += 1 + f->repeats + f->dropped;
    return true;
}

static void
squeeze(struct sb_calltree *t)
{
    enum { HIGH = 8192 };
    struct sb_map place = {0};
    size_t half = t->frame.n / 2, kept = 0;
    for (size_t i = 0; t->frame.n >= HIGH && i < half; i++) {
        struct sb_call_frame f = t->frame.at[i];
        if (is_repeated(t, kept, &f, &place))
            drop_frame(t, &f, t->since);
        else
            t->frame.at[kept++] = f;
    }
    sb_map_close(&place);
    if (t->frame.n >= HIGH) {
        memmove(&t->frame.at[kept], &t->frame.at[half], (t->frame.n - half) * sizeof *t->frame.at);
        t->frame.n -= half - kept;
        t->squeezed = kept;
        t->run = t->frame.n;
    }
    t->squeeze_at = t->frame.n < HIGH / 2 ? HIGH : 2 * t->frame.n;
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

/* Looks for the callee among those called most recently and moves it to the front; 0: not found. */
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

/* Returns the node of this function among `from` and its callers, or 0. Every traced caller is on the
 * stack. */
static uint32_t
on_path(struct sb_calltree *t, uint32_t from, uint32_t fn)
{
    const uint32_t *f = sb_map_get(&t->function_of, fn);
    uint32_t root = t->frame.n ? t->node.at[t->frame.at[0].node].parent : from;
    if (!f || (t->function.at[*f].open == 0 && t->node.at[root].fn != fn))
        return 0;
    while (from && t->node.at[from].fn != fn)
        from = t->node.at[from].parent;
    return from;
}

static struct sb_call_step
learn_step(struct sb_calltree *t, uint32_t from, uint32_t fn)
{
    uint32_t same = on_path(t, from, fn);
    uint32_t to = same ? same : child_of(t, from, fn), caller = t->node.at[from].function;
    uint32_t edge = same ? edge_of(t, caller, t->node.at[to].function) : t->node.at[to].edge;
    struct sb_call_step s = {from, fn, to, edge, same != 0};
    if (!same && t->node.at[from].child == to)
        return s; /* a new callee is first in the list, so it needs no step */
    *sb_map_put(&t->step_of, (uint64_t)from << 32 | fn, NULL) = (uint32_t)t->step.n;
    *SB_PUSH_FEW(&t->step) = s;
    return s;
}

static struct sb_call_step
step_to(struct sb_calltree *t, uint32_t from, uint32_t fn)
{
    uint32_t to = recent_callee(t, from, fn);
    if (to)
        return (struct sb_call_step){from, fn, to, t->node.at[to].edge, false};
    const struct sb_call_step *s = step_of(t, from, fn);
    return s ? *s : learn_step(t, from, fn);
}

static void
repeat(struct sb_calltree *t, int64_t at, uint32_t edge)
{
    struct sb_call_frame *f = &t->frame.at[t->run - 1];
    t->function.at[t->node.at[f->node].function].self = edge;
    if (f->repeats++ == 0)
        open_edge(t, edge, at);
}

/* Returns the frame of this very call if a loop of known tail calls has come round to it, or SIZE_MAX. */
static size_t
same_call(const struct sb_calltree *t, const struct sb_call_step *s)
{
    for (size_t level = sb_call_level(t), i = t->frame.n; i-- > level;)
        if (t->frame.at[i].node == s->to && t->frame.at[i].edge == s->edge)
            return i;
    return SIZE_MAX;
}

static void
put_call(struct sb_calltree *t, int64_t at, const struct sb_call_step *s, uint32_t under, bool tail)
{
    bool on_top = t->run && t->run == t->frame.n;
    size_t same = tail ? same_call(t, s) : SIZE_MAX;
    if (on_top && !under && t->frame.at[t->run - 1].node == s->to) {
        repeat(t, at, s->edge);
    } else if (same != SIZE_MAX) {
        t->run = same + 1;
    } else {
        if (t->frame.n >= t->squeeze_at)
            squeeze(t);
        put_frame(t, at,
                  (struct sb_call_frame){.node = s->to, .edge = s->edge, .under = under, .tail = tail});
    }
}

void
sb_call_push(struct sb_calltree *t, int64_t at, uint32_t fn, uint32_t under, bool tail)
{
    bool unknown = t->run == 0 && !t->bottom_calls;
    uint32_t from = t->run ? t->frame.at[t->run - 1].node : unknown ? root_for(t, fn) : t->bottom;
    struct sb_call_step s = step_to(t, from, fn);
    struct sb_call_node *n = &t->node.at[s.to];
    if (unknown || from == 0) {
        s.edge = 0;
        t->edge.at[0].callee = n->function;
    }
    touch(&t->node.at[from], at);
    n->calls++;
    n->recursive += s.fold;
    n->tail += tail;
    t->function.at[n->function].calls++;
    t->edge.at[s.edge].calls++;
    put_call(t, at, &s, under, tail);
    t->over = 0;
}

void
sb_call_push_bottom(struct sb_calltree *t, int64_t at)
{
    put_frame(t, at, (struct sb_call_frame){.node = t->bottom});
}

void
sb_call_push_pseudo(struct sb_calltree *t, int64_t at, uint32_t fn)
{
    uint32_t from = t->run ? t->frame.at[t->run - 1].node : t->bottom;
    struct sb_call_step s = step_to(t, from, fn);
    struct sb_call_node *n = &t->node.at[s.to];
    n->calls++;
    t->function.at[n->function].calls++;
    t->edge.at[s.edge].calls++;
    put_frame(t, at, (struct sb_call_frame){.node = s.to, .edge = s.edge});
}
