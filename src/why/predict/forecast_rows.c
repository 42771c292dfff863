#include "why/predict/forecast_rows.h"

const struct sb_column sb_forecast_columns[] = {
    {"cores", SB_INT, SB_U_COUNT, "normal schedulers, each on a core of its own"},
    {"low_ns", SB_INT, SB_U_NS,
     "lower end: no schedule is faster, or the usual error of a replay below ns; where exposure is some or "
     "high, that error below the work and its changes of process"},
    {"ns", SB_INT, SB_U_NS,
     "a replay of the recorded work without the cost of tracing; where exposure is some or high, with the "
     "cost of messages between cores; NULL: unknown, and note says why"},
    {"high_ns", SB_INT, SB_U_NS, "upper end: with costs of messages that grow with the cores"},
    {"exposure", SB_TEXT, SB_U_NONE,
     "low, some or high: to contention that one trace cannot show; NULL: unknown, as a trace of one "
     "scheduler "
     "shows no waits for locks"},
    {"speedup", SB_REAL, SB_U_NONE, "ns on one core, divided by ns"},
    {"work_ns", SB_INT, SB_U_NS, "of all processes; the same in all rows"},
    {"span_ns", SB_INT, SB_U_NS, "the longest chain of work and waits; the same in all rows"},
    {"burdened_ns", SB_INT, SB_U_NS,
     "that chain with the cost of messages between cores; the same in all rows"},
    {"recorded_ns", SB_INT, SB_U_NS,
     "length of the recorded run up to the end of the program; the same in all rows"},
    {"schedulers", SB_INT, SB_U_COUNT, "of the recording; the same in all rows"},
    {"note", SB_TEXT, SB_U_NONE, "what limits the forecast; the same in all rows"},
    {"least_ns", SB_INT, SB_U_NS,
     "span_ns without the waits of which the trace does not show what ended them: no number of cores is "
     "faster; the same in all rows"},
    {"startup_ns", SB_INT, SB_U_NS,
     "part of recorded_ns before the program ran code of its own; NULL: unknown; the same in all rows"},
    {0},
};

/* The replay knows what messages cost. That this is little is no answer while what locks cost is unknown. */
static struct sb_str
exposure_of(const struct sb_forecast *f)
{
    bool shows_locks = f->schedulers != SB_NULL && f->schedulers > 1;
    return f->exposure == SB_EXPOSURE_LOW && !shows_locks ? (struct sb_str){0}
                                                          : sb_exposure_name(f->exposure);
}

void
sb_forecast_fill(union sb_cell *cell, const struct sb_forecast *f, size_t row, struct sb_str note)
{
    const struct sb_forecast_row *r = &f->row[row];
    cell[SB_FORECAST_AT].i = r->cores;
    cell[SB_FORECAST_LOW].i = r->low_ns;
    cell[SB_FORECAST_NS].i = r->ns;
    cell[SB_FORECAST_HIGH].i = r->high_ns;
    cell[SB_FORECAST_EXPOSURE].s = exposure_of(f);
    cell[SB_FORECAST_SPEEDUP].f = sb_forecast_speedup(f, row);
    cell[SB_FORECAST_WORK].i = f->work_ns;
    cell[SB_FORECAST_SPAN].i = f->span_ns;
    cell[SB_FORECAST_BURDENED].i = f->burdened_ns;
    cell[SB_FORECAST_RECORDED].i = f->recorded_ns;
    cell[SB_FORECAST_SCHEDULERS].i = f->schedulers;
    cell[SB_FORECAST_LEAST].i = f->least_ns;
    cell[SB_FORECAST_STARTUP].i = f->startup_ns;
    cell[SB_FORECAST_NOTE].s = note;
}
