/* A moment as a date, such as the one at which a recording began. */
#pragma once
#include "base/str.h"

enum { SB_DATE = 32, SB_DATE_DAY = 10 }; /* DAY: how much of it is the day */
/* Nanoseconds since 1970 as "2026-11-23 06:26:30 UTC"; false for what is no such moment, as SB_NULL. */
bool sb_date(int64_t wall_ns, char out[SB_DATE]);
