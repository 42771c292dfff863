/* The parts of the evidence, each in a file of its own. */
#pragma once
#include "why/run/evidence.h"
#include "why/run/history.h"

/* Sums garbage collections by process, and the part of them spent on data that stayed. */
void sb_evidence_gc_add(struct sb_evidence *x);
/* Reads the messages of the part, in the order of their receipt and of their sending, and who wrote to whom. */
void sb_evidence_messages_read(struct sb_evidence *x, const struct sb_history *h,
                               const struct sb_pieces *pieces);
/* Joins slices and gaps to steps of processes, and tells what each gap waits for. */
void sb_evidence_steps_read(struct sb_evidence *x, const struct sb_history *h);
/* Sums the work of the processes that are present, once the level of the machine is known. */
void sb_evidence_sum_work(struct sb_evidence *x);
