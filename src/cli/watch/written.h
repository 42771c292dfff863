/* The trace of a recording that goes on: `strobe record -o T.sbt` calls it T.OSPID.sbt until the recording ends. */
#pragma once
#include "base/arena.h"

/* Returns the largest of the traces that are being written for T.sbt; NULL: there is none. */
const char *sb_cli_written(const char *trace, struct sb_arena *a);
