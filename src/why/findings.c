#include "why/findings.h"
#include "profile/derive.h"
#include "why/simulate.h"

static void *make(const struct sb_profile *p, struct sb_err *e);
static void forget(void *value);

static const struct sb_derived derived = {.make = make, .close = forget};

static void *
make(const struct sb_profile *p, struct sb_err *e)
{
    (void)e;
    struct sb_findings *f = sb_realloc_or_die(NULL, sizeof *f);
    struct sb_why w;
    *f = (struct sb_findings){0};
    sb_arena_init(&f->arena);
    f->is_known = sb_why_find(p, &f->arena, &w);
    if (f->is_known) {
        sb_why_simulate(&w);
        sb_why_rank(&w);
        sb_servers_find(&w.x, &w.awaits, &f->servers);
    }
    f->is_cut = w.x.is_cut;
    f->covered_ns = w.x.span_ns;
    f->n = w.found.n;
    f->finding = SB_NEW_N(&f->arena, struct sb_finding, f->n + 1);
    if (f->n > 0)
        memcpy(f->finding, w.found.at, f->n * sizeof *f->finding);
    sb_why_close(&w);
    return f;
}

static void
forget(void *value)
{
    struct sb_findings *f = value;
    SB_VEC_FREE(&f->servers);
    sb_arena_close(&f->arena);
    free(f);
}

const struct sb_findings *
sb_findings_of(const struct sb_profile *p, struct sb_err *e)
{
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
