/* A forecast as rows: the table `forecast` and the answer of that name have the same columns. */
#ifndef SB_WHY_FORECAST_ROWS_H
#define SB_WHY_FORECAST_ROWS_H
#include "why/predict/forecast.h"

enum sb_forecast_column {
    SB_FORECAST_AT,
    SB_FORECAST_LOW,
    SB_FORECAST_NS,
    SB_FORECAST_HIGH,
    SB_FORECAST_EXPOSURE,
    SB_FORECAST_SPEEDUP,
    SB_FORECAST_WORK,
    SB_FORECAST_SPAN,
    SB_FORECAST_BURDENED,
    SB_FORECAST_RECORDED,
    SB_FORECAST_SCHEDULERS,
    SB_FORECAST_NOTE,
    SB_FORECAST_LEAST,
    SB_FORECAST_STARTUP,
    SB_FORECAST_COLUMNS
};
extern const struct sb_column sb_forecast_columns[SB_FORECAST_COLUMNS + 1]; /* the last one is empty */
/* Fills the cells of one row; `note` is that of the forecast. */
void sb_forecast_fill(union sb_cell *cell, const struct sb_forecast *f, size_t row, struct sb_str note);

#endif
