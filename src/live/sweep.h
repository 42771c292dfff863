/*
 * What recordings that were killed whole left behind: folders `strobe-PID-...` beside that of these rings
 * whose maker is gone. They go when nothing is in them that anybody could still read; rings that hold events
 * stay for whoever reads their trace.
 */
#ifndef SB_LIVE_SWEEP_H
#define SB_LIVE_SWEEP_H

void sb_sweep_beside(const char *rings);

#endif
