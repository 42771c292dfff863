/*
 * Computed tables over buckets of time.
 *
 *   timeline(track, t0, t1, n)   a track over [t0, t1) in at most n power-of-two buckets
 *   activity                     average number of running processes, in the finest stored buckets of all
 */
#include "base/arena.h"
#include "profile/sql/sql_module.h"
#include "profile/timeline.h"
#include <math.h>

struct rows {
    struct sb_buckets b;
    size_t i;
    bool has_ports; /* activity alone */
};

static struct rows *
keep(const struct sb_computation *c, struct sb_buckets b)
{
    struct rows *r = SB_NEW(c->arena, struct rows);
    *r = (struct rows){.b = b};
    return r;
}

static const struct sb_bucket *
next_bucket(void *rows)
{
    struct rows *r = rows;
    return r->i == r->b.n ? NULL : &r->b.at[r->i++];
}

static void
close_rows(void *rows)
{
    struct rows *r = rows;
    SB_VEC_FREE(&r->b);
}

/* ---- timeline ---- */

static const struct sb_column timeline_columns[] = {
    {"start", SB_INT, SB_U_AT_NS, "of the bucket"},
    {"dur", SB_INT, SB_U_NS, "of the bucket"},
    {"running_ns", SB_INT, SB_U_NS, "gc apart"},
    {"gc_ns", SB_INT, SB_U_NS, ""},
    {"dirty_ns", SB_INT, SB_U_NS, ""},
    {"runnable_ns", SB_INT, SB_U_NS, ""},
    {"waiting_ns", SB_INT, SB_U_NS, ""},
    {"handover_ns", SB_INT, SB_U_NS, ""},
    {"dirty_gc_ns", SB_INT, SB_U_NS, "part of gc_ns that was on dirty schedulers"},
    {"ports_ns", SB_INT, SB_U_NS, "ports at work"},
    {"schedulers_ns", SB_INT, SB_U_NS, "schedulers at work"},
    {"longest_ns", SB_INT, SB_U_NS, "longest single run that touches it"},
    {"peak_running", SB_INT, SB_U_COUNT, "most at one moment"},
    {"peak_runnable", SB_INT, SB_U_COUNT, "most at one moment"},
};

static void *
open_timeline(const struct sb_computation *c, struct sb_err *e)
{
    struct sb_track track;
    struct sb_str name = c->arg[0].s.p ? c->arg[0].s : SB_STR("all");
    int64_t n = c->arg[3].i == SB_NULL ? 1000 : c->arg[3].i;
    struct sb_timeline_range range = {c->arg[1].i, c->arg[2].i, n < 0 ? 0 : (uint64_t)n};
    struct sb_buckets b;
    if (!sb_track_find(c->profile, name, &track, e) || !sb_timeline(c->profile, &track, range, &b, e))
        return NULL;
    return keep(c, b);
}

static bool
next_of_timeline(void *rows, union sb_cell *cell)
{
    const struct sb_bucket *b = next_bucket(rows);
    if (b == NULL)
        return false;
    cell[0].i = b->start;
    cell[1].i = b->dur;
    for (unsigned k = 0; k < SB_B_VALUES; k++)
        cell[2 + k].i = b->v[k];
    return true;
}

const struct sb_computed sb_sql_timeline = {
    .name = "timeline",
    .doc = "timeline(track, t0, t1, n): exact nanoseconds by state in at most n buckets; track is all, "
           "scheduler:ID, process:ID, group:ID or a track.id",
    .column = timeline_columns,
    .n_columns = sizeof timeline_columns / sizeof timeline_columns[0],
    .arg = {"track", "t0", "t1", "n"},
    .open = open_timeline,
    .next = next_of_timeline,
    .close = close_rows,
};

/* ---- activity ---- */

static const struct sb_column activity_columns[] = {
    {"bucket", SB_INT, SB_U_NONE, "number of the bucket"},
    {"start", SB_INT, SB_U_AT_NS, ""},
    {"dur", SB_INT, SB_U_NS, ""},
    {"processes_running", SB_REAL, SB_U_NONE, "average over the bucket, gc and dirty included"},
    {"processes_runnable", SB_REAL, SB_U_NONE, "average over the bucket"},
    {"ports_active", SB_REAL, SB_U_NONE, "average over the bucket; NULL where no port was seen at work"},
    {"schedulers_active", SB_REAL, SB_U_NONE, "average over the bucket"},
    {"peak_running", SB_INT, SB_U_COUNT, "most at one moment"},
    {"peak_runnable", SB_INT, SB_U_COUNT, "most at one moment"},
    {"processes_in_handover", SB_REAL, SB_U_NONE,
     "average over the bucket: between a normal and a dirty scheduler"},
};

enum { FINEST = 1 << 16 /* rows; use timeline for finer buckets */ };

static void *
open_activity(const struct sb_computation *c, struct sb_err *e)
{
    struct sb_track all;
    struct sb_buckets b;
    if (!sb_track_find(c->profile, SB_STR("all"), &all, e))
        return NULL;
    uint64_t kept = sb_timeline_kept(c->profile, &all);
    struct sb_timeline_range range = {0, SB_NULL, kept == 0 || kept > FINEST ? FINEST : kept};
    if (!sb_timeline(c->profile, &all, range, &b, e))
        return NULL;
    struct rows *rows = keep(c, b);
    /* where no port was seen at work it is not known whether that was traced */
    rows->has_ports = sb_profile_has_values(c->profile, SB_T_port, SB_C_port__run_ns);
    return rows;
}

static bool
next_of_activity(void *rows, union sb_cell *cell)
{
    const struct sb_bucket *b = next_bucket(rows);
    if (b == NULL)
        return false;
    double dur = (double)b->dur;
    cell[0].i = b->start / b->dur;
    cell[1].i = b->start;
    cell[2].i = b->dur;
    cell[3].f = (double)(b->v[SB_B_running] + b->v[SB_B_gc] + b->v[SB_B_dirty]) / dur;
    cell[4].f = (double)b->v[SB_B_runnable] / dur;
    cell[5].f = ((const struct rows *)rows)->has_ports ? (double)b->v[SB_B_ports] / dur : NAN;
    cell[6].f = (double)b->v[SB_B_schedulers] / dur;
    cell[7].i = b->v[SB_B_peak_running];
    cell[8].i = b->v[SB_B_peak_runnable];
    cell[9].f = (double)b->v[SB_B_handover] / dur;
    return true;
}

const struct sb_computed sb_sql_activity = {
    .name = "activity",
    .doc = "how many processes, ports and schedulers were at work over time",
    .column = activity_columns,
    .n_columns = sizeof activity_columns / sizeof activity_columns[0],
    .open = open_activity,
    .next = next_of_activity,
    .close = close_rows,
};
