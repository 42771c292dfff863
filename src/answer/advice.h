/* What holds the run back most, each with the command that shows it; else that nothing does, and where the
 * time went. */
#ifndef SB_ANSWER_ADVICE_H
#define SB_ANSWER_ADVICE_H
#include "answer/facts.h"

bool sb_advice_put(const struct sb_ask *ask, const struct sb_facts *f, struct sb_table *t, struct sb_err *e);

#endif
