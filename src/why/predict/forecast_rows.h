/* A forecast as rows: the table `forecast` and the answer of that name have the same columns. */
#pragma once
#include "why/predict/forecast.h"

#define COLUMN(id, ...) id,
enum sb_forecast_column {
#include "why/predict/forecast_columns.def"
    SB_FORECAST_COLUMNS
};
#undef COLUMN
extern const struct sb_column sb_forecast_columns[SB_FORECAST_COLUMNS + 1]; /* the last one is empty */
/* Fills the cells of one row; `note` is that of the forecast. */
void sb_forecast_fill(union sb_cell *cell, const struct sb_forecast *f, size_t row, struct sb_str note);
