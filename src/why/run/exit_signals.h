/*
 * Waits that no event of the trace ends. Some end by an exit signal, for which the VM has no event:
 *
 *     supervisor   |#exit(C, shutdown)#|.....wait for C.....|#'DOWN'#|
 *     child C      ......wait......|queue|#exit#|                          C does not trap exits
 *                  ......wait......|queue|#'EXIT' of the supervisor#|      C traps exits
 *
 * A process that gets the 'EXIT' of one that lives on got it by exit/2. A process that exits when it wakes, though it
 * received nothing, got the signal from the process that waits for its end and ran just before.
 */
#pragma once
#include "why/run/history.h"

/* Sets the causes of such waits to SB_GAP_SIGNAL with their waker, or marks the ends that the trace explains. */
void sb_exit_signals_find(struct sb_history *h);
