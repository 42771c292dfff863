#include "why/find/findings.h"
#include "base/order.h"
#include "profile/derive.h"
#include "profile/left_out.h"
#include "why/find/simulate.h"
#include "why/run/tests.h"
#include "why/run/threads.h"

#define RULE(name) extern const struct sb_rule sb_rule_##name;
#include "why/rules.def"
#undef RULE
static const struct sb_rule *const rules[] = {
#define RULE(name) &sb_rule_##name,
#include "why/rules.def"
#undef RULE
};

/* ---- running the rules ---- */

static int
by_rule(const struct sb_finding *a, const struct sb_finding *b)
{
    size_t i = 0;
    while (rules[i] != a->rule && rules[i] != b->rule)
        i++;
    return a->rule == b->rule ? strcmp(a->subject, b->subject) : rules[i] == a->rule ? -1 : 1;
}

SB_ORDER(by_gain, struct sb_finding, SB_DOWN(gain.ns) ?: SB_DOWN(gain.high) ?: by_rule(a, b))

/* The schedulers that seem free may have run processes that were left out, so the gains are upper bounds. */
static void
bound_gains(struct sb_why *w)
{
    for (size_t i = 0; i < w->found.n; i++) {
        struct sb_finding *f = &w->found.at[i];
        if (f->gain.ns == SB_NULL)
            continue;
        f->gain = (struct sb_bounded){0, SB_NULL, f->gain.high == SB_NULL ? f->gain.ns : f->gain.high};
        f->confidence = "low";
    }
}

static int64_t
share_of(int64_t ns, double share)
{
    return ns == SB_NULL ? SB_NULL : (int64_t)((double)ns * share);
}

/* Where other programs took cores, slices include that: gains of work become CPU time, never more than the schedulers
 * got. */
static void
count_in_cpu(struct sb_why *w)
{
    struct sb_why_threads t = sb_threads_of(w->x.profile);
    double share = w->x.work_ns > 0 ? (double)t.all_cpu_ns / (double)w->x.work_ns : 1;
    if (!sb_threads_lost_cores(w->x.profile, &t) || share >= 1)
        return;
    for (size_t i = 0; i < w->found.n; i++) {
        struct sb_bounded *g = &w->found.at[i].gain;
        if (w->found.at[i].rule->of_work)
            *g = (struct sb_bounded){share_of(g->low, share), share_of(g->ns, share),
                                     share_of(g->high, share)};
    }
}

static bool
find(const struct sb_profile *p, struct sb_arena *a, struct sb_why *w)
{
    *w = (struct sb_why){.arena = a};
    if (!sb_evidence_find(p, a, &w->x))
        return false;
    sb_awaits_find(&w->x, &w->awaits);
    sb_servers_find(&w->x, &w->awaits, &w->servers);
    sb_tests_find(&w->x, &w->tests);
    sb_test_marks_join(&w->x, &w->tests);
    sb_vm_samples_find(p, (struct sb_range){w->x.t0, w->x.t1}, a, &w->vm);
    w->left_out = sb_left_out_find(p, a)[0];
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        w->rule = rules[i];
        if (w->left_out == 0 || !w->rule->needs_all)
            w->rule->find(w);
    }
    if (w->left_out > 0)
        bound_gains(w);
    return true;
}

static void
close_why(struct sb_why *w)
{
    sb_servers_close(&w->servers);
    sb_awaits_close(&w->awaits);
    SB_VEC_FREE(&w->tests);
    sb_evidence_close(&w->x);
    SB_VEC_FREE(&w->found);
}

/* ---- once a profile ---- */

static bool
make(void *value, const struct sb_profile *p, struct sb_arena *a, struct sb_err *e)
{
    (void)e;
    struct sb_findings *f = value;
    struct sb_why w;
    f->is_known = find(p, a, &w);
    if (f->is_known) {
        sb_why_simulate(&w);
        count_in_cpu(&w);
        SB_SORT(&w.found, by_gain);
        sb_requests_find(&w, &f->requests);
        f->servers = w.servers;
        w.servers = (struct sb_servers){0};
        SB_VEC_FREE(&f->servers.trips);
        f->tests = w.tests;
        w.tests = (struct sb_tests){0};
    }
    f->is_cut = w.x.is_cut;
    f->covered_ns = w.x.span_ns;
    f->idle_ns = f->is_known ? sb_level_within(&w.x.level, SB_LEVEL_IDLE, w.x.t0, w.x.t1) : 0;
    f->n = w.found.n;
    f->finding = SB_NEW_N(a, struct sb_finding, f->n + 1);
    if (f->n > 0)
        memcpy(f->finding, w.found.at, f->n * sizeof *f->finding);
    close_why(&w);
    return true;
}

static void
forget(void *value)
{
    struct sb_findings *f = value;
    sb_servers_close(&f->servers);
    SB_VEC_FREE(&f->requests);
    SB_VEC_FREE(&f->tests);
}

const struct sb_findings *
sb_findings_of(const struct sb_profile *p, struct sb_err *e)
{
    static const struct sb_derived derived = {sizeof(struct sb_findings), make, forget};
    return sb_profile_derive(p, &derived, e);
}

void *
sb_findings_rows(struct sb_sql *q, const struct sb_sql_arg *arg, struct sb_err *e)
{
    (void)arg;
    const struct sb_findings *all = sb_findings_of(sb_sql_profile(q), e);
    if (!all)
        return NULL;
    struct sb_findings_rows *r = sb_realloc_or_die(NULL, sizeof *r);
    *r = (struct sb_findings_rows){all, 0};
    return r;
}
