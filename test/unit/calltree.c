/*
 * Random programs, run by a toy machine with a real stack, against the folded tree: calls and own time of
 * each function are exact, accumulated time counts outermost activations only, whether callers are told or
 * not.
 */
#include "engine/calltree.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

enum { FUNCTIONS = 600, FEW = 7, DEPTH = 700, SUSPEND = 1000 };

struct truth {
    uint64_t calls[FUNCTIONS + 1];
    int64_t own[FUNCTIONS + 1], acc[FUNCTIONS + 1], off, collecting;
};

struct toy { /* function numbers from 1; frame[i] is what runs at depth i */
    unsigned frame[DEPTH], depth;
    int64_t now;
    uint32_t seed;
    bool told, tails, recursion;
    bool deep; /* many functions, each calls the few that follow it; it goes down before it comes back */
    struct truth truth;
};

static uint32_t
roll(struct toy *m, uint32_t n)
{
    m->seed = m->seed * 1664525u + 1013904223u;
    return (m->seed >> 8) % n;
}

/* time goes by: own of what runs, acc of everything on the stack, once each; `off`: no own time meanwhile */
static void
pass_time(struct toy *m, bool on)
{
    int64_t d = roll(m, 50);
    bool seen[FUNCTIONS + 1] = {false};
    m->now += d;
    for (unsigned i = 0; i < m->depth; i++)
        if (!seen[m->frame[i]]) {
            seen[m->frame[i]] = true;
            m->truth.acc[m->frame[i]] += d;
        }
    if (on && m->depth)
        m->truth.own[m->frame[m->depth - 1]] += d;
}

static void
call(struct toy *m, struct sb_calltree *t, bool tail)
{
    unsigned last = m->depth ? m->frame[m->depth - 1] : 0, most = m->deep ? FUNCTIONS : FEW;
    unsigned least = m->deep ? last : m->recursion ? 0 : last;
    unsigned choice = m->deep && most - least > 3 ? 3 : most - least;
    bool again = m->recursion && m->deep && last && roll(m, 20) == 0;
    if (least == most || m->depth == (m->deep ? DEPTH : 40))
        return;
    unsigned fn = again ? 1 + roll(m, last) : least + 1 + roll(m, choice);
    if (tail && m->depth)
        m->depth--;
    uint32_t cp = m->depth ? m->frame[m->depth - 1] : 0;
    m->frame[m->depth++] = fn;
    m->truth.calls[fn]++;
    sb_calltree_call(t, m->now, fn, m->told, cp);
}

static void
suspend(struct toy *m, struct sb_calltree *t)
{
    sb_calltree_enter_pseudo(t, m->now, SUSPEND);
    int64_t before = m->now;
    pass_time(m, false);
    m->truth.off += m->depth ? m->now - before : 0;
    sb_calltree_leave_pseudo(t, m->now, SUSPEND);
}

static void
step(struct toy *m, struct sb_calltree *t)
{
    pass_time(m, true);
    uint32_t what = roll(m, 10);
    if (m->deep && what > 5 && roll(m, 4) != 0)
        what = 3;
    if (what == 0) {
        suspend(m, t);
    } else if (what <= 5 || m->depth == 0) {
        call(m, t, m->tails && what <= 2);
    } else if (m->depth > 1) {
        m->depth--;
        sb_calltree_return_to(t, m->now, m->frame[m->depth - 1]);
    }
}

static int64_t
acc_of(const struct sb_calltree *t, uint32_t node)
{
    int64_t sum = t->node.at[node].own_ns;
    for (uint32_t c = t->node.at[node].child; c; c = t->node.at[c].sibling)
        sum += acc_of(t, c);
    return sum;
}

static void
compare(const struct sb_calltree *t, const struct truth *want, bool acc_too)
{
    struct truth got = {0};
    for (uint32_t i = 1; i < t->node.n; i++) {
        const struct sb_call_node *n = &t->node.at[i];
        if (n->fn > FUNCTIONS) {
            got.off += n->own_ns;
            continue;
        }
        got.calls[n->fn] += n->calls;
        got.own[n->fn] += n->own_ns;
        got.acc[n->fn] += acc_of(t, i);
        for (uint32_t up = n->parent; up; up = t->node.at[up].parent)
            assert_int_not_equal(t->node.at[up].fn, n->fn);
    }
    assert_int_equal(got.off, want->off);
    for (unsigned f = 1; f <= FUNCTIONS; f++) {
        assert_int_equal(got.calls[f], want->calls[f]);
        assert_int_equal(got.own[f], want->own[f]);
        if (acc_too)
            assert_int_equal(got.acc[f], want->acc[f]);
    }
}

static void
run(struct toy m)
{
    struct sb_calltree *t = sb_calltree_open();
    for (int i = 0; i < 2000; i++)
        step(&m, t);
    sb_calltree_end(t, m.now);
    /* on the tree's path a tail call keeps its caller and recursion its first turn only: there acc differs by
     * design */
    compare(t, &m.truth, !m.tails && !m.recursion);
    sb_calltree_close(t);
}

static void
callers_told(void **state)
{
    (void)state;
    for (uint32_t seed = 0; seed < 200; seed++)
        run((struct toy){.seed = seed, .told = true, .tails = true, .recursion = true});
}

static void
callers_not_told(void **state)
{
    (void)state;
    for (uint32_t seed = 0; seed < 200; seed++)
        run((struct toy){.seed = seed, .tails = true, .recursion = true});
}

static void
long_paths(void **state)
{
    (void)state;
    for (uint32_t seed = 0; seed < 40; seed++)
        run((struct toy){
            .seed = seed, .told = seed & 1, .deep = true, .recursion = seed & 2, .tails = seed & 4});
}

static void
no_recursion(void **state)
{
    (void)state;
    for (uint32_t seed = 0; seed < 200; seed++)
        run((struct toy){.seed = seed, .told = seed & 1});
}

int
main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(callers_told), cmocka_unit_test(callers_not_told),
                                       cmocka_unit_test(no_recursion), cmocka_unit_test(long_paths)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
