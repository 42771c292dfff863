#include "fprof/stack.h"
#include "fprof/terms.h"

/* ---- clocks and seats */

static uint32_t
seat_of(struct fp_proc *p, uint32_t func)
{
    uint32_t seat = sb_map_place(&p->seat_of, func, p->seat.n);
    SB_REACH(&p->seat, seat);
    return seat;
}

static uint32_t
clock_of(struct fp_proc *p, uint32_t caller, uint32_t func)
{
    uint64_t key = (uint64_t)caller << 32 | func;
    const uint32_t *known = sb_map_get(&p->clock_of, key);
    uint32_t clock = known ? *known : sb_map_place(&p->clock_of, key, p->clock.n);
    if (clock == p->clock.n)
        *SB_PUSH(&p->clock) = (struct fp_clock){.caller = caller, .func = func, .seat = seat_of(p, func)};
    return clock;
}

static struct fp_seat *
seat(struct fp_proc *p, const struct fp_entry *e)
{
    return &p->seat.at[p->clock.at[e->clock].seat];
}

/* Time differences wrap instead of overflowing: time stamps of a hostile file may have any value. */
static int64_t
minus(int64_t a, int64_t b)
{
    return (int64_t)((uint64_t)a - (uint64_t)b);
}
static void
add(int64_t *sum, int64_t v)
{
    *sum = (int64_t)((uint64_t)*sum + (uint64_t)v);
}

static void
charge_own(struct fp_proc *p, int64_t t)
{
    const struct fp_entry *e = &p->stack.at[p->stack.n - 1];
    struct fp_clock *c = &p->clock.at[e->clock];
    add(&c->own, e->func == FP_SUSPEND ? 0 : minus(t, e->t));
    c->touched = true;
}

static void
charge_acc(struct fp_proc *p, const struct fp_entry *e, int64_t t)
{
    struct fp_clock *c = &p->clock.at[e->clock];
    add(&c->acc, minus(t, e->t));
    c->touched = true;
}

static void
charge_call(struct fp_proc *p)
{
    struct fp_clock *c = &p->clock.at[p->stack.at[p->stack.n - 1].clock];
    c->cnt++;
    c->touched = true;
}

/* ---- the stack: level 0 is the newest */

/* Returns the clock of the newest entry, given the entries below it. A suspend within a suspend has none;
 * a collection while suspended is charged to the suspended function. */
static uint32_t
find_clock(struct fp_proc *p)
{
    size_t top = p->stack.n - 1, start = fp_level_start(p, 0);
    uint32_t func = p->stack.at[top].func;
    if (top > start)
        return clock_of(p, p->stack.at[top - 1].func, func);
    if (start == 0)
        return clock_of(p, FP_UNDEFINED, func);
    if (fp_level_is_just(p, 1, FP_SUSPEND) && func == FP_SUSPEND)
        return 0;
    if (fp_level_is_just(p, 1, FP_SUSPEND) && func == FP_GARBAGE_COLLECT)
        return clock_of(p, p->level.n > 2 ? fp_level_front(p, 2) : FP_UNDEFINED, func);
    return clock_of(p, fp_level_front(p, 1), func);
}

static void
place_entry(struct fp_proc *p, uint32_t func, int64_t t, uint64_t at)
{
    *SB_PUSH(&p->stack) = (struct fp_entry){.t = t, .at = at, .func = func};
    struct fp_entry *e = &p->stack.at[p->stack.n - 1];
    e->clock = find_clock(p);
    struct fp_seat *s = seat(p, e);
    e->older = s->newest;
    s->newest = (uint32_t)p->stack.n;
    s->fronts++;
}

void
fp_stack_new_level(struct fp_proc *p, uint32_t func, int64_t t, uint64_t at)
{
    *SB_PUSH(&p->level) = (uint32_t)p->stack.n;
    place_entry(p, func, t, at);
}

void
fp_stack_take_newest(struct fp_proc *p) /* it is a front; the entry below it in its level becomes one */
{
    const struct fp_entry *e = &p->stack.at[--p->stack.n];
    struct fp_seat *s = seat(p, e);
    s->newest = e->older;
    s->fronts--;
    if (p->stack.n == p->level.at[p->level.n - 1])
        p->level.n--;
    else
        seat(p, &p->stack.at[p->stack.n - 1])->fronts++;
}

void
fp_stack_push(struct fp_proc *p, uint32_t func, int64_t t, uint64_t at)
{
    if (p->stack.n > 0)
        charge_own(p, t);
    fp_stack_new_level(p, func, t, at);
    charge_call(p);
}

/* ---- tail calls: cycles in a level are collapsed, so that an endless loop does not grow it */

static uint32_t
nth(const struct fp_proc *p, size_t i) /* function of the newest level, counted from its front */
{
    return p->stack.at[p->stack.n - 1 - i].func;
}

/* Returns whether each pair (callee, caller) of the n front entries occurs again, in the same order, from
 * entry `from`. */
static bool
repeats(const struct fp_proc *p, size_t from, size_t n)
{
    size_t length = p->stack.n - fp_level_start(p, 0), a = 0, b = from;
    while (n > 0) {
        if (nth(p, a) == nth(p, b)) {
            if (b + 1 == length || nth(p, a + 1) != nth(p, b + 1))
                return false;
            a++;
            n--;
        } else if (b + 1 == length) {
            return false;
        }
        b++;
    }
    return true;
}

/* Removes a cycle. No ACC is lost: it is charged to the outermost entry of a function, and everything
 * removed occurs again further out (the last pair that must occur ends in the function itself). */
static void
collapse(struct fp_proc *p, int64_t t, uint64_t at)
{
    size_t top = p->stack.n, start = fp_level_start(p, 0);
    if (top - start <= 2)
        return;
    for (size_t i = p->stack.at[top - 1].older; i > start; i = p->stack.at[i - 1].older) {
        if (!repeats(p, top - i, top - i))
            continue;
        while (p->stack.n > i)
            fp_stack_take_newest(p);
        struct fp_entry *e = &p->stack.at[i - 1];
        e->t = t;
        e->at = at;
        return;
    }
}

static void
shove(struct fp_proc *p, uint32_t func, int64_t t, uint64_t at)
{
    if (p->stack.n == 0) {
        fp_stack_new_level(p, func, t, at);
    } else {
        charge_own(p, t);
        seat(p, &p->stack.at[p->stack.n - 1])->fronts--;
        place_entry(p, func, t, at);
        collapse(p, t, at);
    }
    charge_call(p);
}

/* ---- returns */

/* Returns the newest level below level 0 with this front; 0 when there is none. */
static size_t
find_front(const struct fp_proc *p, uint32_t func)
{
    if (p->level.n > 1 && fp_level_front(p, 1) == func)
        return 1;
    const uint32_t *known = sb_map_get(&p->seat_of, func);
    if (!known || p->level.n < 3 || p->seat.at[*known].fronts == (fp_level_front(p, 0) == func))
        return 0;
    size_t level = 2;
    while (fp_level_front(p, level) != func)
        level++;
    return level;
}

/* Removes the entries above the return's target. Each function among them is charged with the time since
 * its outermost entry was pushed. */
void
fp_stack_return_to(struct fp_proc *p, uint32_t func, int64_t t, uint64_t at)
{
    if (p->stack.n > 0)
        charge_own(p, t);
    size_t level = find_front(p, func);
    if (level == 0 && func != FP_UNDEFINED) {
        fp_stack_new_level(p, func, t, at);
        return;
    }
    size_t keep = level ? fp_level_start(p, level - 1) : 0;
    while (p->stack.n > keep) {
        struct fp_entry e = p->stack.at[p->stack.n - 1];
        fp_stack_take_newest(p);
        if (e.older == 0)
            charge_acc(p, &e, t);
    }
    if (level == 0)
        return;
    struct fp_entry *e = &p->stack.at[p->stack.n - 1];
    if (e->older == 0)
        charge_acc(p, e, t);
    e->t = t;
    e->at = at;
}

/* ---- calls */

static void
log_call(struct fp_proc *p, uint32_t func)
{
    if (p->spawned && p->n_calls < 2 && func != FP_SUSPEND)
        p->calls[p->n_calls++] = func;
}

static void
chain_functions(struct fp_proc *p)
{
    for (size_t i = 0; i < p->stack.n; i++)
        seat(p, &p->stack.at[i])->newest = 0;
    for (size_t i = 0; i < p->stack.n; i++) {
        struct fp_seat *s = seat(p, &p->stack.at[i]);
        p->stack.at[i].older = s->newest;
        s->newest = (uint32_t)i + 1;
    }
}

/* Inserts a caller below the only level. This is the only change below existing entries: the lowest of
 * them gets another clock. */
static void
put_below(struct fp_proc *p, uint32_t caller)
{
    struct fp_entry top = p->stack.at[p->stack.n - 1];
    SB_RESERVE(&p->stack, 1);
    memmove(p->stack.at + 1, p->stack.at, p->stack.n * sizeof *p->stack.at);
    p->stack.n++;
    *SB_PUSH(&p->level) = 1;
    p->stack.at[0] = (struct fp_entry){.t = top.t, .at = top.at, .func = caller};
    p->stack.at[0].clock = clock_of(p, FP_UNDEFINED, caller);
    p->stack.at[1].clock = clock_of(p, caller, p->stack.at[1].func);
    seat(p, &p->stack.at[0])->fronts++;
    chain_functions(p);
}

void
fp_stack_call_from_nowhere(struct fp_proc *p, const struct fp_event *ev, int64_t t, uint64_t at)
{
    log_call(p, ev->func);
    if (ev->cp != FP_UNDEFINED)
        fp_stack_new_level(p, ev->cp, t, at);
    fp_stack_push(p, ev->func, t, at);
}

/* Handles a caller that is not at the top. An unknown caller is the bottom of the process, so the stack is
 * wrong. A known one was lost in a collapsed cycle and is pushed again as if tail called. */
static void
call_from_elsewhere(struct fp_proc *p, const struct fp_event *ev)
{
    if (ev->cp == FP_UNDEFINED) {
        fp_stack_return_to(p, FP_UNDEFINED, ev->t, ev->at);
    } else {
        log_call(p, ev->cp);
        shove(p, ev->cp, ev->t, ev->at);
    }
    log_call(p, ev->func);
    fp_stack_push(p, ev->func, ev->t, ev->at);
}

void
fp_stack_call(struct fp_proc *p, const struct fp_event *ev)
{
    size_t levels = p->level.n;
    bool by_top = fp_level_front(p, 0) == ev->cp, by_second = levels > 1 && fp_level_front(p, 1) == ev->cp;
    if (by_top && !by_second) {
        log_call(p, ev->func);
        fp_stack_push(p, ev->func, ev->t, ev->at);
    } else if (by_second) { /* a tail call. If both match, it is a self call, treated as a tail call:
                               recursion stays shallow */
        log_call(p, ev->func);
        shove(p, ev->func, ev->t, ev->at);
    } else if (levels > 2 && fp_level_front(p, 0) == fp_level_front(p, 1) &&
               fp_level_front(p, 2) == ev->cp) { /* corrects such a self call */
        log_call(p, ev->func);
        fp_stack_return_to(p, fp_level_front(p, 0), ev->t, ev->at);
        shove(p, ev->func, ev->t, ev->at);
    } else if (levels == 1) {
        log_call(p, ev->func);
        if (ev->cp != FP_UNDEFINED)
            put_below(p, ev->cp);
        shove(p, ev->func, ev->t, ev->at);
    } else {
        call_from_elsewhere(p, ev);
    }
}

/* ---- lifetime of a stack */

void
fp_stack_open(struct fp_proc *p)
{
    uint32_t suspend = seat_of(p, FP_SUSPEND);
    *SB_PUSH(&p->clock) = (struct fp_clock){.func = FP_SUSPEND, .seat = suspend};
}

void
fp_stack_close(struct fp_proc *p)
{
    SB_VEC_FREE(&p->stack);
    SB_VEC_FREE(&p->level);
    SB_VEC_FREE(&p->clock);
    SB_VEC_FREE(&p->seat);
    sb_map_close(&p->clock_of);
    sb_map_close(&p->seat_of);
}
