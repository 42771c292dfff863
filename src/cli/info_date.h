/* The moment at which a recording began, as `strobe info` prints it. */
#ifndef SB_CLI_INFO_DATE_H
#define SB_CLI_INFO_DATE_H
#include "base/str.h"
#include <stdint.h>

enum { SB_INFO_DATE = 32 };
/* Nanoseconds since 1970 as "2026-11-23 06:26:30 UTC"; false for years that have more than four digits. */
bool sb_info_date(int64_t wall_ns, char out[SB_INFO_DATE]);

#endif
