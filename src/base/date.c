#include "base/date.h"
#include <time.h>

bool
sb_date(int64_t wall_ns, char out[SB_DATE])
{
    time_t seconds = (time_t)(wall_ns / 1000000000);
    struct tm t;
    return wall_ns > 0 && gmtime_r(&seconds, &t) && strftime(out, SB_DATE, "%Y-%m-%d %H:%M:%S UTC", &t) > 0;
}
