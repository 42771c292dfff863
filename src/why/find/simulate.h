/*
 * Gains by replay: what the recorded run would take with the cure of a finding, where a replay can express it. The
 * other gains stay bounds from the trace.
 */
#pragma once
#include "why/find/finding.h"

enum {
    SB_SIMULATED_ROWS = 300000, /* slices and messages: a longer trace costs more than a report may */
    SB_SIMULATED = 8            /* findings at most, those of the largest bounds */
};
/* Completes the findings: gains, titles and sources. */
void sb_why_simulate(struct sb_why *w);
