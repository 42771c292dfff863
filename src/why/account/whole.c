#include "why/account/whole.h"
#include "profile/derive.h"
#include "why/program/phases.h"

struct both {
    struct sb_accounting *accounting;
    struct sb_counting *counting;
};

static void
change(void *ctx, const struct sb_at_work_change *c)
{
    const struct both *x = ctx;
    sb_accounting_change(x->accounting, c);
    sb_counting_change(x->counting, c);
}

static bool
make(void *value, const struct sb_profile *p, struct sb_arena *a, struct sb_err *e)
{
    (void)e;
    struct sb_whole *out = value;
    const struct sb_program *part = sb_program_of(p);
    int64_t span = sb_profile_span(p);
    bool has_program = part->from_ns != SB_NULL && part->from_ns < part->to_ns;
    struct sb_at_work w;
    sb_at_work_open(&w, p, a);
    struct both x = {
        sb_accounting_begin(&w, a, &out->accounts),
        sb_counting_begin(&w, a, has_program ? part->from_ns : span, has_program ? part->to_ns : span)};
    w.is_told = true;
    w.ctx = &x;
    w.change = change;
    sb_at_work_sweep(&w, 0, span, 0);
    sb_accounting_end(x.accounting, a);
    sb_counting_end(x.counting, &out->run, &out->program);
    return true;
}

const struct sb_whole *
sb_whole_of(const struct sb_profile *p)
{
    static const struct sb_derived derived = {sizeof(struct sb_whole), make, NULL};
    return sb_profile_derive(p, &derived, NULL);
}

static void *
sweep(void *profile)
{
    return (void *)sb_whole_of(profile);
}

struct sb_whole_ahead
sb_whole_begin(const struct sb_profile *p)
{
    struct sb_whole_ahead a;
    a.runs = pthread_create(&a.thread, NULL, sweep, (void *)p) == 0;
    return a;
}

void
sb_whole_wait(const struct sb_whole_ahead *a)
{
    if (a->runs)
        pthread_join(a->thread, NULL);
}

struct sb_parallel *
sb_parallel_copy(const struct sb_parallel *s, struct sb_arena *a)
{
    struct sb_parallel *to = SB_NEW(a, struct sb_parallel);
    *to = *s;
    to->alone_ns = SB_NEW_N(a, int64_t, s->n_ids);
    memcpy(to->alone_ns, s->alone_ns, s->n_ids * sizeof *s->alone_ns);
    return to;
}

bool
sb_whole_has_part(const struct sb_whole *w)
{
    enum { MATERIAL = 20 };
    return w->program.span_ns > 0 && w->program.span_ns < w->run.span_ns - w->run.span_ns / MATERIAL;
}

struct sb_parallel *
sb_parallel_of(const struct sb_profile *p, int64_t t0, int64_t t1, struct sb_arena *a)
{
    if (t0 <= 0 && t1 == sb_profile_span(p))
        return sb_parallel_copy(&sb_whole_of(p)->run, a);
    struct sb_parallel *s = SB_NEW(a, struct sb_parallel);
    sb_parallel_find(p, t0, t1, 0, a, s);
    return s;
}
