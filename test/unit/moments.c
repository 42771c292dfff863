/* The next event of a replay is the earliest of all, and of those at one moment the one that was put first. */
#include "why/predict/moments.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

enum { MOST_CORES = 13, MOST_WAITS = 40, STEPS = 3000, TIMES = 50 };

struct model { /* every event in a list; the slow way */
    int64_t core_ns[MOST_CORES], wait_ns[MOST_WAITS];
    uint64_t core_put[MOST_CORES], wait_put[MOST_WAITS], puts;
    uint32_t cores;
};

static bool
is_before(int64_t ns, uint64_t put, int64_t than, uint64_t than_put)
{
    return ns != than ? ns < than : put < than_put;
}

static uint32_t
first_core(const struct model *m)
{
    uint32_t best = 0;
    for (uint32_t i = 1; i < m->cores; i++)
        best = is_before(m->core_ns[i], m->core_put[i], m->core_ns[best], m->core_put[best]) ? i : best;
    return best;
}

static uint32_t
first_wait(const struct model *m)
{
    uint32_t best = 0;
    for (uint32_t i = 1; i < MOST_WAITS; i++)
        best = is_before(m->wait_ns[i], m->wait_put[i], m->wait_ns[best], m->wait_put[best]) ? i : best;
    return best;
}

static int64_t
beside(const struct model *m, uint32_t core)
{
    int64_t ns = m->wait_ns[first_wait(m)];
    for (uint32_t i = 0; i < m->cores; i++)
        ns = i != core && m->core_ns[i] < ns ? m->core_ns[i] : ns;
    return ns;
}

static void
compare(const struct model *m, const struct sb_moments *s)
{
    uint32_t core = first_core(m);
    assert_true(sb_moment_ns(s->node[1]) == m->core_ns[core]);
    if (m->core_ns[core] != INT64_MAX)
        assert_int_equal(sb_moment_core(s->node[1]), core);
    assert_true(sb_moment_ns(sb_moments_of_waits(s)) == m->wait_ns[first_wait(m)]);
    for (uint32_t i = 0; i < m->cores; i++)
        assert_true(sb_moments_beside(s, i) == beside(m, i));
}

static void
change(struct model *m, struct sb_moments *s)
{
    uint32_t core = (uint32_t)rand() % m->cores, wait = (uint32_t)rand() % MOST_WAITS;
    int64_t ns = rand() % TIMES;
    switch (rand() % 4) {
    case 0:
        sb_moments_set(s, core, SB_NO_MOMENT);
        m->core_ns[core] = INT64_MAX;
        break;
    case 1:
        sb_moments_put(s, core, ns);
        m->core_ns[core] = ns;
        m->core_put[core] = m->puts++;
        break;
    case 2:
        if (m->wait_ns[wait] != INT64_MAX)
            break;
        sb_moments_put_wait(s, wait, ns);
        m->wait_ns[wait] = ns;
        m->wait_put[wait] = m->puts++;
        break;
    default:
        if (sb_moments_of_waits(s) == SB_NO_MOMENT)
            break;
        assert_int_equal(sb_moments_take_wait(s), first_wait(m));
        m->wait_ns[first_wait(m)] = INT64_MAX;
    }
}

static void
the_first_event_comes_first(void **state)
{
    (void)state;
    for (uint32_t cores = 1; cores <= MOST_CORES; cores++) {
        struct model m = {.cores = cores};
        struct sb_moments s;
        sb_moments_open(&s, cores);
        for (uint32_t i = 0; i < cores; i++)
            m.core_ns[i] = INT64_MAX;
        for (uint32_t i = 0; i < MOST_WAITS; i++)
            m.wait_ns[i] = INT64_MAX;
        for (int i = 0; i < STEPS; i++) {
            change(&m, &s);
            compare(&m, &s);
        }
        sb_moments_close(&s);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_first_event_comes_first)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
