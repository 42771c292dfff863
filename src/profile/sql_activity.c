/* activity: how many were at work, averaged over each bucket of the finest level kept of everything. */
#include "base/arena.h"
#include "profile/sql_module.h"
#include "profile/timeline.h"

static const struct sb_column columns[] = {
    {"bucket", SB_INT, SB_U_NONE, "number of the bucket"},
    {"start", SB_INT, SB_U_AT_NS, ""},
    {"dur", SB_INT, SB_U_NS, ""},
    {"processes_running", SB_REAL, SB_U_NONE, "average over the bucket, gc and dirty included"},
    {"processes_runnable", SB_REAL, SB_U_NONE, "average over the bucket"},
    {"ports_active", SB_REAL, SB_U_NONE, "average over the bucket"},
    {"schedulers_active", SB_REAL, SB_U_NONE, "average over the bucket"},
    {"peak_running", SB_INT, SB_U_COUNT, "most at one moment"},
    {"peak_runnable", SB_INT, SB_U_COUNT, "most at one moment"},
};

enum { FINEST = 1 << 16 /* rows; what is finer has timeline */ };

struct rows {
    struct sb_buckets b;
    size_t i;
};

static void *
open_rows(struct sb_sql *q, const struct sb_sql_arg *arg, struct sb_err *e)
{
    (void)arg;
    struct sb_track all;
    struct sb_buckets b;
    if (!sb_track_find(q->p, SB_STR("all"), &all, e))
        return NULL;
    uint64_t kept = sb_timeline_kept(q->p, &all);
    if (!sb_timeline(q->p, &all, 0, SB_NULL, kept == 0 || kept > FINEST ? FINEST : kept, &b, e))
        return NULL;
    struct rows *r = sb_realloc_or_die(NULL, sizeof *r);
    *r = (struct rows){b, 0};
    return r;
}

static bool
next_row(void *rows, union sb_cell *cell, enum sb_type *type)
{
    (void)type;
    struct rows *r = rows;
    if (r->i == r->b.n)
        return false;
    const struct sb_bucket *b = &r->b.at[r->i++];
    double dur = (double)b->dur;
    cell[0].i = b->start / b->dur;
    cell[1].i = b->start;
    cell[2].i = b->dur;
    cell[3].f = (double)(b->v[SB_B_running] + b->v[SB_B_gc] + b->v[SB_B_dirty]) / dur;
    cell[4].f = (double)b->v[SB_B_runnable] / dur;
    cell[5].f = (double)b->v[SB_B_ports] / dur;
    cell[6].f = (double)b->v[SB_B_schedulers] / dur;
    cell[7].i = b->v[SB_B_peak_running];
    cell[8].i = b->v[SB_B_peak_runnable];
    return true;
}

static void
close_rows(void *rows)
{
    struct rows *r = rows;
    SB_VEC_FREE(&r->b);
    free(r);
}

const struct sb_computed sb_sql_activity = {
    .name = "activity",
    .doc = "how many processes, ports and schedulers were at work over time",
    .column = columns,
    .n_columns = sizeof columns / sizeof columns[0],
    .open = open_rows,
    .next = next_row,
    .close = close_rows,
};
