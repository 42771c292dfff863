/* The first look at a trace that has just been recorded: how its report begins. */
#pragma once
#include "live/record/recorded.h"
#include <sys/types.h>

/* The words of --report */
enum sb_first_look_when {
    SB_LOOK_AUTO,   /* on a terminal, unless much of a long trace is to be analysed yet */
    SB_LOOK_ALWAYS, /* also elsewhere, and however long the trace is */
    SB_LOOK_NEVER
};
/* The words of --analyze */
enum sb_analyze_when { SB_ANALYZE_WHILE, SB_ANALYZE_AFTER };

struct sb_look { /* one at a time */
    unsigned report, analyze;
    pid_t child; /* that analyses; 0: none */
    int talk;
    const char *beside;      /* the trace that it takes in while that is written; NULL: none */
    uint32_t os_pid;         /* of the VM that writes it; 0: the only one */
    _Atomic uint64_t *taken; /* bytes of it, shared with the child */
};

/* Begins to analyse a trace that is about to be written, beside the program, if that is wanted and costs it nothing. */
void sb_look_begin(struct sb_look *l, const char *trace, uint32_t os_pid);
/* Analyses a complete trace, stores its profile next to it, and prints on stderr what the trace lost and what is worth
 * looking at. A failure or a signal ends the analysis with a line on stderr and has no other effect. SIGINT, SIGTERM
 * and SIGHUP stay blocked afterwards, so they cannot change the exit code either. */
void sb_first_look(struct sb_look *l, const struct sb_recorded *trace);
/* Ends what was begun and not looked at. */
void sb_look_end(struct sb_look *l);
