/* A row of the summary: a fact or a piece of advice. */
#ifndef SB_ANSWER_SUMMARY_ROW_H
#define SB_ANSWER_SUMMARY_ROW_H
#include "answer/answer.h"

void sb_summary_put(struct sb_table *t, const char *item, int64_t value, enum sb_unit unit,
                    struct sb_str text, struct sb_str see);

#endif
