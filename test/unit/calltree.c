/*
 * Random programs, run by a toy machine with a real stack, against the tree: calls and own time of each
 * function are exact, and so are the accumulated time, the activations and the calls between two functions,
 * where the events of the program have one meaning. Recursion together with tail calls has several: after f()
 * -> g(), g() -> f(), the event "return to f" may mean either call of f.
 */
#include "engine/pass/call_activity.h"
#include "engine/pass/calltree.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

enum { FUNCTIONS = 600, FEW = 7, DEPTH = 700, SUSPEND = 1000, EDGES = (FEW + 1) * (FEW + 1) };

struct truth {
    uint64_t calls[FUNCTIONS + 1], edge_calls[EDGES];
    int64_t own[FUNCTIONS + 1], acc[FUNCTIONS + 1], edge_acc[EDGES], edge_outer[EDGES], off;
};

struct frame {
    unsigned fn, caller; /* numbers from 1 */
    bool tail;           /* returns where the frame below does */
};
struct toy {
    struct frame frame[DEPTH];
    unsigned depth;
    int64_t now;
    uint32_t seed;
    bool with_callers, tails, recursion;
    /* many functions, each calls the few that follow it; it goes down before it comes back */
    bool deep;
    struct truth truth;
};

static uint32_t
roll(struct toy *m, uint32_t n)
{
    m->seed = m->seed * 1664525u + 1013904223u;
    return (m->seed >> 8) % n;
}

static unsigned
edge_of(unsigned caller, unsigned fn)
{
    return caller <= FEW && fn <= FEW ? caller * (FEW + 1) + fn : 0;
}

/* time goes by: own of what runs, acc of everything on the stack, once each; `off`: no own time meanwhile */
static void
pass_time(struct toy *m, bool on)
{
    int64_t d = roll(m, 50);
    bool seen[FUNCTIONS + 1] = {false}, seen_edge[EDGES] = {false};
    m->now += d;
    for (unsigned i = 0; i < m->depth; i++) {
        const struct frame *f = &m->frame[i];
        unsigned edge = edge_of(f->caller, f->fn);
        m->truth.acc[f->fn] += seen[f->fn] ? 0 : d;
        m->truth.edge_acc[edge] += seen_edge[edge] ? 0 : d;
        m->truth.edge_outer[edge] += seen[f->fn] ? 0 : d;
        seen[f->fn] = seen_edge[edge] = true;
    }
    if (on && m->depth)
        m->truth.own[m->frame[m->depth - 1].fn] += d;
}

static unsigned
below(const struct toy *m) /* how high the stack is when what runs has returned */
{
    unsigned n = m->depth;
    while (n > 0 && m->frame[--n].tail)
        ;
    return n;
}

static void
call(struct toy *m, struct sb_calltree *t, bool tail)
{
    unsigned last = m->depth ? m->frame[m->depth - 1].fn : 0, most = m->deep ? FUNCTIONS : FEW;
    unsigned least = m->deep ? last : m->recursion ? 0 : last;
    unsigned choice = m->deep && most - least > 3 ? 3 : most - least;
    bool again = m->recursion && m->deep && last && roll(m, 20) == 0;
    if (least == most || m->depth == (m->deep ? DEPTH : 40))
        return;
    unsigned fn = again ? 1 + roll(m, last) : least + 1 + roll(m, choice);
    tail = tail && m->depth;
    unsigned returns_to = tail ? below(m) : m->depth;
    m->frame[m->depth++] = (struct frame){fn, last, tail};
    m->truth.calls[fn]++;
    m->truth.edge_calls[edge_of(last, fn)]++;
    sb_calltree_call(t, m->now, fn, m->with_callers, returns_to ? m->frame[returns_to - 1].fn : 0);
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
    } else if (below(m) > 0) {
        m->depth = below(m);
        sb_calltree_return_to(t, m->now, m->frame[m->depth - 1].fn);
    }
}

static void
compare_functions(const struct sb_calltree *t, const struct truth *want, bool acc_too)
{
    for (size_t i = 1; i < t->function.n; i++) {
        const struct sb_call_function *f = &t->function.at[i];
        struct sb_interval active[SB_CALLS_INTERVALS];
        int64_t busy_ns = 0;
        size_t n = sb_call_activity(f, active);
        for (size_t k = 0; k < n; k++) {
            busy_ns += active[k].busy_ns;
            assert_true(active[k].busy_ns <= active[k].end - active[k].start);
            assert_true(k == 0 || active[k - 1].end <= active[k].start);
        }
        assert_int_equal(busy_ns, f->acc_ns);
        if (f->name <= FUNCTIONS && acc_too)
            assert_int_equal(f->acc_ns, want->acc[f->name]);
    }
}

static void
compare_edges(const struct sb_calltree *t, const struct truth *want)
{
    assert_int_equal(t->edge.at[0].calls, 0);
    for (size_t i = 1; i < t->edge.n; i++) {
        const struct sb_call_edge *e = &t->edge.at[i];
        uint32_t caller = t->function.at[e->caller].name, callee = t->function.at[e->callee].name;
        if (callee > FEW || caller > FEW)
            continue;
        assert_int_equal(e->calls, want->edge_calls[edge_of(caller, callee)]);
        assert_int_equal(e->acc_ns, want->edge_acc[edge_of(caller, callee)]);
        assert_int_equal(e->outer_ns, want->edge_outer[edge_of(caller, callee)]);
    }
}

static void
compare(const struct sb_calltree *t, const struct truth *want)
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
        assert_true(n->parent < i);
        for (uint32_t up = n->parent; up; up = t->node.at[up].parent)
            assert_int_not_equal(t->node.at[up].fn, n->fn);
    }
    assert_int_equal(got.off, want->off);
    for (unsigned f = 1; f <= FUNCTIONS; f++) {
        assert_int_equal(got.calls[f], want->calls[f]);
        assert_int_equal(got.own[f], want->own[f]);
    }
}

static void
run(struct toy m)
{
    struct sb_calltree *t = sb_calltree_open();
    for (int i = 0; i < 2000; i++)
        step(&m, t);
    sb_calltree_end(t, m.now);
    bool one_meaning = !m.tails || !m.recursion;
    compare(t, &m.truth);
    compare_functions(t, &m.truth, one_meaning);
    if (one_meaning && !m.deep)
        compare_edges(t, &m.truth);
    sb_calltree_close(t);
}

static void
callers_known(void **state)
{
    (void)state;
    for (uint32_t seed = 0; seed < 200; seed++)
        run((struct toy){.seed = seed, .with_callers = true, .tails = true, .recursion = true});
}

static void
callers_unknown(void **state)
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
            .seed = seed, .with_callers = seed & 1, .deep = true, .recursion = seed & 2, .tails = seed & 4});
}

static void
no_recursion(void **state)
{
    (void)state;
    for (uint32_t seed = 0; seed < 200; seed++)
        run((struct toy){.seed = seed, .with_callers = seed & 1, .tails = seed & 2});
}

static void
no_tail_calls(void **state)
{
    (void)state;
    for (uint32_t seed = 0; seed < 200; seed++)
        run((struct toy){.seed = seed, .with_callers = seed & 1, .recursion = true});
}

/* A stack higher than its stored part: even() and odd() call each other, then return one by one. */
static void
squeezed(void **state)
{
    (void)state;
    enum { START = 1, EVEN, ODD, LEAF, TURNS = 30000 };
    struct sb_calltree *t = sb_calltree_open();
    int64_t now = 0;
    sb_calltree_call(t, now++, START, false, 0);
    for (uint32_t i = 0; i < TURNS; i++)
        sb_calltree_call(t, now++, i & 1 ? ODD : EVEN, false, 0);
    for (uint32_t i = TURNS - 1; i-- > 0;)
        sb_calltree_return_to(t, now++, i & 1 ? ODD : EVEN);
    sb_calltree_return_to(t, now++, START);
    sb_calltree_call(t, now++, LEAF, false, 0);
    sb_calltree_return_to(t, now++, START);
    sb_calltree_end(t, now);
    assert_int_equal(t->node.n, 5);
    assert_int_equal(t->node.at[1].calls, 1);
    assert_int_equal(t->function.at[t->node.at[1].function].acc_ns, now);
    for (size_t i = 1; i < t->node.n; i++) {
        const struct sb_call_function *f = &t->function.at[t->node.at[i].function];
        int64_t want = f->name == START ? now : f->name == LEAF ? 1 : 2 * TURNS - 1;
        assert_int_equal(t->node.at[i].tail, 0);
        assert_true(f->name == ODD ? f->acc_ns >= want - 2 && f->acc_ns < want : f->acc_ns == want);
    }
    sb_calltree_close(t);
}

/* A loop of unrecorded tail calls: the stack stays low. */
static void
endless(void **state)
{
    (void)state;
    enum { TURNS = 300000, LEAF = 9 };
    struct sb_calltree *t = sb_calltree_open();
    uint32_t seed = 1;
    for (int64_t i = 0; i < TURNS; i++) {
        seed = seed * 1664525u + 1013904223u;
        sb_calltree_call(t, 3 * i, 1 + (seed >> 8) % 8, false, 0);
        sb_calltree_call(t, 3 * i + 1, LEAF, false, 0);
        sb_calltree_return_to(t, 3 * i + 2, 1 + (seed >> 8) % 8);
    }
    assert_true(t->frame.cap < 20000);
    sb_calltree_end(t, 3 * TURNS);
    uint64_t calls = 0;
    for (size_t i = 1; i < t->node.n; i++)
        calls += t->node.at[i].calls;
    assert_int_equal(calls, 2 * TURNS);
    sb_calltree_close(t);
}

/* A function that is called many times: the intervals cover all calls, each a small part of the run. */
static void
often(void **state)
{
    (void)state;
    enum { TIMES = 10000, EVERY = 100 };
    struct sb_call_function f = {0};
    struct sb_interval all[SB_CALLS_INTERVALS];
    for (int64_t i = 0; i < TIMES; i++)
        sb_call_was_active(&f, i * EVERY, i * EVERY + 1);
    size_t n = sb_call_activity(&f, all);
    int64_t count = 0;
    for (size_t i = 0; i < n; i++) {
        assert_true(all[i].end - all[i].start <= TIMES * EVERY / 5);
        assert_int_equal(all[i].busy_ns, all[i].count);
        count += all[i].busy_ns;
    }
    assert_int_equal(count, TIMES);
    free(f.earlier);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(callers_known), cmocka_unit_test(callers_unknown),
                                       cmocka_unit_test(no_recursion),  cmocka_unit_test(no_tail_calls),
                                       cmocka_unit_test(long_paths),    cmocka_unit_test(squeezed),
                                       cmocka_unit_test(endless),       cmocka_unit_test(often)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
