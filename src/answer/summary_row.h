/* A row of the summary: a fact or a piece of advice. */
#pragma once
#include "answer/answer.h"

/* Groups of rows, which text prints under their names */
#define SB_SUMMARY_TRIGGER "Why it was written"
#define SB_SUMMARY_MISSING "What is missing"
#define SB_SUMMARY_RUN "What ran"
#define SB_SUMMARY_PARALLEL "How parallel"
#define SB_SUMMARY_TIME "Where the time went"
#define SB_SUMMARY_COST "Cost of recording"
#define SB_SUMMARY_LOOK "Worth looking at"
#define SB_SUMMARY_MINOR "minor" /* text leaves these rows out: they say next to nothing about this run */

struct sb_summary_fact { /* of a row */
    const char *item;
    int64_t value;
    enum sb_unit unit;
    const char *see; /* a command; NULL: none */
};
/* Its text is printed. The row joins the group that sb_summary_group names next. */
void sb_summary_put(struct sb_table *t, struct sb_summary_fact fact, const char *text, ...)
    __attribute__((format(printf, 3, 4)));
void sb_summary_minor(struct sb_table *t, bool is_minor); /* of the last row */
void sb_summary_group(struct sb_table *t, const char *group);

/* How the text of a summary begins: why the trace was written, what is missing, and what is worth looking at. */
void sb_summary_write_first(const struct sb_table *t, size_t width, struct sb_out *out);
