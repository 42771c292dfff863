/* How many processes were running and runnable over time. */
#include "answer/answer.h"
#include "answer/bars.h"
#include "profile/timeline.h"

static const struct sb_column columns[] = {
    {"start", SB_INT, SB_U_AT_NS, "start of the interval"},
    {"dur_ns", SB_INT, SB_U_NS, "its duration"},
    {"running", SB_REAL, SB_U_NONE, "processes running, on average; dirty schedulers included"},
    {"runnable", SB_REAL, SB_U_NONE, "processes runnable, on average"},
    {"ports", SB_REAL, SB_U_NONE, "ports running, on average"},
    {"gc_ns", SB_INT, SB_U_NS, "garbage collection of all processes"},
    {SB_OF(pyramid, peak_running)},
    {SB_OF(pyramid, peak_runnable)},
    {"handover", SB_REAL, SB_U_NONE, "processes in dirty hand-over, on average"},
    {"picture", SB_TEXT, SB_U_NONE, "running, relative to the most in any interval"},
    {0},
};

SB_ANSWER(activity) = {
    .name = "activity",
    .title = "Running processes over time",
    .of_all = true,
    .doc = "One row per interval (at most --limit N rows, each 2^k ns): how many processes were running and "
           "how many were runnable.",
    .needs = "--trace running",
    .ask = answer,
    .limit = 40,
    .column = columns,
    .narrow = "start,running,runnable,peak_running,picture",
    .whole = "picture",
    .own_limit = true,
};

enum { START, DUR, RUNNING, RUNNABLE, PORTS, GC, PEAK_RUNNING, PEAK_RUNNABLE, HANDOVER, PICTURE, N_COLUMNS };

static double
at_work(const struct sb_bucket *b)
{
    return (double)(b->v[SB_B_running] + b->v[SB_B_gc] + b->v[SB_B_dirty]);
}

static bool
answer(const struct sb_ask *ask, struct sb_table *t, struct sb_err *e)
{
    enum { ROWS = 40, WIDE = 24 };
    struct sb_track all;
    struct sb_buckets b;
    double most = 0;
    SB_TRY(sb_track_find(ask->profile, SB_STR("all"), &all, e));
    struct sb_timeline_range range = {ask->q->since_ns, ask->q->until_ns,
                                      ask->q->limit ? ask->q->limit : ROWS};
    SB_TRY(sb_timeline(ask->profile, &all, range, &b, e));
    for (size_t i = 0; i < b.n; i++)
        most = at_work(&b.at[i]) > most ? at_work(&b.at[i]) : most;
    sb_table_init(t, ask->arena, columns, N_COLUMNS);
    for (size_t i = 0; i < b.n; i++) {
        const struct sb_bucket *k = &b.at[i];
        union sb_cell *c = sb_table_row(t);
        double dur = (double)k->dur;
        c[START].i = k->start;
        c[DUR].i = k->dur;
        c[RUNNING].f = at_work(k) / dur;
        c[RUNNABLE].f = (double)k->v[SB_B_runnable] / dur;
        c[PORTS].f = (double)k->v[SB_B_ports] / dur;
        c[GC].i = k->v[SB_B_gc];
        c[PEAK_RUNNING].i = k->v[SB_B_peak_running];
        c[PEAK_RUNNABLE].i = k->v[SB_B_peak_runnable];
        c[HANDOVER].f = (double)k->v[SB_B_handover] / dur;
        c[PICTURE].s = sb_bar_line(most > 0 ? at_work(k) / most : 0, WIDE, ask->arena);
    }
    SB_VEC_FREE(&b);
    return true;
}
