#include "fprof/sim.h"
#include "fprof/stack.h"
#include "fprof/terms.h"

static bool throw(struct fp_sim * s, struct fp_proc *p, const struct fp_event *ev, int why)
{
    s->thrown = (struct fp_throw){.why = why, .event = *ev, .proc = p};
    return false;
}

static bool
do_call(struct fp_sim *s, struct fp_proc *p, const struct fp_event *ev)
{
    p->known = true;
    if (p->stack.n == 0) {
        fp_stack_call_from_nowhere(p, ev, ev->t, ev->at);
        return true;
    }
    if (p->spawned && p->n_calls == 0 && p->stack.n == 1 && fp_level_front(p, 0) == ev->func) {
        struct fp_entry first = p->stack.at[0]; /* counted from its first scheduling in */
        fp_stack_take_newest(p);
        fp_stack_call_from_nowhere(p, ev, first.t, first.at);
        return true;
    }
    if (fp_level_front(p, 0) == FP_SUSPEND)
        return throw(s, p, ev, FP_CALL_IN_SUSPEND);
    if (fp_level_front(p, 0) == FP_GARBAGE_COLLECT)
        return throw(s, p, ev, FP_CALL_IN_GC);
    fp_stack_call(p, ev);
    return true;
}

static bool
do_return_to(struct fp_sim *s, struct fp_proc *p, const struct fp_event *ev)
{
    if (p->stack.n > 0 && fp_level_front(p, 0) == FP_SUSPEND)
        return throw(s, p, ev, FP_RETURN_IN_SUSPEND);
    if (p->stack.n > 0 && fp_level_front(p, 0) == FP_GARBAGE_COLLECT)
        return throw(s, p, ev, FP_RETURN_IN_GC);
    p->known = true;
    fp_stack_return_to(p, ev->func, ev->t, ev->at);
    return true;
}

static bool
do_spawn(struct fp_sim *s, struct fp_proc *p, const struct fp_event *ev)
{
    (void)s;
    if (p->known)
        return true;
    p->known = p->spawned = true;
    p->parent = ev->cp;
    p->spawned_at = ev->at;
    p->n_calls = 0;
    fp_stack_new_level(p, ev->func, ev->t, ev->at);
    fp_stack_push(p, FP_SUSPEND, ev->t, ev->at);
    return true;
}

static bool
do_exit(struct fp_sim *s, struct fp_proc *p, const struct fp_event *ev)
{
    (void)s;
    if (p->stack.n > 0)
        fp_stack_return_to(p, FP_UNDEFINED, ev->t, ev->at);
    while (p->stack.n > 0)
        fp_stack_take_newest(p);
    p->known = false;
    return true;
}

static bool
do_out(struct fp_sim *s, struct fp_proc *p, const struct fp_event *ev)
{
    (void)s;
    p->known = true;
    if (fp_level_is_just(p, 0, FP_SUSPEND)) {
        fp_stack_new_level(p, FP_SUSPEND, ev->t, ev->at);
        return true;
    }
    if (p->stack.n == 0 && ev->func != FP_UNDEFINED)
        fp_stack_new_level(p, ev->func, ev->t, ev->at);
    fp_stack_push(p, FP_SUSPEND, ev->t, ev->at);
    return true;
}

static bool
do_in(struct fp_sim *s, struct fp_proc *p, const struct fp_event *ev)
{
    if (p->stack.n == 0) {
        p->known = true;
        fp_stack_new_level(p, ev->func, ev->t, ev->at);
        return true;
    }
    if (!fp_level_is_just(p, 0, FP_SUSPEND))
        return throw(s, p, ev, FP_IN_ODD);
    if (fp_level_is_just(p, 1, FP_SUSPEND))
        fp_stack_take_newest(p);
    else
        fp_stack_return_to(p, p->level.n == 1 ? FP_UNDEFINED : fp_level_front(p, 1), ev->t, ev->at);
    return true;
}

static bool
do_gc_start(struct fp_sim *s, struct fp_proc *p, const struct fp_event *ev)
{
    (void)s;
    p->known = true;
    fp_stack_push(p, FP_GARBAGE_COLLECT, ev->t, ev->at);
    return true;
}

static bool
do_gc_end(struct fp_sim *s, struct fp_proc *p, const struct fp_event *ev)
{
    p->known = true;
    if (p->stack.n == 0)
        return true;
    if (!fp_level_is_just(p, 0, FP_GARBAGE_COLLECT))
        return throw(s, p, ev, FP_GC_END_ODD);
    fp_stack_return_to(p, p->level.n == 1 ? FP_UNDEFINED : fp_level_front(p, 1), ev->t, ev->at);
    return true;
}

static struct fp_proc *
new_proc(uint32_t pid)
{
    struct fp_proc *p = SB_HEAP(struct fp_proc, .pid = pid);
    fp_stack_open(p);
    return p;
}

static struct fp_proc *
proc_of(struct fp_sim *s, uint32_t pid)
{
    if (s->last && s->last->pid == pid)
        return s->last;
    size_t i = pid / s->stride;
    SB_REACH(&s->proc, i);
    if (!s->proc.at[i])
        s->proc.at[i] = new_proc(pid);
    return s->last = s->proc.at[i];
}

bool
fp_sim_apply(struct fp_sim *s, const struct fp_event *ev)
{
    static bool (*const on[])(struct fp_sim *, struct fp_proc *, const struct fp_event *) = {
        [FP_CALL] = do_call,         [FP_RETURN_TO] = do_return_to,
        [FP_SPAWN] = do_spawn,       [FP_EXIT] = do_exit,
        [FP_OUT] = do_out,           [FP_IN] = do_in,
        [FP_GC_START] = do_gc_start, [FP_GC_END] = do_gc_end};
    struct fp_proc *p = proc_of(s, ev->pid);
    switch (ev->kind) {
    case FP_CALL:
        return do_call(s, p, ev);
    case FP_RETURN_TO:
        return do_return_to(s, p, ev);
    default:
        return ev->kind == FP_NOTHING || on[ev->kind](s, p, ev);
    }
}

void
fp_sim_close_stacks(struct fp_sim *s, int64_t t)
{
    for (size_t i = 0; i < s->proc.n; i++) {
        struct fp_proc *p = s->proc.at[i];
        if (p)
            do_exit(s, p, &(struct fp_event){.t = t});
    }
}

void
fp_sim_init(struct fp_sim *s, uint32_t stride)
{
    *s = (struct fp_sim){.stride = stride};
}

struct fp_proc *
fp_sim_find(const struct fp_sim *s, uint32_t pid)
{
    return pid / s->stride < s->proc.n ? s->proc.at[pid / s->stride] : NULL;
}

void
fp_sim_close(struct fp_sim *s)
{
    for (size_t i = 0; i < s->proc.n; i++) {
        struct fp_proc *p = s->proc.at[i];
        if (!p)
            continue;
        fp_stack_close(p);
        free(p);
    }
    SB_VEC_FREE(&s->proc);
}
