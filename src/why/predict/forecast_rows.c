#include "why/predict/forecast_rows.h"

#define COLUMN(id, ...) {__VA_ARGS__},
const struct sb_column sb_forecast_columns[] = {
#include "why/predict/forecast_columns.def"
    {0},
};
#undef COLUMN

/* The replay knows what messages cost. That this is little is no answer while what locks cost is unknown. */
static struct sb_str
exposure_of(const struct sb_forecast *f)
{
    bool shows_locks = f->schedulers != SB_NULL && f->schedulers > 1;
    if (f->exposure <= SB_EXPOSURE_LOW && f->sharing == SB_EXPOSURE_UNKNOWN && !shows_locks)
        return (struct sb_str){0};
    return sb_exposure_name(f->sharing > f->exposure ? f->sharing : f->exposure);
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
