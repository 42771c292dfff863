/* Reads the messages of the part, in the order of their receipt and of their sending, and who wrote to whom. */
#ifndef SB_WHY_EVIDENCE_MESSAGES_H
#define SB_WHY_EVIDENCE_MESSAGES_H
#include "why/run/evidence.h"
#include "why/run/history.h"

void sb_evidence_messages_read(struct sb_evidence *x, const struct sb_history *h);

#endif
