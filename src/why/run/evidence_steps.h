/* Joins slices and gaps to steps of processes, tells what each gap waits for, and builds the level of the machine. */
#ifndef SB_WHY_EVIDENCE_STEPS_H
#define SB_WHY_EVIDENCE_STEPS_H
#include "why/run/evidence.h"
#include "why/run/history.h"

/* Cuts the end of the part so that its slices and messages fit in memory. */
void sb_evidence_steps_limit(struct sb_evidence *x);
void sb_evidence_steps_read(struct sb_evidence *x, const struct sb_history *h);

#endif
