/* Sums garbage collections by process, and the part of them spent on data that stayed. */
#ifndef SB_WHY_EVIDENCE_GC_H
#define SB_WHY_EVIDENCE_GC_H
#include "why/run/evidence.h"

void sb_evidence_gc_add(struct sb_evidence *x);

#endif
