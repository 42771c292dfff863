/* `strobe info` of a profile: the same keys as for a trace, and the number of rows in each table. */
#pragma once
#include "base/table.h"

bool sb_info_is_profile(const char *path);
bool sb_info_profile(const char *path, enum sb_format format, struct sb_err *e);
