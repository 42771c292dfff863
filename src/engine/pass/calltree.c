#include "engine/pass/calltree.h"
#include "engine/pass/call_doubt.h"

struct sb_calltree *
sb_calltree_open(void)
{
    struct sb_calltree *t = sb_zeroed_or_die(1, sizeof *t);
    *SB_PUSH_FEW(&t->node) = (struct sb_call_node){0};
    *SB_PUSH_FEW(&t->function) = (struct sb_call_function){0};
    *SB_PUSH_FEW(&t->edge) = (struct sb_call_edge){0};
    *sb_map_put(&t->function_of, 0, NULL) = 0;
    t->squeeze_at = 1;
    return t;
}

void
sb_calltree_close(struct sb_calltree *t)
{
    if (!t)
        return;
    for (size_t i = 0; i < t->function.n; i++)
        free(t->function.at[i].earlier);
    SB_VEC_FREE(&t->node);
    SB_VEC_FREE(&t->step);
    SB_VEC_FREE(&t->function);
    SB_VEC_FREE(&t->edge);
    SB_VEC_FREE(&t->frame);
    SB_VEC_FREE(&t->queue);
    SB_VEC_FREE(&t->doubt.above);
    sb_map_close(&t->step_of);
    sb_map_close(&t->function_of);
    sb_map_close(&t->edge_of);
    sb_map_close(&t->learned);
    free(t);
}

/* Ends all pseudo functions: a call or return while suspended or collecting shows that an `in` or end was
 * lost. */
static void
come_back(struct sb_calltree *t)
{
    if (t->n_pseudo == 0)
        return;
    size_t run = t->resume[0];
    sb_call_leave(t, t->since, t->frame.n - t->n_pseudo, 0, false);
    t->run = run;
    t->n_pseudo = 0;
}

/* ---- calls with a recorded caller */

/* Leaves the frames above the level that begins at `start`, whose returns were not seen. */
static void
leave_above_level(struct sb_calltree *t, int64_t at, size_t start)
{
    size_t end = start + 1;
    while (end < t->frame.n && t->frame.at[end].tail)
        end++;
    if (end < t->frame.n)
        sb_call_leave(t, at, end, 0, false);
}

static size_t
level_under(const struct sb_calltree *t, uint32_t code)
{
    for (size_t i = t->frame.n; i-- > 0;)
        if (!t->frame.at[i].tail && t->frame.at[i].under == code)
            return i;
    return SIZE_MAX;
}

/* Returns the first frame of the level that returns to `cp`, or SIZE_MAX. */
static size_t
level_returning_to(const struct sb_calltree *t, uint32_t cp)
{
    size_t i = cp ? sb_call_find(t, cp, sb_call_level(t)) : SIZE_MAX;
    if (i == SIZE_MAX)
        return level_under(t, cp);
    do
        i++;
    while (t->frame.at[i].tail);
    return i;
}

static void
call_at_bottom(struct sb_calltree *t, int64_t at, uint32_t fn, uint32_t cp)
{
    sb_call_leave(t, at, 0, 0, false);
    t->bottom = cp ? sb_call_root(t, cp) : 0;
    t->bottom_calls = true;
    bool traced = cp && sb_call_is_traced(t, cp);
    if (traced)
        sb_call_push_bottom(t, at);
    sb_call_push(t, at, fn, traced ? 0 : cp, false);
}

static void
take_call_by_caller(struct sb_calltree *t, int64_t at, uint32_t fn, uint32_t cp)
{
    t->callers_known = true;
    if (t->frame.n == 0) {
        call_at_bottom(t, at, fn, cp);
    } else if (t->run && cp == sb_call_name(t, t->run - 1)) {
        sb_call_push(t, at, fn, 0, false);
    } else {
        size_t start = cp ? level_returning_to(t, cp) : 0;
        if (start < t->frame.n) { /* it returns to the same place as another call, so it is a tail call */
            leave_above_level(t, at, start);
            sb_call_push(t, at, fn, 0, true);
        } else if (cp && sb_call_is_traced(t, cp)) {
            call_at_bottom(t, at, fn, cp);
        } else {
            sb_call_push(t, at, fn, cp, false);
        }
    }
}

static void
take_call(struct sb_calltree *t, const struct sb_call_event *ev)
{
    come_back(t);
    if (ev->has_cp) {
        take_call_by_caller(t, ev->at, ev->fn, ev->cp);
        return;
    }
    bool from_below = t->run == 0 && t->bottom && !t->bottom_calls;
    sb_call_push(t, ev->at, ev->fn, from_below ? t->node.at[t->bottom].fn : t->over, false);
}

/* ---- returns */

static void
back_at_bottom(struct sb_calltree *t, int64_t at, uint32_t to, bool traced)
{
    sb_call_leave(t, at, 0, to, !t->callers_known);
    t->bottom = to ? sb_call_root(t, to) : 0;
    t->bottom_calls = false;
    t->over = 0;
    if (traced)
        sb_call_push_bottom(t, at);
}

static void
back_above(struct sb_calltree *t, int64_t at, uint32_t to, struct sb_call_rest rest)
{
    if (rest.keep == 0) {
        back_at_bottom(t, at, to, false);
        return;
    }
    sb_call_leave(t, at, rest.keep, 0, !t->callers_known);
    sb_call_keep_repeats(t, at, rest.repeats);
    t->over = to;
}

/* Handles a return to untraced code. */
static void
return_below(struct sb_calltree *t, int64_t at, uint32_t to)
{
    struct sb_call_rest rest = {0};
    bool one = t->frame.n == 0 || (t->frame.n == 1 && t->frame.at[0].repeats == 0);
    if (!one && t->callers_known) {
        size_t level = level_under(t, to);
        rest = (struct sb_call_rest){level != SIZE_MAX ? level : sb_call_level(t), UINT32_MAX};
    } else if (!one && !sb_doubt_known(t, at, to, &rest)) {
        return;
    }
    back_above(t, at, to, rest);
}

static bool
is_from_itself(const struct sb_calltree *t, uint32_t to)
{
    return t->run && t->run == t->frame.n && t->frame.at[t->run - 1].repeats &&
           sb_call_name(t, t->run - 1) == to;
}

static void
take_return(struct sb_calltree *t, const struct sb_call_event *ev)
{
    come_back(t);
    if (is_from_itself(t, ev->fn)) {
        sb_call_keep_repeats(t, ev->at, t->frame.at[t->run - 1].repeats - 1);
        return;
    }
    bool squeezed = t->frame.n == t->squeezed; /* then any of its frames may be below the running one */
    size_t top = squeezed ? t->frame.n : t->callers_known ? sb_call_level(t) : t->frame.n - 1;
    size_t to = ev->fn ? sb_call_find(t, ev->fn, top) : SIZE_MAX;
    if (to != SIZE_MAX)
        sb_call_back_in(t, ev->at, to, !t->callers_known);
    /* a traced function must be below everything whose call was seen */
    else if (!ev->fn || sb_call_is_traced(t, ev->fn))
        back_at_bottom(t, ev->at, ev->fn, ev->fn != 0);
    else
        return_below(t, ev->at, ev->fn);
}

/* ---- suspend and garbage_collect */

static void
enter_pseudo(struct sb_calltree *t, const struct sb_call_event *ev)
{
    bool nobody = t->run == 0 && t->bottom == 0, same = t->run && sb_call_name(t, t->run - 1) == ev->fn;
    if (nobody || same || t->n_pseudo == sizeof t->resume / sizeof *t->resume)
        return;
    t->resume[t->n_pseudo++] = t->run;
    sb_call_push_pseudo(t, ev->at, ev->fn);
}

static void
leave_pseudo(struct sb_calltree *t, const struct sb_call_event *ev)
{
    if (t->n_pseudo == 0 || sb_call_name(t, t->run - 1) != ev->fn)
        return;
    size_t run = t->resume[--t->n_pseudo];
    sb_call_leave(t, ev->at, t->frame.n - 1, 0, false);
    t->run = run;
}

/* ---- the queue of events during a doubt */

static void
take(struct sb_calltree *t, const struct sb_call_event *ev)
{
    static void (*const how[])(struct sb_calltree *, const struct sb_call_event *) = {
        [SB_CALL] = take_call,
        [SB_RETURN_TO] = take_return,
        [SB_ENTER_PSEUDO] = enter_pseudo,
        [SB_LEAVE_PSEUDO] = leave_pseudo,
    };
    sb_call_charge(t, ev->at);
    how[ev->kind](t, ev);
}

/* Handles queued events up to the next doubt that remains open. */
static void
work_off(struct sb_calltree *t, bool last)
{
    for (;;) {
        struct sb_call_rest rest;
        if (t->doubt.open) {
            if (!sb_doubt_decide(t, last, &rest))
                return;
            back_above(t, t->doubt.at, t->doubt.to, rest);
        }
        if (t->queue_head == t->queue.n)
            break;
        struct sb_call_event ev = t->queue.at[t->queue_head++];
        take(t, &ev);
    }
    t->queue_head = 0;
    SB_VEC_FREE(&t->queue);
}

static void
forget_worked_off(struct sb_calltree *t)
{
    if (t->queue_head < 2 * SB_DOUBT_EVENTS)
        return;
    memmove(t->queue.at, &t->queue.at[t->queue_head], (t->queue.n - t->queue_head) * sizeof *t->queue.at);
    t->queue.n -= t->queue_head;
    t->doubt.scanned -= t->queue_head;
    t->queue_head = 0;
}

static void
accept(struct sb_calltree *t, struct sb_call_event ev)
{
    if (!t->doubt.open) {
        take(t, &ev);
        return;
    }
    forget_worked_off(t);
    *SB_PUSH(&t->queue) = ev;
    work_off(t, false);
}

void
sb_calltree_call(struct sb_calltree *t, int64_t at, uint32_t fn, bool has_cp, uint32_t cp)
{
    accept(t, (struct sb_call_event){.at = at, .fn = fn, .cp = cp, .kind = SB_CALL, .has_cp = has_cp});
}

void
sb_calltree_return_to(struct sb_calltree *t, int64_t at, uint32_t fn)
{
    accept(t, (struct sb_call_event){.at = at, .fn = fn, .kind = SB_RETURN_TO});
}

void
sb_calltree_enter_pseudo(struct sb_calltree *t, int64_t at, uint32_t fn)
{
    accept(t, (struct sb_call_event){.at = at, .fn = fn, .kind = SB_ENTER_PSEUDO});
}

void
sb_calltree_leave_pseudo(struct sb_calltree *t, int64_t at, uint32_t fn)
{
    accept(t, (struct sb_call_event){.at = at, .fn = fn, .kind = SB_LEAVE_PSEUDO});
}

/* ---- the end */

static void
add_node(struct sb_call_node *to, const struct sb_call_node *n)
{
    to->calls += n->calls;
    to->recursive += n->recursive;
    to->tail += n->tail;
    to->own_ns += n->own_ns;
    to->first = n->first < to->first ? n->first : to->first;
    to->last = n->last > to->last ? n->last : to->last;
}

/* Merges roots that got equal names when they were returned to, and drops unnamed ones. */
static void
merge_equal(struct sb_calltree *t)
{
    uint32_t *to = sb_realloc_or_die(NULL, sb_mul_or_die(t->node.n, sizeof *to)), n = 1;
    SB_SCOPED_MAP struct sb_map place = {0};
    to[0] = 0;
    for (size_t i = 1; i < t->node.n; i++) {
        struct sb_call_node *node = &t->node.at[i];
        uint32_t parent = to[node->parent];
        bool is_new;
        if (node->fn == 0) {
            to[i] = 0;
            continue;
        }
        uint32_t *slot = sb_map_put(&place, (uint64_t)parent << 32 | node->fn, &is_new);
        to[i] = is_new ? (*slot = n) : *slot;
        if (is_new) {
            t->node.at[n] = *node;
            t->node.at[n++].parent = parent;
        } else {
            add_node(&t->node.at[*slot], node);
        }
    }
    t->node.n = n;
    free(to);
}

void
sb_calltree_end(struct sb_calltree *t, int64_t at)
{
    work_off(t, true);
    sb_call_charge(t, at);
    t->n_pseudo = 0;
    sb_call_leave(t, at, 0, 0, false);
    t->bottom = 0;
    merge_equal(t);
}
