#include "why/run/tests.h"
#include "base/order.h"

/* ---- which processes run tests ---- */

SB_ORDER(by_start, struct sb_test, SB_UP(from_ns) ?: SB_UP(process))

static void
read_tests(const struct sb_evidence *x, struct sb_tests *out)
{
    for (int64_t id = 1; id < x->n_actors; id++) {
        const struct sb_actor *a = &x->actor[id];
        enum sb_test_part part = sb_test_part(sb_profile_text(x->profile, a->entry));
        int64_t from = a->start == SB_NULL ? x->t0 : a->start, to = a->end == SB_NULL ? x->t1 : a->end;
        bool eunit = part == SB_TEST_EUNIT;
        if (part == SB_TEST_NONE || part == SB_TEST_EUNIT_GROUP || part == SB_TEST_EXUNIT_CLEANUP ||
            from >= x->t1 || (eunit && a->parent < 1))
            continue;
        *SB_PUSH(out) = (struct sb_test){
            .framework = eunit                ? SB_FRAMEWORK_EUNIT
                         : part == SB_TEST_CT ? SB_FRAMEWORK_CT
                                              : SB_FRAMEWORK_EXUNIT,
            .process = eunit ? a->parent : id,
            .suite = a->parent,
            .is_setup = part == SB_TEST_EXUNIT_SETUP,
            .line = SB_NULL,
            .from_ns = from,
            .to_ns = to < x->t1 ? to : x->t1,
        };
    }
    SB_SORT(out, by_start);
}

/* ---- names that switches show ---- */

/* The part between the first `from` after the module and the last `to`; empty if one of them is absent. */
static struct sb_str
between(struct sb_str s, const char *from, const char *to)
{
    const char *at = s.n > 0 ? memmem(s.p, s.n, from, strlen(from)) : NULL;
    if (!at)
        return SB_STR("");
    struct sb_str rest = sb_str_sub(s, (size_t)(at - s.p) + strlen(from), SIZE_MAX), t = sb_str_of(to);
    size_t end = 0;
    for (size_t i = 0; i + t.n <= rest.n; i++)
        if (memcmp(rest.p + i, t.p, t.n) == 0)
            end = i;
    return sb_str_sub(rest, 0, end);
}

/* 'Elixir.ShopTest':'test adds up'/1, or a fun in it; m:adds_test/0 and the funs of m:all_test_/0. A case of Common
 * Test is a function as any other, so it has no name here. */
static struct sb_str
shown_name(enum sb_framework framework, struct sb_str mfa)
{
    if (framework == SB_FRAMEWORK_EXUNIT) {
        struct sb_str plain = between(mfa, "':'test ", "'/");
        return plain.n > 0 ? plain : between(mfa, "':'-test ", "/1-");
    }
    struct sb_str function = sb_str_sub(mfa, sb_str_find(mfa, ':') + 1, SIZE_MAX);
    if (framework != SB_FRAMEWORK_EUNIT)
        return SB_STR("");
    if (sb_str_starts(function, SB_STR("'-")))
        function = sb_str_sub(function, 2, SIZE_MAX);
    struct sb_str name = sb_str_cut(&function, '/');
    return sb_str_ends(name, SB_STR("_test")) || sb_str_ends(name, SB_STR("_test_")) ? name : SB_STR("");
}

static struct sb_str
shown_module(enum sb_framework framework, struct sb_str mfa)
{
    struct sb_str module = sb_otp_module(mfa);
    bool suite = framework == SB_FRAMEWORK_CT && sb_str_ends(module, SB_STR("_SUITE"));
    if (!suite && shown_name(framework, mfa).n == 0)
        return SB_STR("");
    return sb_str_starts(module, SB_STR("Elixir.")) ? sb_str_sub(module, 7, SIZE_MAX) : module;
}

static void
look_at_function(const struct sb_evidence *x, struct sb_test *t, int32_t text)
{
    struct sb_str mfa = sb_evidence_text(x, text);
    if (text <= 0 || sb_is_otp(mfa))
        return;
    if (t->name.n == 0)
        t->name = shown_name(t->framework, mfa);
    if (t->module.n == 0)
        t->module = shown_module(t->framework, mfa);
}

/* ---- where its time went ---- */

struct sums {
    int64_t *of_actor, *of_text;
};

static int64_t
within(const struct sb_fixture *f, int64_t from, int64_t to)
{
    from = from > f->from_ns ? from : f->from_ns;
    to = to < f->to_ns ? to : f->to_ns;
    return to > from ? to - from : 0;
}

/* `asleep`: gets the sleeps */
static void
add_wait(struct sb_test *t, const struct sb_step *s, int64_t ns, int64_t *asleep, struct sums *sum)
{
    if (s->wait == SB_WAIT_TIMER) {
        *asleep += ns;
        sum->of_text[s->out] += ns;
        if (sum->of_text[s->out] > sum->of_text[t->sleeps_in])
            t->sleeps_in = s->out;
        return;
    }
    if (asleep != &t->sleep_ns)
        return;
    t->wait_ns += ns;
    sum->of_actor[s->waker] += ns;
    if (sum->of_actor[s->waker] > sum->of_actor[t->waits_for]) /* 0: nobody knows for whom */
        t->waits_for = s->waker;
}

/* The first step of the process that ends after that time. */
static uint32_t
first_step(const struct sb_evidence *x, const struct sb_actor *a, int64_t at)
{
    uint32_t lo = a->first, hi = a->first + a->n;
    SB_SEARCH(lo, hi, x->step[mid].end <= at);
    return lo;
}

/* What the process of the test did in its time, or what that of one of its fixtures slept. */
static void
add_steps(const struct sb_evidence *x, struct sb_test *t, const struct sb_fixture *f, struct sums *sum)
{
    const struct sb_actor *a = &x->actor[f->process];
    bool own = f < t->fixture || f >= t->fixture + t->n_fixtures;
    for (uint32_t i = first_step(x, a, f->from_ns); i < a->first + a->n && x->step[i].start < f->to_ns; i++) {
        const struct sb_step *s = &x->step[i];
        int64_t end = s->start + s->dur;
        if (own) {
            t->work_ns += within(f, s->start, end);
            look_at_function(x, t, s->start >= f->from_ns ? s->in : 0);
            look_at_function(x, t, end <= f->to_ns ? s->out : 0);
        }
        add_wait(t, s, within(f, end, end + s->wait_ns), own ? &t->sleep_ns : &t->fixture_sleep_ns, sum);
    }
}

/* The sums are as they were. */
static void
forget_steps(const struct sb_evidence *x, const struct sb_fixture *f, struct sums *sum)
{
    const struct sb_actor *a = &x->actor[f->process];
    for (uint32_t i = first_step(x, a, f->from_ns); i < a->first + a->n && x->step[i].start < f->to_ns; i++) {
        sum->of_actor[x->step[i].waker] = 0;
        sum->of_text[x->step[i].out] = 0;
    }
}

void
sb_tests_share_modules(const struct sb_evidence *x, struct sb_tests *t)
{
    struct sb_str *of = SB_NEW_N(x->arena, struct sb_str, x->n_actors + 1);
    for (size_t i = 0; i < t->n; i++)
        if (t->at[i].framework == SB_FRAMEWORK_EXUNIT && t->at[i].module.n > 0 && t->at[i].suite >= 1)
            of[t->at[i].suite] = t->at[i].module;
    for (size_t i = 0; i < t->n; i++)
        if (t->at[i].framework == SB_FRAMEWORK_EXUNIT && t->at[i].module.n == 0 && t->at[i].suite >= 1)
            t->at[i].module = of[t->at[i].suite];
}

/* The process of setup_all lives as long as its module: it has done its part when the first test starts. */
static void
end_setups(struct sb_tests *t)
{
    for (size_t i = 0; i < t->n; i++)
        for (size_t k = i + 1; t->at[i].is_setup && k < t->n; k++)
            if (t->at[k].suite == t->at[i].suite && t->at[k].from_ns < t->at[i].to_ns)
                t->at[i].to_ns = t->at[k].from_ns;
}

static void
add_all_steps(const struct sb_evidence *x, struct sb_tests *out)
{
    struct sums sum = {
        .of_actor = SB_NEW_N(x->arena, int64_t, x->n_actors + 1),
        .of_text = SB_NEW_N(x->arena, int64_t, (size_t)sb_profile_texts(x->profile) + 1),
    };
    for (size_t i = 0; i < out->n; i++) {
        struct sb_test *t = &out->at[i];
        struct sb_fixture own = {t->process, t->from_ns, t->to_ns, false};
        add_steps(x, t, &own, &sum);
        for (size_t k = 0; k < t->n_fixtures; k++)
            add_steps(x, t, &t->fixture[k], &sum);
        forget_steps(x, &own, &sum);
        for (size_t k = 0; k < t->n_fixtures; k++)
            forget_steps(x, &t->fixture[k], &sum);
        t->sleeps_in_text = sb_evidence_text(x, t->sleeps_in);
        t->name = t->is_setup ? SB_STR("setup_all") : t->name;
    }
    sb_tests_share_modules(x, out);
}

void
sb_tests_find(const struct sb_evidence *x, struct sb_tests *out)
{
    read_tests(x, out);
    if (out->n == 0)
        return;
    end_setups(out);
    sb_fixtures_find(x, out);
    add_all_steps(x, out);
}

/* ---- in pieces ---- */

void
sb_tests_within(const struct sb_evidence *x, const struct sb_tests *all, struct sb_tests *out)
{
    for (size_t i = 0; i < all->n; i++) {
        const struct sb_test *t = &all->at[i];
        bool is_in = t->from_ns < x->t1 && t->to_ns > x->t0;
        for (size_t k = 0; k < t->n_fixtures; k++)
            is_in |= t->fixture[k].from_ns < x->t1 && t->fixture[k].to_ns > x->t0;
        if (is_in)
            *SB_PUSH(out) = *t;
    }
    if (out->n > 0)
        add_all_steps(x, out);
}

void
sb_tests_forget(struct sb_tests *all)
{
    for (size_t i = 0; i < all->n; i++)
        all->at[i].work_ns = all->at[i].wait_ns = all->at[i].sleep_ns = all->at[i].fixture_sleep_ns = SB_NULL;
}

void
sb_tests_learn(struct sb_tests *all, const struct sb_tests *piece, int64_t t0, int64_t t1)
{
    for (size_t i = 0, k = 0; k < piece->n; i++)
        if (all->at[i].process == piece->at[k].process && all->at[i].from_ns == piece->at[k].from_ns) {
            const struct sb_test *t = &piece->at[k++];
            if (t->from_ns < t0 || t->to_ns > t1)
                continue;
            all->at[i] = *t;
            for (size_t f = 0; f < t->n_fixtures; f++)
                if (t->fixture[f].from_ns < t0 || t->fixture[f].to_ns > t1)
                    all->at[i].fixture_sleep_ns = SB_NULL;
        }
}
