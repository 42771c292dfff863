/*
 * What a recorded run would take on other numbers of cores, as it is or with a change: a band, from replays of its
 * operations. What the trace cannot show stays unknown.
 */
#pragma once
#include "why/predict/doubt.h"
#include "why/predict/what_if.h"

/* Doubts that leave all times unknown. */
#define SB_FORECAST_VOID \
    (1u << SB_DOUBT_LOST | 1u << SB_DOUBT_SILENT | 1u << SB_DOUBT_NODES | 1u << SB_DOUBT_POLLS | \
     1u << SB_DOUBT_LOCKS)

struct sb_forecast_base { /* what all forecasts of a profile share */
    struct sb_ops ops;
    struct sb_doubts doubts;
    bool has_unexplained; /* waits */
};
const struct sb_forecast_base *sb_forecast_base_of(const struct sb_profile *p, struct sb_err *e);

struct sb_forecast_row { /* SB_NULL: unknown */
    int64_t cores, low_ns, ns, high_ns;
};
struct sb_forecast {
    struct sb_forecast_row row[SB_FORECAST_CORES];
    size_t n;
    int64_t one_ns;      /* on one core; SB_NULL: unknown */
    int64_t recorded_ns; /* up to the end of the program */
    int64_t startup_ns;  /* of that: before the program ran code of its own; SB_NULL: unknown */
    int64_t schedulers;  /* of the recording; SB_NULL: unknown */
    int64_t work_ns;
    int64_t span_ns;  /* the longest chain; SB_NULL: unknown */
    int64_t least_ns; /* the same without the waits that the trace does not explain: no schedule is faster */
    int64_t burdened_ns;       /* the same with the costs of messages between cores */
    enum sb_exposure exposure; /* by messages */
    enum sb_exposure sharing;  /* by what samples show that processes share; unknown without samples */
    struct sb_shared shared;
    struct sb_str sampled;     /* of the change (what_if.h); lives as long as that */
    uint32_t doubts;           /* bits */
    uint32_t stuck, stuck_for; /* process.id: the replay came to a halt there; 0: it did not */
};
/* No rows: the trace shows no process at work. */
bool sb_forecast_make(struct sb_forecast *f, const struct sb_profile *p, const struct sb_what_if *w,
                      struct sb_err *e);
/* What limits the forecast, as sentences with " | " between them; empty: nothing does. */
struct sb_str sb_forecast_note(const struct sb_forecast *f, const struct sb_profile *p, struct sb_arena *a);
/* How many times faster than on one core; NaN: unknown. */
double sb_forecast_speedup(const struct sb_forecast *f, size_t row);
