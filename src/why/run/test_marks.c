#include "why/run/tests.h"
#include "profile/scan_row.h"

struct named {                       /* a test as its marks describe it */
    int64_t process, from_ns, to_ns; /* that set the marks; to_ns SB_NULL: no mark of its end */
    struct sb_str key, module, name, file, state;
    int64_t line;
    size_t of; /* the first test with that module */
    bool is_joined;
};
typedef SB_VEC(struct named) names;

/* ---- reading ---- */

static const char *const outcomes[] = {"passed", "failed", "skipped", "invalid", "excluded"};

/* Takes " FILE:LINE" behind the last " at " off the key. */
static void
read_place(struct named *m)
{
    for (size_t i = m->key.n; i-- > 0;) {
        struct sb_str rest = sb_str_sub(m->key, i, SIZE_MAX);
        uint64_t line;
        if (!sb_str_starts(rest, SB_STR(" at ")))
            continue;
        size_t colon = rest.n;
        while (colon > 0 && rest.p[colon - 1] != ':')
            colon--;
        if (colon <= 5 || !sb_str_to_u64(sb_str_sub(rest, colon, SIZE_MAX), &line))
            return;
        m->file = sb_str_sub(rest, 4, colon - 5);
        m->line = (int64_t)line;
        m->key = sb_str_sub(m->key, 0, i);
        return;
    }
}

/* The last open test of that key, of this process if it has one: a hook and a handler may both mark a test. */
static struct named *
open_test(names *v, int64_t process, struct sb_str key)
{
    struct named *other = NULL;
    for (size_t i = v->n; i-- > 0;) {
        struct named *m = &v->at[i];
        if (m->to_ns != SB_NULL || !sb_str_eq(m->key, key))
            continue;
        if (m->process == process)
            return m;
        other = other ? other : m;
    }
    return other;
}

static bool
is_end(names *v, int64_t process, struct sb_str text, int64_t at)
{
    for (size_t i = 0; i < sizeof outcomes / sizeof *outcomes; i++) {
        struct sb_str o = sb_str_of(outcomes[i]);
        if (text.n <= o.n + 1 || !sb_str_ends(text, o) || text.p[text.n - o.n - 1] != ' ')
            continue;
        struct named *m = open_test(v, process, sb_str_sub(text, 0, text.n - o.n - 1));
        if (m) {
            m->to_ns = at;
            m->state = o;
            return true;
        }
    }
    return false;
}

static void
read_mark(names *v, int64_t process, int64_t at, struct sb_str text)
{
    if (!sb_str_starts(text, SB_STR("test ")))
        return;
    struct named m = {.process = process, .from_ns = at, .to_ns = SB_NULL, .line = SB_NULL};
    m.key = sb_str_sub(text, 5, SIZE_MAX);
    if (is_end(v, process, m.key, at))
        return;
    read_place(&m);
    m.name = m.key;
    m.module = sb_str_find(m.key, '-') < m.key.n ? sb_str_cut(&m.name, '-') : SB_STR("");
    for (m.of = 0; m.of < v->n && !sb_str_eq(v->at[m.of].module, m.module); m.of++)
        continue;
    *SB_PUSH(v) = m;
}

static void
read_marks(const struct sb_profile *p, names *v)
{
    SB_SCAN(s, p, mark, process, at, text);
    for (size_t i = 0; sb_scan_row(&s, &i); i++)
        read_mark(v, s.value[process][i], s.value[at][i], sb_profile_text(p, s.value[text][i]));
}

/* ---- joining ---- */

static void
join(struct sb_test *t, struct named *m)
{
    m->is_joined = t->is_named = true;
    t->name = m->name;
    t->module = m->module;
    t->file = m->file;
    t->line = m->line;
    t->state = m->state;
}

static bool
runs(const struct sb_tests *tests, int64_t process)
{
    for (size_t i = 0; i < tests->n; i++)
        if (tests->at[i].process == process)
            return true;
    return false;
}

/* A formatter knows the place of a test whose own mark does not tell it. */
static void
find_place(const names *v, struct named *m)
{
    for (size_t k = 0; k < v->n && m->file.n == 0; k++)
        if (v->at[k].file.n > 0 && sb_str_eq(v->at[k].key, m->key)) {
            m->file = v->at[k].file;
            m->line = v->at[k].line;
        }
}

static bool
is_unnamed_case(const struct sb_tests *tests, int64_t process, int64_t at)
{
    for (size_t i = 0; i < tests->n; i++) {
        const struct sb_test *t = &tests->at[i];
        if (t->process == process && t->framework == SB_FRAMEWORK_CT && !t->is_named && t->from_ns <= at &&
            at < t->to_ns)
            return true;
    }
    return false;
}

struct inbox { /* of a process that sets marks: what it has not handled yet */
    int64_t process;
    size_t next;
};

/* The process of the case of Common Test that a mark is of; 0: unknown. The manager of its events handles them in the
 * order of their receipt, and a case waits until that is done. */
static int64_t
writer_of(const struct sb_evidence *x, const struct sb_tests *tests, const struct named *m, struct inbox *in)
{
    if (m->process < 1 || m->process >= x->n_actors)
        return 0;
    if (in->process != m->process)
        *in = (struct inbox){m->process, x->inbox[m->process]};
    while (in->next < x->inbox[m->process + 1] && sb_evidence_receipt(&x->letter[in->next]) <= m->from_ns) {
        int64_t writer = x->letter[in->next++].sender;
        if (is_unnamed_case(tests, writer, m->from_ns))
            return writer;
    }
    return 0;
}

static void
join_own(struct sb_tests *tests, const names *v, struct named *m, int64_t process)
{
    find_place(v, m);
    for (size_t i = 0; i < tests->n && !m->is_joined; i++) {
        struct sb_test *t = &tests->at[i];
        if (t->process == process && m->from_ns >= t->from_ns && m->from_ns < t->to_ns)
            join(t, m);
    }
}

/* A test of ExUnit that was skipped, or whose module could not be set up, has no process. */
static bool
was_run(const struct named *m)
{
    return !m->is_joined && (m->state.n == 0 || sb_str_eq(m->state, SB_STR("passed")) ||
                             sb_str_eq(m->state, SB_STR("failed")));
}

static size_t
next_of_suite(const struct sb_tests *tests, int64_t suite, size_t i)
{
    while (i < tests->n && (tests->at[i].suite != suite || tests->at[i].is_setup ||
                            tests->at[i].framework != SB_FRAMEWORK_EXUNIT))
        i++;
    return i;
}

static size_t
next_of_module(const names *v, size_t of, size_t k)
{
    while (k < v->n && (v->at[k].of != of || !was_run(&v->at[k])))
        k++;
    return k;
}

/* How far the marks of the module are from the tests of the suite, in time; SB_NULL: they are not of these. A formatter
 * hears of the end of a test after that end. */
static int64_t
distance(const struct sb_tests *tests, int64_t suite, const names *v, size_t of)
{
    size_t i = next_of_suite(tests, suite, 0), k = next_of_module(v, of, of);
    int64_t sum = 0;
    while (i < tests->n && k < v->n) {
        const struct sb_test *t = &tests->at[i];
        const struct named *m = &v->at[k];
        bool other = t->module.n > 0 && !sb_str_eq(t->module, m->module);
        if (other || (m->to_ns != SB_NULL && m->to_ns < t->to_ns))
            return SB_NULL;
        sum += m->from_ns > t->from_ns ? m->from_ns - t->from_ns : t->from_ns - m->from_ns;
        i = next_of_suite(tests, suite, i + 1);
        k = next_of_module(v, of, k + 1);
    }
    return i == tests->n && k == v->n ? sum : SB_NULL;
}

static void
join_suite(struct sb_tests *tests, int64_t suite, names *v)
{
    size_t best = 0;
    int64_t least = SB_NULL;
    for (size_t k = 0; k < v->n; k++) {
        int64_t d = v->at[k].of == k ? distance(tests, suite, v, k) : SB_NULL;
        if (d != SB_NULL && (least == SB_NULL || d < least)) {
            least = d;
            best = k;
        }
    }
    for (size_t i = next_of_suite(tests, suite, 0); least != SB_NULL && i < tests->n;
         i = next_of_suite(tests, suite, i + 1))
        join(&tests->at[i], &v->at[next_of_module(v, best, best)]);
}

/*
 * The other tests of Erlang's frameworks, marked by one process in the order of their starts. Marks are late, and tests
 * may run at once, so that the order of two marks may not be that of their tests. It is where all earlier tests have
 * ended, or as many marks as these were set, before the next one starts.
 */
struct marked {
    SB_VEC(struct sb_test *) test;
    SB_VEC(struct named *) mark;
};

/* All tests since that process started, up to the last mark. */
static void
gather(const struct sb_evidence *x, struct sb_tests *tests, names *v, int64_t process, struct marked *o)
{
    bool known = process >= 1 && process < x->n_actors && x->actor[process].start != SB_NULL;
    int64_t from_ns = known ? x->actor[process].start : INT64_MIN, to_ns = INT64_MIN;
    for (size_t k = 0; k < v->n; k++)
        if (v->at[k].process == process && !v->at[k].is_joined) {
            struct named *m = *SB_PUSH(&o->mark) = &v->at[k];
            to_ns = m->to_ns == SB_NULL ? INT64_MAX : m->to_ns > to_ns ? m->to_ns : to_ns;
        }
    for (size_t i = 0; i < tests->n; i++) {
        struct sb_test *t = &tests->at[i];
        if (t->framework != SB_FRAMEWORK_EXUNIT && !t->is_named && t->from_ns >= from_ns &&
            t->from_ns < to_ns)
            *SB_PUSH(&o->test) = t;
    }
}

static void
join_in_order(struct marked *o)
{
    size_t first = 0; /* no mark of it or of a later test is among those of the tests before it */
    int64_t ended_ns = INT64_MIN;
    for (size_t k = 0; k < o->test.n; k++) {
        ended_ns = o->test.at[k]->to_ns > ended_ns ? o->test.at[k]->to_ns : ended_ns;
        int64_t next_ns = k + 1 < o->test.n ? o->test.at[k + 1]->from_ns : INT64_MAX;
        if (ended_ns > next_ns && o->mark.at[k]->from_ns > next_ns)
            continue;
        struct sb_str module = o->test.at[k]->module;
        if (first == k && (module.n == 0 || sb_str_eq(module, o->mark.at[k]->module)))
            join(o->test.at[k], o->mark.at[k]);
        first = k + 1;
    }
}

static void
join_marked(const struct sb_evidence *x, struct sb_tests *tests, names *v, int64_t process)
{
    struct marked o = {0};
    gather(x, tests, v, process, &o);
    if (o.test.n == o.mark.n)
        join_in_order(&o);
    SB_VEC_FREE(&o.test);
    SB_VEC_FREE(&o.mark);
}

void
sb_test_marks_join(const struct sb_evidence *x, struct sb_tests *tests)
{
    SB_SCOPED names v = {0};
    read_marks(x->profile, &v);
    struct inbox in = {0};
    for (size_t k = 0; k < v.n; k++) {
        struct named *m = &v.at[k];
        int64_t process = runs(tests, m->process) ? m->process : writer_of(x, tests, m, &in);
        if (process > 0)
            join_own(tests, &v, m, process);
    }
    for (size_t i = 0; i < tests->n; i++)
        if (tests->at[i].framework == SB_FRAMEWORK_EXUNIT && !tests->at[i].is_setup &&
            next_of_suite(tests, tests->at[i].suite, 0) == i && tests->at[i].state.n == 0)
            join_suite(tests, tests->at[i].suite, &v);
    for (size_t k = 0; k < v.n; k++)
        if (k == 0 || v.at[k].process != v.at[k - 1].process)
            join_marked(x, tests, &v, v.at[k].process);
    sb_tests_share_modules(x, tests); /* switches may not have shown it */
}
