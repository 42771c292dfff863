#include "why/find/findings.h"
#include "base/order.h"
#include "base/pool.h"
#include "profile/derive.h"
#include "profile/left_out.h"
#include "why/program/elixir.h"
#include "why/find/join.h"
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

/* What a cure may save counts a quarter of what it is known to save: it may be nothing, and yet a bound of half the run
 * comes before a known hundredth. */
static int64_t
worth(const struct sb_finding *f)
{
    return f->gain.ns != SB_NULL ? 4 * f->gain.ns : f->gain.high;
}

SB_ORDER(by_gain, struct sb_finding, (worth(a) < worth(b)) - (worth(a) > worth(b)) ?: by_rule(a, b))

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

/* Where other programs took cores, slices include that: estimates of gains of work become CPU time. What threads lost
 * may be each other's doing, as where they spin on a lock, so what is only a bound stays, up to all that they got. */
static void
count_in_cpu(struct sb_why *w)
{
    struct sb_why_threads t = sb_threads_of(w->x.profile);
    double share = w->x.work_ns > 0 ? (double)t.all_cpu_ns / (double)w->x.work_ns : 1;
    if (!sb_threads_lost_cores(w->x.profile, &t) || share >= 1)
        return;
    for (size_t i = 0; i < w->found.n; i++) {
        struct sb_finding *f = &w->found.at[i];
        struct sb_bounded *g = &f->gain;
        bool is_bound = !f->is_simulated && (g->low == SB_NULL || g->low <= 0);
        f->in_cpu = f->rule->of_work;
        if (f->in_cpu)
            *g = (struct sb_bounded){share_of(g->low, share), share_of(g->ns, share),
                                     is_bound ? sb_least(g->high, t.all_cpu_ns) : share_of(g->high, share)};
    }
}

/* A piece that has too few samples takes those of the run: which function takes the CPU is no matter of moments. */
static void
find_samples(const struct sb_profile *p, const struct sb_why *run, struct sb_why *w)
{
    enum { ENOUGH = 100 };
    sb_vm_samples_find(p, (struct sb_range){w->x.t0, w->x.t1}, w->arena, &w->vm);
    if (w->vm.n >= ENOUGH || !run)
        return;
    w->vm = run->vm;
    w->vm.arena = w->arena;
}

static bool
is_build(const struct sb_why *w)
{
    int64_t compiling = 0;
    if (w->tests.n > 0 || !sb_program_of(w->x.profile)->is_by_tool)
        return false;
    SB_EACH_PRESENT (&w->x, id)
        compiling += sb_why_is_compiler(w, id) ? w->x.actor[id].work_ns : 0;
    return 2 * compiling > w->x.work_ns;
}

/* `run`: what is known of the whole run, for a piece of it; NULL: it is no piece. */
static bool
find(const struct sb_profile *p, const struct sb_pieces *pieces, size_t piece, const struct sb_why *run,
     struct sb_arena *a, struct sb_why *w)
{
    *w = (struct sb_why){.arena = a, .elixir = sb_is_elixir(p)};
    if (!sb_evidence_find(p, pieces, piece, run ? &run->x : NULL, a, &w->x))
        return false;
    sb_awaits_find(&w->x, &w->awaits);
    sb_servers_find(&w->x, &w->awaits, &w->servers);
    sb_sockets_find(&w->x, &w->sockets);
    if (run) {
        sb_tests_within(&w->x, &run->tests, &w->tests);
    } else {
        sb_tests_find(&w->x, &w->tests);
        sb_test_marks_join(&w->x, &w->tests);
    }
    find_samples(p, run, w);
    w->is_build = is_build(w);
    if (run)
        w->families = run->families;
    else
        sb_families_find(&w->x, &w->families);
    w->left_out = sb_left_out_find(p, a)[0];
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        w->rule = rules[i];
        if (w->left_out == 0 || !w->rule->needs_all)
            w->rule->find(w);
    }
    if (w->left_out > 0)
        bound_gains(w);
    sb_why_simulate(w);
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
    sb_sockets_close(&w->sockets);
    sb_families_close(&w->families);
}

/* ---- of pieces ---- */

struct looking {
    const struct sb_profile *p;
    const struct sb_pieces *pieces;
    const struct sb_why *run;
    struct sb_piece of[SB_PIECES];
};

/* The evidence of a piece goes as soon as its findings are known, so memory holds that of one piece a thread. */
static void
look(void *ctx, size_t i, unsigned worker)
{
    (void)worker;
    struct looking *l = ctx;
    struct sb_piece *of = &l->of[i];
    SB_ARENA(a);
    of->is_known = find(l->p, l->pieces, i, l->run, &a, &of->w);
    of->work_ns = of->w.x.work_ns;
    for (size_t k = 0; k < of->w.found.n; k++) {
        struct sb_finding *f = &of->w.found.at[k];
        f->title = sb_words(&of->texts, "%s", f->title);
        f->subject = sb_words(&of->texts, "%s", f->subject);
        f->evidence = sb_words(&of->texts, "%s", f->evidence);
    }
    sb_awaits_close(&of->w.awaits);
    sb_evidence_close(&of->w.x);
    of->w.families = (struct sb_families){0}; /* they are the run's */
    sb_profile_release(l->p);
}

static void
join(const struct looking *l, struct sb_why *run)
{
    const struct sb_servers *servers[SB_PIECES];
    const struct sb_pieces *pieces = l->pieces;
    double work_ns = 0;
    sb_tests_forget(&run->tests);
    for (size_t i = 0; i < pieces->n; i++) {
        int64_t t0 = pieces->at[i].from, t1 = pieces->at[i].to;
        work_ns += (double)l->of[i].work_ns * (double)run->x.span_ns / (double)pieces->n / (double)(t1 - t0);
        servers[i] = &l->of[i].w.servers;
        for (size_t k = 0; k < l->of[i].w.sockets.request.n; k++)
            *SB_PUSH(&run->sockets.request) = l->of[i].w.sockets.request.at[k];
        run->left_out = l->of[i].w.left_out;
        sb_tests_learn(&run->tests, &l->of[i].w.tests, t0, t1);
    }
    run->x.work_ns = (int64_t)work_ns;
    sb_servers_join(&run->x, servers, pieces->n, &run->servers);
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        sb_findings_join(run, pieces, l->of, rules[i]);
}

/* `run` gets what `find` would give it, less the evidence. */
static bool
find_in_pieces(const struct sb_profile *p, const struct sb_pieces *pieces, struct sb_arena *a,
               struct sb_why *run)
{
    struct looking l = {.p = p, .pieces = pieces, .run = run};
    bool is_known = false;
    *run = (struct sb_why){.arena = a};
    if (!sb_evidence_open(p, pieces->run, a, &run->x))
        return false;
    run->x.inbox = sb_zeroed_or_die(run->x.n_actors + 2, sizeof *run->x.inbox);
    sb_tests_find(&run->x, &run->tests);
    sb_test_marks_join(&run->x, &run->tests);
    sb_vm_samples_find(p, pieces->run, a, &run->vm);
    sb_families_find(&run->x, &run->families);
    struct sb_pool *pool = sb_pool_open(0);
    sb_pool_each(pool, pieces->n, look, &l);
    sb_pool_close(pool);
    join(&l, run);
    for (size_t i = 0; i < pieces->n; i++) {
        is_known |= l.of[i].is_known;
        close_why(&l.of[i].w);
        sb_arena_close(&l.of[i].texts);
    }
    return is_known;
}

/* ---- once a profile ---- */

/* How long a recording of a service is says nothing of what its callers would gain. */
static void
find_calls(struct sb_why *w)
{
    for (size_t i = 0; i < w->found.n; i++) {
        struct sb_finding *f = &w->found.at[i];
        f->call_ns = SB_NULL;
        bool is_asked = f->rule->of_requests && f->process > 0 && !f->of_few_calls;
        for (size_t k = 0; k < w->servers.n && is_asked; k++)
            if (w->servers.at[k].process == f->process && w->servers.at[k].latency.count > 0)
                f->call_ns = w->servers.at[k].latency.round_trip[1];
    }
}

static bool
make(void *value, const struct sb_profile *p, struct sb_arena *a, struct sb_err *e)
{
    (void)e;
    struct sb_findings *f = value;
    struct sb_why w = {0};
    struct sb_pieces pieces = {0};
    const struct sb_program *part = sb_program_of(p);
    if (part->from_ns != SB_NULL && part->to_ns != SB_NULL && part->from_ns < part->to_ns) {
        sb_pieces_choose(&pieces, p, (struct sb_range){part->from_ns, part->to_ns});
        f->is_known = pieces.is_cut ? find_in_pieces(p, &pieces, a, &w) : find(p, &pieces, 0, NULL, a, &w);
    }
    if (f->is_known) {
        count_in_cpu(&w);
        SB_SORT(&w.found, by_gain);
        find_calls(&w);
        sb_requests_find(&w, &f->requests);
        sb_socket_rows_of(&w.x, w.sockets.request.at, w.sockets.request.n, &f->sockets);
        f->servers = w.servers;
        w.servers = (struct sb_servers){0};
        SB_VEC_FREE(&f->servers.trips);
        f->tests = w.tests;
        w.tests = (struct sb_tests){0};
    }
    f->pieces = pieces.is_cut ? pieces.n : 0;
    f->covered_ns = pieces.covered_ns;
    f->run_ns = pieces.run.to - pieces.run.from;
    f->idle_ns =
        f->is_known && !pieces.is_cut ? sb_level_within(&w.x.level, SB_LEVEL_IDLE, w.x.t0, w.x.t1) : 0;
    f->n = w.found.n;
    f->finding = SB_NEW_N(a, struct sb_finding, f->n + 1);
    if (f->n > 0)
        memcpy(f->finding, w.found.at, f->n * sizeof *f->finding);
    close_why(&w);
    sb_pieces_close(&pieces);
    return true;
}

static void
forget(void *value)
{
    struct sb_findings *f = value;
    sb_servers_close(&f->servers);
    SB_VEC_FREE(&f->requests);
    SB_VEC_FREE(&f->sockets);
    SB_VEC_FREE(&f->tests);
}

const char *
sb_finding_cure(const struct sb_finding *f, bool in_elixir)
{
    const char *erlang = f->cure ? f->cure->erlang : f->rule->erlang,
               *elixir = f->cure ? f->cure->elixir : f->rule->elixir;
    return in_elixir && elixir ? elixir : erlang;
}

const struct sb_findings *
sb_findings_of(const struct sb_profile *p, struct sb_err *e)
{
    static const struct sb_derived derived = {sizeof(struct sb_findings), make, forget};
    return sb_profile_derive(p, &derived, e);
}

void *
sb_findings_rows(const struct sb_computation *c, struct sb_err *e)
{
    const struct sb_findings *all = sb_findings_of(c->profile, e);
    if (!all)
        return NULL;
    struct sb_findings_rows *r = SB_NEW(c->arena, struct sb_findings_rows);
    r->all = all;
    return r;
}
