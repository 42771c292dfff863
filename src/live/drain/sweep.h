/*
 * Cleans up after recordings that were killed: folders `strobe-PID-...` next to that of these rings whose
 * creator is gone. They are removed when they hold nothing that can still be read; rings with events stay for
 * the reader of their trace.
 */
#ifndef SB_LIVE_SWEEP_H
#define SB_LIVE_SWEEP_H

void sb_sweep_beside(const char *rings);

#endif
