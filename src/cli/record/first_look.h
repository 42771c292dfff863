/* The first look at a trace that has just been recorded: how its report begins. */
#ifndef SB_CLI_FIRST_LOOK_H
#define SB_CLI_FIRST_LOOK_H
#include "live/record/recorded.h"

/* The words of --report */
enum sb_first_look_when {
    SB_LOOK_AUTO,   /* on a terminal, unless the trace is long */
    SB_LOOK_ALWAYS, /* also elsewhere, and however long the trace is */
    SB_LOOK_NEVER
};

/* Analyses a complete trace, stores its profile next to it, and prints on stderr what the trace lost and what is worth
 * looking at. A failure or a signal ends the analysis with a line on stderr and has no other effect. SIGINT, SIGTERM
 * and SIGHUP stay blocked afterwards, so they cannot change the exit code either. */
void sb_first_look(const struct sb_recorded *trace, unsigned when);

#endif
