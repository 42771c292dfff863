/* critical(id, process, kind, function, peer, start, dur). */
#include "why/critical.h"
#include "why/why.h"
#include <stdlib.h>

static void *open_rows(struct sb_sql *q, const struct sb_sql_arg *arg, struct sb_err *e);
static bool next_row(void *rows, union sb_cell *cell, enum sb_type *type);

#define KIND(id, name) name " "
static const char kind_doc[] = "one of " SB_CRITICAL_KINDS(KIND);
#undef KIND
static const struct sb_column columns[] = {
    {"id", SB_INT, SB_U_ID, "steps in order of time, from 1"},
    {"process", SB_INT, SB_U_ID, "process.id; NULL: the trace shows no process at work"},
    {"kind", SB_TEXT, SB_U_NONE, kind_doc},
    {"function", SB_TEXT, SB_U_NONE, "where the slice began, or the function that waits"},
    {"peer", SB_INT, SB_U_ID, "process.id: of a message its sender, of a queue after a spawn the parent"},
    {"start", SB_INT, SB_U_AT_NS, ""},
    {"dur", SB_INT, SB_U_NS, "over all rows: the length of the profile"},
};

const struct sb_computed sb_why_critical = {
    .name = "critical",
    .doc = "the chain of work and waits that set the length of the run, step by step",
    .column = columns,
    .n_columns = sizeof columns / sizeof columns[0],
    .open = open_rows,
    .next = next_row,
    .close = free,
};

struct rows {
    const struct sb_profile *p;
    const struct sb_critical *c;
    size_t i;
};

static void *
open_rows(struct sb_sql *q, const struct sb_sql_arg *arg, struct sb_err *e)
{
    (void)arg;
    const struct sb_critical *c = sb_critical_of(sb_sql_profile(q), e);
    if (!c)
        return NULL;
    struct rows *r = sb_realloc_or_die(NULL, sizeof *r);
    *r = (struct rows){sb_sql_profile(q), c, 0};
    return r;
}

static bool
next_row(void *rows, union sb_cell *cell, enum sb_type *type)
{
    (void)type;
    struct rows *r = rows;
    if (r->i == r->c->n)
        return false;
    const struct sb_critical_step *s = &r->c->at[r->i++];
    cell[0].i = (int64_t)r->i;
    cell[1].i = s->process ? s->process : SB_NULL;
    cell[2].s = sb_str_of(sb_critical_names[s->kind]);
    cell[3].s = sb_profile_text(r->p, s->function);
    cell[4].i = s->peer ? s->peer : SB_NULL;
    cell[5].i = s->start;
    cell[6].i = s->dur;
    return true;
}
