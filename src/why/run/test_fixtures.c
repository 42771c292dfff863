#include "why/run/tests.h"
#include "base/order.h"

struct part { /* of what a group of EUnit runs: a test in its process, or another process that runs some */
    int64_t group, from_ns, to_ns;
};
struct of_test {
    size_t test;
    struct sb_fixture fixture;
};
struct finding {
    const struct sb_evidence *x;
    struct sb_tests *tests;
    SB_VEC(struct part) part;
    SB_VEC(struct of_test) found;
};

SB_ORDER(by_group, struct part, SB_UP(group) ?: SB_UP(from_ns) ?: SB_UP(to_ns))
SB_ORDER(by_test, struct of_test, SB_UP(test) ?: SB_UP(fixture.from_ns) ?: SB_UP(fixture.process))

static enum sb_test_part
part_of(const struct sb_evidence *x, int64_t id)
{
    return id > 0 && id < x->n_actors ? sb_test_part(sb_profile_text(x->profile, x->actor[id].entry))
                                      : SB_TEST_NONE;
}

/* The first test that begins at or after that time. */
static size_t
first_test(const struct sb_tests *t, int64_t at)
{
    size_t lo = 0, hi = t->n;
    SB_SEARCH(lo, hi, t->at[mid].from_ns < at);
    return lo;
}

static void
add(struct finding *f, size_t test, struct sb_fixture fixture)
{
    if (fixture.to_ns >= fixture.from_ns)
        *SB_PUSH(&f->found) = (struct of_test){test, fixture};
}

/* ---- groups of EUnit ---- */

/* The groups that the process is, or is started by; `group`: up to that one, 0 if it is not among them. */
static int64_t
depth(const struct sb_evidence *x, int64_t process, int64_t group)
{
    int64_t n = 0;
    for (int64_t id = process; id > 0 && id < x->n_actors && x->actor[id].parent != id;
         id = x->actor[id].parent) {
        if (!sb_str_starts(sb_profile_text(x->profile, x->actor[id].entry), SB_STR("eunit_proc:")))
            break;
        n += part_of(x, id) == SB_TEST_EUNIT_GROUP;
        if (id == group)
            return n;
    }
    return group > 0 ? 0 : n;
}

static bool
is_within(const struct finding *f, size_t test, int64_t group)
{
    const struct sb_test *t = &f->tests->at[test];
    return t->framework == SB_FRAMEWORK_EUNIT && depth(f->x, t->process, group) > 0;
}

/* What a group does by itself prepares its next test; after the last one it cleans up. */
static void
add_pause(struct finding *f, int64_t group, int64_t from_ns, int64_t to_ns)
{
    size_t next = first_test(f->tests, to_ns), i = next;
    while (i < f->tests->n && !is_within(f, i, group))
        i++;
    bool is_cleanup = i == f->tests->n;
    for (i = is_cleanup ? next : i; is_cleanup && i > 0 && !is_within(f, i - 1, group);)
        i--;
    if (!is_cleanup || i > 0)
        add(f, is_cleanup ? i - 1 : i, (struct sb_fixture){group, from_ns, to_ns, is_cleanup});
}

static void
read_parts(struct finding *f)
{
    const struct sb_evidence *x = f->x;
    for (size_t i = 0; i < f->tests->n; i++) {
        const struct sb_test *t = &f->tests->at[i];
        if (t->framework == SB_FRAMEWORK_EUNIT)
            *SB_PUSH(&f->part) = (struct part){t->process, t->from_ns, t->to_ns};
    }
    for (int64_t id = 1; id < x->n_actors && f->part.n > 0; id++) {
        const struct sb_actor *a = &x->actor[id];
        if (sb_str_starts(sb_profile_text(x->profile, a->entry), SB_STR("eunit_proc:")) &&
            part_of(x, id) != SB_TEST_EUNIT && part_of(x, a->parent) == SB_TEST_EUNIT_GROUP)
            *SB_PUSH(&f->part) = (struct part){a->parent, a->start == SB_NULL ? x->t0 : a->start,
                                               a->end == SB_NULL ? x->t1 : a->end};
    }
    SB_SORT(&f->part, by_group);
}

static void
find_pauses(struct finding *f)
{
    const struct sb_evidence *x = f->x;
    for (size_t i = 0, to; i < f->part.n; i = to) {
        int64_t group = f->part.at[i].group;
        const struct sb_actor *a = &x->actor[group];
        int64_t at = a->start == SB_NULL || a->start < x->t0 ? x->t0 : a->start;
        for (to = i; to < f->part.n && f->part.at[to].group == group; to++) {
            const struct part *p = &f->part.at[to];
            add_pause(f, group, at, p->from_ns);
            at = p->to_ns > at ? p->to_ns : at;
        }
        add_pause(f, group, at, a->end == SB_NULL ? x->t1 : sb_least(a->end, x->t1));
    }
}

/* ---- on_exit of ExUnit ---- */

/* The process of setup_all ends before the callbacks of its module run, and after those of its tests. */
static void
find_callbacks(struct finding *f)
{
    const struct sb_evidence *x = f->x;
    for (int64_t id = 1; id < x->n_actors; id++) {
        const struct sb_actor *a = &x->actor[id];
        if (part_of(x, id) != SB_TEST_EXUNIT_CLEANUP || a->start == SB_NULL)
            continue;
        size_t of = f->tests->n;
        for (size_t i = first_test(f->tests, a->start); i > 0; i--) {
            const struct sb_test *t = &f->tests->at[i - 1];
            if (t->suite != a->parent || t->framework != SB_FRAMEWORK_EXUNIT)
                continue;
            int64_t end = x->actor[t->process].end;
            bool ended = end != SB_NULL && end <= a->start;
            if (ended && (of == f->tests->n || t->is_setup))
                of = i - 1;
            if (t->is_setup)
                break;
        }
        if (of < f->tests->n)
            add(f, of,
                (struct sb_fixture){id, a->start, a->end == SB_NULL ? x->t1 : sb_least(a->end, x->t1), true});
    }
}

/* ---- */

static void
sum_up(const struct sb_evidence *x, struct sb_test *t)
{
    int64_t setup = 0, cleanup = 0, cleanups = 0;
    for (size_t i = 0; i < t->n_fixtures; i++) {
        const struct sb_fixture *f = &t->fixture[i];
        *(f->is_cleanup ? &cleanup : &setup) += f->to_ns - f->from_ns;
        cleanups += f->is_cleanup;
    }
    bool eunit = t->framework == SB_FRAMEWORK_EUNIT;
    t->setup_ns = eunit ? setup : SB_NULL;
    t->cleanup_ns = t->framework == SB_FRAMEWORK_EXUNIT            ? cleanup
                    : eunit && cleanups == depth(x, t->process, 0) ? cleanup
                                                                   : SB_NULL;
}

void
sb_fixtures_find(const struct sb_evidence *x, struct sb_tests *t)
{
    struct finding f = {.x = x, .tests = t};
    read_parts(&f);
    find_pauses(&f);
    find_callbacks(&f);
    SB_SORT(&f.found, by_test);
    struct sb_fixture *fixture = SB_NEW_N(x->arena, struct sb_fixture, f.found.n + 1);
    for (size_t i = 0, k = 0; i < t->n; i++) {
        t->at[i].fixture = fixture + k;
        for (; k < f.found.n && f.found.at[k].test == i; k++) {
            fixture[k] = f.found.at[k].fixture;
            t->at[i].n_fixtures++;
        }
        sum_up(x, &t->at[i]);
    }
    SB_VEC_FREE(&f.part);
    SB_VEC_FREE(&f.found);
}
