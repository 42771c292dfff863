/* timeline(track, t0, t1, n): a track over [t0, t1) in at most n power-of-two buckets. */
#include "base/arena.h"
#include "profile/sql_module.h"
#include "profile/timeline.h"

static const struct sb_column columns[] = {
    {"start", SB_INT, SB_U_AT_NS, "of the bucket"},
    {"dur", SB_INT, SB_U_NS, "of the bucket"},
    {"running_ns", SB_INT, SB_U_NS, "gc apart"},
    {"gc_ns", SB_INT, SB_U_NS, ""},
    {"dirty_ns", SB_INT, SB_U_NS, ""},
    {"runnable_ns", SB_INT, SB_U_NS, ""},
    {"waiting_ns", SB_INT, SB_U_NS, ""},
    {"ports_ns", SB_INT, SB_U_NS, "ports at work"},
    {"schedulers_ns", SB_INT, SB_U_NS, "schedulers at work"},
    {"longest_ns", SB_INT, SB_U_NS, "longest single run that touches it"},
    {"peak_running", SB_INT, SB_U_COUNT, "most at one moment"},
    {"peak_runnable", SB_INT, SB_U_COUNT, "most at one moment"},
};

struct rows {
    struct sb_buckets b;
    size_t i;
};

static void *
open_rows(struct sb_sql *q, const struct sb_sql_arg *arg, struct sb_err *e)
{
    struct sb_track track;
    struct sb_str name = arg[0].s.p ? arg[0].s : SB_STR("all");
    int64_t n = arg[3].i == SB_NULL ? 1000 : arg[3].i;
    struct sb_buckets b;
    if (!sb_track_find(q->p, name, &track, e) ||
        !sb_timeline(q->p, &track, arg[1].i, arg[2].i, n < 0 ? 0 : (uint64_t)n, &b, e))
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
    cell[0].i = b->start;
    cell[1].i = b->dur;
    for (unsigned k = 0; k < SB_B_VALUES; k++)
        cell[2 + k].i = b->v[k];
    return true;
}

static void
close_rows(void *rows)
{
    struct rows *r = rows;
    SB_VEC_FREE(&r->b);
    free(r);
}

const struct sb_computed sb_sql_timeline = {
    .name = "timeline",
    .doc = "timeline(track, t0, t1, n): exact nanoseconds by state in at most n buckets; track is all, "
           "scheduler:ID, "
           "process:ID, group:ID or a track.id",
    .column = columns,
    .n_columns = sizeof columns / sizeof columns[0],
    .arg = {"track", "t0", "t1", "n"},
    .open = open_rows,
    .next = next_row,
    .close = close_rows,
};
