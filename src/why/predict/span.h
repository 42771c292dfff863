/* The longest chain of a run: its time on as many cores as could ever be busy. */
#pragma once
#include "why/predict/replay.h"

/* With costs, each message is from another core. Copies of a server do not wait for their turn. */
struct sb_replay sb_span_find(const struct sb_replay_plan *plan);
